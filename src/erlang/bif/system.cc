// The system family: halting, nodes, what does nothing here; and the table of the whole family.
#include <algorithm>
#include <array>

#include "erlang/bif/builtins.h"
#include "erlang/bif/process_family.h"
#include "erlang/bif/system_family.h"
#include "erlang/term/map.h"
#include "erlang/term/utf8.h"

namespace ravel::erlang {

namespace {

using atoms::boolean;

bool is_flush_option(Term option) {
  return is_tuple_of(option, 2) && element(option, 1) == atoms::kFlush &&
         (element(option, 2) == atoms::kTrue || element(option, 2) == atoms::kFalse);
}

bool is_string(Term list) {
  for (; list.is_cons(); list = list.tail())
    if (!list.head().is_small() || !is_unicode_scalar(static_cast<std::uint64_t>(list.head().small_value())))
      return false;
  return list.is_nil();
}

// The status of the host's process is a positive 32-bit integer.
Term halt_2(Call& call, const Term* arguments) {
  const Term status = arguments[0];
  Term options = arguments[1];
  for (; options.is_cons(); options = options.tail())
    if (!is_flush_option(options.head())) return call.fail(atoms::kBadarg, atoms::kBadopt);
  if (!options.is_nil()) return call.fail(atoms::kBadarg, atoms::kBadopt);
  if (status.is_small()) {
    call.machine.faults.halt(Term::small(status.small_value() & 0x7FFF'FFFF));
  } else if (status == atoms::kAbort || is_string(status)) {
    call.machine.faults.halt(status);
  } else {
    return call.badarg();
  }
  return Term::none();
}

// Nodes: only this one, which is not alive.

Term nodes_0(Call&, const Term*) { return Term::nil(); }

// Does a list of kinds, or one kind, mean this node? Nothing if it is not valid.
std::optional<bool> means_this_node(Call& call, Term kinds) {
  if (kinds.is_atom()) kinds = call.heap.cons(kinds, Term::nil());
  bool is_meant = false;
  for (; kinds.is_cons(); kinds = kinds.tail()) {
    const Term kind = kinds.head();
    if (kind == atoms::kThis || kind == atoms::kKnown) {
      is_meant = true;
    } else if (kind != atoms::kVisible && kind != atoms::kHidden && kind != atoms::kConnected) {
      return std::nullopt;
    }
  }
  if (!kinds.is_nil()) return std::nullopt;
  return is_meant;
}

Term nodes_1(Call& call, const Term* arguments) {
  const auto is_meant = means_this_node(call, arguments[0]);
  if (!is_meant) return call.badarg();
  return *is_meant ? call.heap.cons(atoms::kNoname, Term::nil()) : Term::nil();
}

Term nodes_2(Call& call, const Term* arguments) {
  const auto is_meant = means_this_node(call, arguments[0]);
  if (!is_meant || !is_map(arguments[1])) return call.badarg();
  std::vector<Term> information;
  for (MapIterator options(arguments[1]); options.next();) {
    if (options.value() != atoms::kTrue && options.value() != atoms::kFalse) return call.badarg();
    const bool is_wanted = options.value() == atoms::kTrue;
    if (options.key() == atoms::kConnectionId) {
      if (is_wanted) information.insert(information.end(), {options.key(), atoms::kUndefined});
    } else if (options.key() == atoms::kNodeType) {
      if (is_wanted) information.insert(information.end(), {options.key(), atoms::kThis});
    } else {
      return call.badarg();
    }
  }
  if (!*is_meant) return Term::nil();
  const Term about = map_from_pairs(call.heap, call.names, information);
  return call.heap.cons(call.heap.tuple({atoms::kNoname, about}), Term::nil());
}

Term ports_0(Call&, const Term*) { return Term::nil(); }
// A node without a name has none.
Term creation_0(Call&, const Term*) { return atoms::kUndefined; }

// Tags of dynamic tracing, which is not there: file calls these.

Term undefined_0(Call&, const Term*) { return atoms::kUndefined; }
Term true_1(Call&, const Term*) { return atoms::kTrue; }
Term same_1(Call&, const Term* arguments) { return arguments[0]; }

// Questions about tracing: nothing is traced.

Term false_1(Call&, const Term*) { return atoms::kFalse; }
Term false_2(Call&, const Term*) { return atoms::kFalse; }

Term seq_trace_info_1(Call& call, const Term* arguments) {
  const Term item = arguments[0];
  if (!item.is_atom()) return call.badarg();
  if (item == atoms::kLabel || item == atoms::kSerial) return Term::nil();
  for (const Term flag : {atoms::kSend, atoms::kReceive, atoms::kPrint, atoms::kTimestamp,
                          atoms::kMonotonicTimestamp, atoms::kStrictMonotonicTimestamp})
    if (item == flag) return call.heap.tuple({item, atoms::kFalse});
  return call.badarg();
}

Term is_executing_dirty_1(Call& call, const Term* arguments) {
  return arguments[0].is_pid() ? atoms::kFalse : call.badarg();
}

// prim_tty:isatty(Stream), which Elixir asks when it starts: nobody sits at a terminal.
Term isatty_1(Call& call, const Term* arguments) {
  const Term stream = arguments[0];
  const bool is_stream = stream == atoms::kStdin || stream == atoms::kStdout || stream == atoms::kStderr;
  return is_stream ? atoms::kFalse : call.badarg();
}

// Coverage is counted by the emulator's machine code, and an emulator without that says so.
Term no_coverage(Call& call, const Term*) { return call.badarg(); }
Term false_0(Call&, const Term*) { return atoms::kFalse; }

// code:get_debug_info(Module): nothing is noted for a debugger.
Term get_debug_info_1(Call& call, const Term* arguments) {
  const bool is_there = arguments[0].is_atom() && call.machine.code.find_module(arguments[0]) != nullptr;
  return is_there ? atoms::kNone : call.badarg();
}

// erts_internal:system_monitor(Session): nobody monitors the system.
Term session_monitor_1(Call& call, const Term* arguments) {
  return arguments[0] == atoms::kLegacy ? atoms::kUndefined : call.badarg();
}

// Where in a byte a bitstring begins is not to be seen.
Term unaligned_bitstring_2(Call& call, const Term* arguments) {
  const Term offset = arguments[1];
  const bool is_offset = offset.is_small() && offset.small_value() > 0 && offset.small_value() < 8;
  return is_offset && is_bitstring(arguments[0]) ? arguments[0] : call.badarg();
}

constexpr auto kSystemBuiltins = std::to_array<Builtin>({
    {"code", "coverage_support", 0, Effect::kPure, false_0},
    {"code", "get_coverage", 2, Effect::kPure, no_coverage},
    {"code", "get_coverage_mode", 0, Effect::kPure, no_coverage},
    {"code", "get_coverage_mode", 1, Effect::kPure, no_coverage},
    {"code", "get_debug_info", 1, Effect::kPure, get_debug_info_1},
    {"code", "reset_coverage", 1, Effect::kPure, no_coverage},
    {"code", "set_coverage_mode", 1, Effect::kPure, no_coverage},
    {"erl_debugger", "supported", 0, Effect::kPure, false_0},
    {"erlang", "check_old_code", 1, Effect::kPure, check_old_code_1},
    {"erlang", "display", 1, Effect::kLocal, display_1},
    {"erlang", "display_nl", 0, Effect::kLocal, display_nl_0},
    {"erlang", "display_string", 1, Effect::kLocal, display_string_1},
    {"erlang", "display_string", 2, Effect::kLocal, display_string_2},
    {"erlang", "dt_append_vm_tag_data", 1, Effect::kPure, same_1},
    {"erlang", "dt_get_tag", 0, Effect::kPure, undefined_0},
    {"erlang", "dt_get_tag_data", 0, Effect::kPure, undefined_0},
    {"erlang", "dt_prepend_vm_tag_data", 1, Effect::kPure, same_1},
    {"erlang", "dt_put_tag", 1, Effect::kPure, undefined_0},
    {"erlang", "dt_restore_tag", 1, Effect::kPure, true_1},
    {"erlang", "dt_spread_tag", 1, Effect::kPure, true_1},
    {"erlang", "function_exported", 3, Effect::kPure, function_exported_3},
    {"erlang", "get_module_info", 1, Effect::kPure, get_module_info_1},
    {"erlang", "get_module_info", 2, Effect::kPure, get_module_info_2},
    {"erlang", "halt", 2, Effect::kOperation, halt_2},
    {"erlang", "module_loaded", 1, Effect::kPure, module_loaded_1},
    {"erlang", "nodes", 0, Effect::kPure, nodes_0},
    {"erlang", "nodes", 1, Effect::kPure, nodes_1},
    {"erlang", "nodes", 2, Effect::kPure, nodes_2},
    {"erlang", "ports", 0, Effect::kPure, ports_0},
    {"erlang", "pre_loaded", 0, Effect::kPure, pre_loaded_0},
    {"erlang", "seq_trace_info", 1, Effect::kPure, seq_trace_info_1},
    {"erlang", "seq_trace_print", 1, Effect::kPure, false_1},
    {"erlang", "seq_trace_print", 2, Effect::kPure, false_2},
    {"erlang", "statistics", 1, Effect::kPure, statistics_1},
    {"erlang", "system_flag", 2, Effect::kPure, system_flag_2},
    {"erlang", "system_info", 1, Effect::kLocal, system_info_1},
    {"erlang", "system_monitor", 0, Effect::kPure, undefined_0},
    {"erlang", "system_profile", 0, Effect::kPure, undefined_0},
    {"error_logger", "warning_map", 0, Effect::kPure, warning_map_0},
    {"erts_debug", "display", 1, Effect::kLocal, debug_display_1},
    {"erts_debug", "unaligned_bitstring", 2, Effect::kPure, unaligned_bitstring_2},
    {"erts_internal", "get_creation", 0, Effect::kPure, creation_0},
    {"erts_internal", "is_process_executing_dirty", 1, Effect::kPure, is_executing_dirty_1},
    {"erts_internal", "system_monitor", 1, Effect::kPure, session_monitor_1},
    {"erts_internal", "term_to_string", 2, Effect::kPure, term_to_string_2},
    {"file", "native_name_encoding", 0, Effect::kPure, native_name_encoding_0},
    {"io", "printable_range", 0, Effect::kPure, printable_range_0},
    {"net_kernel", "dflag_unicode_io", 1, Effect::kPure, dflag_unicode_io_1},
    {"os", "env", 0, Effect::kOperation, env_0},
    {"os", "getenv", 1, Effect::kOperation, getenv_1},
    {"os", "getpid", 0, Effect::kPure, getpid_0},
    {"os", "putenv", 2, Effect::kOperation, putenv_2},
    {"os", "unsetenv", 1, Effect::kOperation, unsetenv_1},
    {"prim_file", "internal_name2native", 1, Effect::kPure, internal_name2native_1},
    {"prim_file", "internal_native2name", 1, Effect::kPure, internal_native2name_1},
    {"prim_file", "internal_normalize_utf8", 1, Effect::kPure, internal_normalize_utf8_1},
    {"prim_file", "is_translatable", 1, Effect::kPure, is_translatable_1},
    {"prim_tty", "isatty", 1, Effect::kPure, isatty_1},
    {"ravel_io", "be_server", 0, Effect::kLocal, be_server_0},
    {"ravel_io", "is_device", 1, Effect::kLocal, is_device_1},
    {"ravel_io", "is_watched_device", 1, Effect::kOperation, is_watched_device_1},
    {"ravel_io", "own_leader", 1, Effect::kOperation, own_leader_1},
    {"ravel_io", "put_chars", 2, Effect::kLocal, put_chars_2},
    {"ravel_io", "tells_what_was_printed", 0, Effect::kPure, tells_what_was_printed_0},
    {"ravel_otp", "assigns_in_comprehensions", 0, Effect::kPure, assigns_in_comprehensions_0},
    {"ravel_otp", "reserves_maybe", 0, Effect::kPure, reserves_maybe_0},
});
static_assert(std::ranges::is_sorted(kSystemBuiltins, {}, &Builtin::key));

}  // namespace

std::span<const Builtin> system_builtins() { return kSystemBuiltins; }

}  // namespace ravel::erlang
