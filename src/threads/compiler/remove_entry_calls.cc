// Leaves out __tsan_func_entry() and __tsan_func_exit(), which do nothing in our runtime: it finds stacks by
// unwinding.
//
// They must be there until calls at the end of functions have become jumps, which the call after them
// prevents: who has called the runtime would not be found any more.

#include "threads/compiler/passes.h"
// The order matters.
#include <gimple-iterator.h>
#include <ssa.h>
#include <tree-ssanames.h>

namespace ravel::compiler {

namespace {

const pass_data kRemoveEntryCalls{
    GIMPLE_PASS, "ravel_entry_calls",          OPTGROUP_NONE, TV_NONE, PROP_ssa | PROP_cfg, 0, 0,
    0,           TODO_update_ssa_only_virtuals};

// gimple_call_builtin_p() does not know the function without arguments, which GCC declares with one.
bool calls(const gimple* statement, built_in_function code) {
  if (!is_gimple_call(statement)) return false;
  tree function = gimple_call_fndecl(statement);
  return function != NULL_TREE && fndecl_built_in_p(function, code);
}

class RemoveEntryCalls final : public gimple_opt_pass {
 public:
  explicit RemoveEntryCalls(gcc::context* context) : gimple_opt_pass(kRemoveEntryCalls, context) {}
  opt_pass* clone() override { return new RemoveEntryCalls(m_ctxt); }
  bool gate(function*) override { return is_for_threads(); }

  unsigned execute(function* function) override {
    basic_block block;
    FOR_EACH_BB_FN(block, function)
    for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at);) {
      gimple* statement = gsi_stmt(at);
      if (calls(statement, BUILT_IN_TSAN_FUNC_ENTRY) || calls(statement, BUILT_IN_TSAN_FUNC_EXIT)) {
        unlink_stmt_vdef(statement);
        gsi_remove(&at, true);
        release_defs(statement);
      } else {
        gsi_next(&at);
      }
    }
    return 0;
  }
};

}  // namespace

opt_pass* make_remove_entry_calls(gcc::context* context) { return new RemoveEntryCalls(context); }

}  // namespace ravel::compiler
