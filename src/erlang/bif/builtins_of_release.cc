// Which built-ins a release of Erlang/OTP has: those that came with one after OTP 25, and those that went.
#include <algorithm>
#include <array>
#include <limits>

#include "erlang/bif/builtins.h"
#include "erlang/term/release.h"

namespace ravel::erlang {

namespace {

constexpr int kStill = std::numeric_limits<int>::max();

// Built-ins that not all releases have. What a release writes in Erlang instead is run as it is, so that its
// errors and stack traces are its own. (min/2, max/2 and is_integer/3 are here for all: a file may be newer
// than the installed libraries.)
struct Row {
  std::string_view module;
  std::string_view name;
  std::uint32_t arity;
  int first;
  int last;

  constexpr Builtin::Key key() const { return {module, name, arity}; }
};
constexpr auto kRows = std::to_array<Row>({
    {"code", "coverage_support", 0, 27, kStill},
    {"code", "get_coverage", 2, 27, kStill},
    {"code", "get_coverage_mode", 0, 27, kStill},
    {"code", "get_coverage_mode", 1, 27, kStill},
    {"code", "get_debug_info", 1, 28, kStill},
    {"code", "reset_coverage", 1, 27, kStill},
    {"code", "set_coverage_mode", 1, 27, kStill},
    {"erl_debugger", "breakpoint", 3, 28, kStill},
    {"erl_debugger", "breakpoints", 1, 28, kStill},
    {"erl_debugger", "breakpoints", 3, 28, kStill},
    {"erl_debugger", "instrumentations", 0, 28, kStill},
    {"erl_debugger", "peek_stack_frame_slot", 4, 28, kStill},
    {"erl_debugger", "peek_xreg", 3, 28, kStill},
    {"erl_debugger", "register", 1, 28, kStill},
    {"erl_debugger", "stack_frames", 2, 28, kStill},
    {"erl_debugger", "supported", 0, 28, kStill},
    {"erl_debugger", "toggle_instrumentations", 1, 28, kStill},
    {"erl_debugger", "unregister", 2, 28, kStill},
    {"erl_debugger", "whereis", 0, 28, kStill},
    {"erl_debugger", "xregs_count", 1, 28, kStill},
    {"erlang", "binary_to_integer", 1, 0, 26},
    {"erlang", "binary_to_integer", 2, 0, 26},
    {"erlang", "display_nl", 0, 0, 25},
    {"erlang", "display_string", 1, 0, 25},
    {"erlang", "display_string", 2, 26, kStill},
    {"erlang", "exit", 3, 28, kStill},
    {"erlang", "exit_signal", 3, 29, kStill},
    {"erlang", "is_record", 1, 29, kStill},
    {"erlang", "link", 2, 28, kStill},
    {"erlang", "list_to_integer", 1, 0, 26},
    {"erlang", "list_to_integer", 2, 0, 26},
    {"erlang", "system_monitor", 0, 0, 27},
    {"erlang", "system_monitor", 1, 0, 27},
    {"erlang", "system_monitor", 2, 0, 27},
    {"erts_debug", "display", 1, 0, 25},
    {"erts_debug", "unaligned_bitstring", 2, 28, kStill},
    {"erts_internal", "binary_to_integer", 2, 26, kStill},
    {"erts_internal", "list_to_integer", 2, 26, kStill},
    {"erts_internal", "notify_breakpoint_hit", 3, 28, kStill},
    {"erts_internal", "processes_next", 1, 28, kStill},
    {"erts_internal", "system_monitor", 1, 28, kStill},
    {"erts_internal", "system_monitor", 3, 28, kStill},
    {"erts_internal", "term_to_string", 2, 26, kStill},
    {"erts_internal", "trace", 4, 27, kStill},
    {"erts_internal", "trace_info", 3, 27, kStill},
    {"erts_internal", "trace_pattern", 4, 27, kStill},
    {"erts_internal", "trace_session_create", 3, 27, kStill},
    {"erts_internal", "trace_session_destroy", 1, 27, kStill},
    {"erts_trace_cleaner", "check", 0, 27, kStill},
    {"erts_trace_cleaner", "send_trace_clean_signal", 1, 27, kStill},
    {"ets", "first_lookup", 1, 27, kStill},
    {"ets", "last_lookup", 1, 27, kStill},
    {"ets", "lookup_element", 4, 26, kStill},
    {"ets", "next_lookup", 2, 27, kStill},
    {"ets", "prev_lookup", 2, 27, kStill},
    {"ets", "update_element", 4, 27, kStill},
    {"persistent_term", "put_new", 2, 28, kStill},
    {"re", "import", 1, 28, kStill},
    {"records", "create", 4, 29, kStill},
    {"records", "get", 2, 29, kStill},
    {"records", "get_definition", 2, 29, kStill},
    {"records", "get_field_names", 1, 29, kStill},
    {"records", "get_module", 1, 29, kStill},
    {"records", "get_name", 1, 29, kStill},
    {"records", "is_exported", 1, 29, kStill},
    {"records", "update", 4, 29, kStill},
    {"string", "list_to_integer", 1, 0, 26},
});
static_assert(std::ranges::is_sorted(kRows, {}, &Row::key));

}  // namespace

std::vector<Builtin> builtins_of(const Release& release) {
  std::vector<Builtin> all = all_builtins();
  std::erase_if(all, [&](const Builtin& builtin) {
    const auto row = std::ranges::lower_bound(kRows, builtin.key(), {}, &Row::key);
    return row != kRows.end() && row->key() == builtin.key() &&
           (release.number < row->first || release.number > row->last);
  });
  return all;
}

}  // namespace ravel::erlang
