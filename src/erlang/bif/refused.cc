// Built-ins that end a search when they are called: what no schedule can control, and what does not work yet.
#include <algorithm>
#include <array>
#include <utility>

#include "erlang/bif/builtins.h"
#include "erlang/machine/machine.h"

namespace ravel::erlang {

namespace {

// Why, and the way out.
constexpr std::string_view kPort =
    "leads to a port, so outside the program, where no schedule can control it: replace the module that uses "
    "it by a "
    "stub (--stub MODULE=OTHER)";
constexpr std::string_view kOtherNode =
    "leads to another node, and a search has one, nonode@nohost: replace the module that uses it by a stub "
    "(--stub MODULE=OTHER)";
constexpr std::string_view kNativeCode =
    "loads native code, which no schedule can control: replace the module that does it by one in Erlang "
    "(--stub MODULE=OTHER)";
constexpr std::string_view kDebugger =
    "belongs to the emulator's debugger, which is not there: leave it out of the test";
constexpr std::string_view kTracing = "traces the emulator, which is not there: leave it out of the test";
constexpr std::string_view kCode =
    "is what OTP's code server and purger do inside, and they do not run here: call the functions of module "
    "code";
constexpr std::string_view kHost =
    "changes what the host's signals do, which no schedule can control: leave it out of the test";
constexpr std::string_view kPrograms =
    "looks for a program of the host, which no schedule could control: replace the module that uses it by a "
    "stub (--stub "
    "MODULE=OTHER)";
constexpr std::string_view kFiles =
    "concerns the host's files beyond their names and contents, which alone are under control: leave it out "
    "of the test, "
    "or replace the module that uses it by a stub (--stub MODULE=OTHER)";
constexpr std::string_view kRestart =
    "starts the whole system again, and an execution begins only once: leave it out of the test, or replace "
    "the module that "
    "uses it by a stub (--stub MODULE=OTHER)";
constexpr std::string_view kSuspending =
    "takes scheduling into its own hands, which a search does already: leave it out of the test";
constexpr std::string_view kEmulator =
    "belongs to the inside of the emulator, which is not there: leave it out of the test";

struct Row {
  std::string_view module;
  std::string_view name;
  std::uint32_t arity;
  std::string_view reason;
};

constexpr auto kRows = std::to_array<Row>({
    {"erl_ddll", "demonitor", 1, kNativeCode},
    {"erl_ddll", "format_error_int", 1, kNativeCode},
    {"erl_ddll", "info", 2, kNativeCode},
    {"erl_ddll", "loaded_drivers", 0, kNativeCode},
    {"erl_ddll", "monitor", 2, kNativeCode},
    {"erl_ddll", "try_load", 3, kNativeCode},
    {"erl_ddll", "try_unload", 2, kNativeCode},
    {"erl_debugger", "breakpoint", 3, kDebugger},
    {"erl_debugger", "breakpoints", 1, kDebugger},
    {"erl_debugger", "breakpoints", 3, kDebugger},
    {"erl_debugger", "instrumentations", 0, kDebugger},
    {"erl_debugger", "peek_stack_frame_slot", 4, kDebugger},
    {"erl_debugger", "peek_xreg", 3, kDebugger},
    {"erl_debugger", "register", 1, kDebugger},
    {"erl_debugger", "stack_frames", 2, kDebugger},
    {"erl_debugger", "toggle_instrumentations", 1, kDebugger},
    {"erl_debugger", "unregister", 2, kDebugger},
    {"erl_debugger", "whereis", 0, kDebugger},
    {"erl_debugger", "xregs_count", 1, kDebugger},
    {"erlang", "call_on_load_function", 1, kCode},
    {"erlang", "dist_ctrl_get_data", 1, kOtherNode},
    {"erlang", "dist_ctrl_get_data_notification", 1, kOtherNode},
    {"erlang", "dist_ctrl_get_opt", 2, kOtherNode},
    {"erlang", "dist_ctrl_input_handler", 2, kOtherNode},
    {"erlang", "dist_ctrl_put_data", 2, kOtherNode},
    {"erlang", "dist_ctrl_set_opt", 3, kOtherNode},
    {"erlang", "dist_get_stat", 1, kOtherNode},
    {"erlang", "finish_after_on_load", 2, kCode},
    {"erlang", "load_nif", 2, kNativeCode},
    {"erlang", "monitor_node", 2, kOtherNode},
    {"erlang", "monitor_node", 3, kOtherNode},
    {"erlang", "port_get_data", 1, kPort},
    {"erlang", "port_set_data", 2, kPort},
    {"erlang", "resume_process", 1, kSuspending},
    {"erlang", "seq_trace", 2, kTracing},
    {"erlang", "setnode", 2, kOtherNode},
    {"erlang", "system_monitor", 1, kTracing},
    {"erlang", "system_monitor", 2, kTracing},
    {"erlang", "system_profile", 2, kTracing},
    {"erlang", "trace_delivered", 1, kTracing},
    {"erlang", "trace_info", 2, kTracing},
    {"erts_debug", "breakpoint", 2, kTracing},
    {"erts_debug", "dirty", 3, kEmulator},
    {"erts_debug", "dirty_cpu", 2, kEmulator},
    {"erts_debug", "dirty_io", 2, kEmulator},
    {"erts_debug", "disassemble", 1, kEmulator},
    {"erts_debug", "dist_ext_to_term", 2, kOtherNode},
    {"erts_debug", "get_internal_state", 1, kEmulator},
    {"erts_debug", "instructions", 0, kEmulator},
    {"erts_debug", "interpreter_size", 0, kEmulator},
    {"erts_debug", "lcnt_clear", 0, kEmulator},
    {"erts_debug", "lcnt_collect", 0, kEmulator},
    {"erts_debug", "lcnt_control", 1, kEmulator},
    {"erts_debug", "lcnt_control", 2, kEmulator},
    {"erts_debug", "set_internal_state", 2, kEmulator},
    {"erts_internal", "abort_pending_connection", 2, kOtherNode},
    {"erts_internal", "check_dirty_process_code", 2, kEmulator},
    {"erts_internal", "create_dist_channel", 3, kOtherNode},
    {"erts_internal", "dirty_process_handle_signals", 1, kEmulator},
    {"erts_internal", "dist_spawn_request", 4, kOtherNode},
    {"erts_internal", "ets_lookup_binary_info", 2, kEmulator},
    {"erts_internal", "ets_raw_first", 1, kEmulator},
    {"erts_internal", "ets_raw_next", 2, kEmulator},
    {"erts_internal", "ets_super_user", 1, kEmulator},
    {"erts_internal", "gather_alloc_histograms", 1, kEmulator},
    {"erts_internal", "gather_carrier_info", 1, kEmulator},
    {"erts_internal", "get_dflags", 0, kOtherNode},
    {"erts_internal", "new_connection", 1, kOtherNode},
    {"erts_internal", "no_aux_work_threads", 0, kEmulator},
    {"erts_internal", "notify_breakpoint_hit", 3, kDebugger},
    {"erts_internal", "open_port", 2, kPort},
    {"erts_internal", "port_call", 3, kPort},
    {"erts_internal", "port_close", 1, kPort},
    {"erts_internal", "port_command", 3, kPort},
    {"erts_internal", "port_connect", 2, kPort},
    {"erts_internal", "port_control", 3, kPort},
    {"erts_internal", "port_info", 1, kPort},
    {"erts_internal", "port_info", 2, kPort},
    {"erts_internal", "process_display", 2, kEmulator},
    {"erts_internal", "purge_module", 2, kCode},
    {"erts_internal", "scheduler_wall_time", 1, kEmulator},
    {"erts_internal", "spawn_system_process", 3, kEmulator},
    {"erts_internal", "suspend_process", 2, kSuspending},
    {"erts_internal", "system_check", 1, kEmulator},
    {"erts_internal", "system_monitor", 3, kTracing},
    {"erts_internal", "trace", 3, kTracing},
    {"erts_internal", "trace", 4, kTracing},
    {"erts_internal", "trace_info", 3, kTracing},
    {"erts_internal", "trace_pattern", 3, kTracing},
    {"erts_internal", "trace_pattern", 4, kTracing},
    {"erts_internal", "trace_session_create", 3, kTracing},
    {"erts_internal", "trace_session_destroy", 1, kTracing},
    {"erts_literal_area_collector", "release_area_switch", 0, kCode},
    {"erts_literal_area_collector", "send_copy_request", 3, kCode},
    {"erts_trace_cleaner", "check", 0, kTracing},
    {"erts_trace_cleaner", "send_trace_clean_signal", 1, kTracing},
    {"init", "reboot", 0, kRestart},
    {"init", "restart", 0, kRestart},
    {"init", "restart", 1, kRestart},
    {"os", "find_executable", 1, kPrograms},
    {"os", "find_executable", 2, kPrograms},
    {"os", "set_signal", 2, kHost},
    {"prim_file", "file_desc_to_ref_nif", 1, kFiles},
    {"prim_file", "get_handle_nif", 1, kFiles},
});

template <std::size_t kRow>
Term refused(Call& call, const Term*) {
  constexpr const Row& row = kRows[kRow];
  std::string message(row.module);
  message.append(":").append(row.name).append("/").append(std::to_string(row.arity));
  call.machine.faults.refuse(message.append(" ").append(row.reason));
  return Term::none();
}

template <std::size_t... kRow>
constexpr std::array<Builtin, kRows.size()> make_builtins(std::index_sequence<kRow...>) {
  return {{{kRows[kRow].module, kRows[kRow].name, kRows[kRow].arity, Effect::kRefused, refused<kRow>}...}};
}

constexpr auto kRefusedBuiltins = make_builtins(std::make_index_sequence<kRows.size()>());
static_assert(std::ranges::is_sorted(kRefusedBuiltins, {}, &Builtin::key));

}  // namespace

std::span<const Builtin> refused_builtins() { return kRefusedBuiltins; }

}  // namespace ravel::erlang
