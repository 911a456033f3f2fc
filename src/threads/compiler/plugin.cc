// What GCC calls when it loads the plugin.

#include "threads/compiler/passes.h"
// The order matters.
#include <plugin-version.h>

int plugin_is_GPL_compatible;

namespace {

struct Place {
  opt_pass* pass;
  const char* reference;
  pass_positioning_ops position;
};

}  // namespace

int plugin_init(plugin_name_args* arguments, plugin_gcc_version* version) {
  // Another GCC compiles as it would without the plugin.
  if (!plugin_default_version_check(version, &gcc_version)) return 0;
  using namespace ravel::compiler;
  for (const auto& [pass, reference, position] :
       {Place{make_insert_checks(g), "tsan", PASS_POS_INSERT_AFTER},
        Place{make_scale_counts(g), "ira", PASS_POS_INSERT_BEFORE},
        Place{make_remove_entry_calls(g), "optimized", PASS_POS_INSERT_AFTER}}) {
    register_pass_info info{
        .pass = pass, .reference_pass_name = reference, .ref_pass_instance_number = 0, .pos_op = position};
    register_callback(arguments->base_name, PLUGIN_PASS_MANAGER_SETUP, nullptr, &info);
  }
  return 0;
}
