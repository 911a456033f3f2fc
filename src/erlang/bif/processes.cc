// The process family: messages, names, and what asks about processes; and the table of the whole family.
#include "erlang/term/compare.h"

#include <algorithm>
#include <array>

#include "erlang/bif/builtins.h"
#include "erlang/bif/process_family.h"
#include "erlang/bif/shown_names.h"
#include "erlang/term/release.h"

namespace ravel::erlang {

std::optional<std::vector<Term>> proper_list(Term list) {
  std::vector<Term> elements;
  for (; list.is_cons(); list = list.tail()) elements.push_back(list.head());
  if (!list.is_nil()) return std::nullopt;
  return elements;
}

namespace {

using atoms::boolean;

// Messages.

Term send_2(Call& call, const Term* arguments) {
  return call.machine.signals.send(call.self(), arguments[0], arguments[1]) ? arguments[1] : call.badarg();
}

// Nothing here ever suspends or has to connect, so those options are only checked.
Term send_3(Call& call, const Term* arguments) {
  Term rest = arguments[2];
  Urgency urgency = Urgency::kOrdinary;
  for (; rest.is_cons(); rest = rest.tail()) {
    if (rest.head() == atoms::kPriority && installed_release().has_priority_messages) {
      urgency = Urgency::kPriority;
    } else if (rest.head() != atoms::kNosuspend && rest.head() != atoms::kNoconnect) {
      return call.fail(atoms::kBadarg, atoms::kBadopt);
    }
  }
  if (!rest.is_nil()) return call.fail(atoms::kBadarg, atoms::kBadopt);
  return call.machine.signals.send(call.self(), arguments[0], arguments[1], urgency) ? atoms::kOk
                                                                                     : call.badarg();
}

// Names.

Term register_2(Call& call, const Term* arguments) {
  const Term name = arguments[0];
  const Term pid = arguments[1];
  if (!name.is_atom() || name == atoms::kUndefined) return call.fail(atoms::kBadarg, atoms::kNone);
  if (pid.is_port()) return refuse(call, "erlang:register/2", kPorts);
  if (!pid.is_pid()) return call.fail(atoms::kBadarg, atoms::kNone);
  if (call.machine.registry.register_name(name, pid)) return atoms::kTrue;
  const Process* process = call.machine.processes.find_alive(pid);
  if (process == nullptr && pid != call.names.device_pid())
    return call.fail(atoms::kBadarg, call.atom("notalive"));
  const bool has_name = process == nullptr || !process->attributes.registered_name.is_none();
  return call.fail(atoms::kBadarg, has_name ? atoms::kRegisteredName : atoms::kNone);
}

Term unregister_1(Call& call, const Term* arguments) {
  if (!arguments[0].is_atom()) return call.badarg();
  return call.machine.registry.unregister_name(arguments[0]) ? atoms::kTrue : call.badarg();
}

Term whereis_1(Call& call, const Term* arguments) {
  if (!arguments[0].is_atom()) return call.badarg();
  const Term pid = call.machine.registry.named_process(arguments[0], /*decides=*/false);
  return pid.is_none() ? atoms::kUndefined : pid;
}

// In the order of the names.
Term registered_0(Call& call, const Term*) {
  call.machine.record.note_access(ObjectClass::kProcessTable, kAllNames, access::kRead);
  std::vector<Term> found;
  for (const Term name : {atoms::kStandardError, atoms::kUser})
    if (call.machine.registry.whereis(name) == call.names.device_pid()) found.push_back(name);
  for (const auto& [name, pid] : call.machine.registry.entries())
    if (pid != atoms::kUndefined) found.push_back(name);
  std::ranges::sort(found, [&](Term a, Term b) { return call.names.atoms.compare(a, b) < 0; });
  return call.heap.list(found);
}

// The processes that there are.

Term self_0(Call& call, const Term*) { return call.self().pid; }

Term make_ref_0(Call& call, const Term*) { return call.machine.signals.make_reference(call.self()); }

Term processes_0(Call& call, const Term*) {
  call.machine.processes.note_listed();
  call.machine.record.note_access(ObjectClass::kProcessTable, kAllProcesses, access::kRead);
  std::vector<Term> pids;
  for (const Process* process : call.machine.processes.all())
    if (process->rest != Rest::kEnded) pids.push_back(process->pid);
  if (!may_show(call, pids, NameUse::kOrder)) return Term::none();
  return call.heap.list(pids);
}

// A part of erlang:processes_next/1: the processes from a place in the table on, {NextPlace, Pids}. Here all
// of them are one look.
Term processes_next_1(Call& call, const Term* arguments) {
  if (!arguments[0].is_small()) return call.badarg();
  if (arguments[0] != Term::small(0)) return atoms::kNone;
  const Term pids = processes_0(call, arguments);
  return pids.is_none() ? pids : call.heap.tuple({Term::small(1), pids});
}

// A process that asks about itself is alive, so that EUnit's ?assert, which does so, is no operation.
Term is_process_alive_1(Call& call, const Term* arguments) {
  if (!arguments[0].is_pid()) return call.badarg();
  if (arguments[0] == call.self().pid) return atoms::kTrue;
  return call.call_instead(call.atom("ravel_otp"), call.atom("is_process_alive"), {arguments[0]});
}

// What erlang:system_info/1 does for process_count and ets_count.
Term system_count_1(Call& call, const Term* arguments) {
  if (arguments[0] == atoms::kProcessCount) {
    call.machine.processes.note_listed();
    call.machine.record.note_access(ObjectClass::kProcessTable, kAllProcesses, access::kRead);
    const auto has_not_ended = [](const Process* process) { return process->rest != Rest::kEnded; };
    return Term::small(
        static_cast<std::int64_t>(std::ranges::count_if(call.machine.processes.all(), has_not_ended)));
  }
  call.machine.record.note_access(ObjectClass::kAllTables, 0, access::kRead);
  return Term::small(static_cast<std::int64_t>(call.machine.tables.all().size()));
}

// What is_process_alive/1 does for another process.
Term is_other_alive_1(Call& call, const Term* arguments) {
  call.machine.record.note_plain_access(ObjectClass::kLife, arguments[0].pid_name(), access::kRead);
  return boolean(call.machine.processes.is_alive(arguments[0]));
}

// Answers by a message.
Term is_process_alive_2(Call& call, const Term* arguments) {
  if (!arguments[0].is_pid() || !arguments[1].is_reference()) return call.badarg();
  const Term answer = is_other_alive_1(call, arguments);
  call.machine.signals.deliver(call.self().pid, call.heap.tuple({arguments[1], answer}), arguments[0]);
  return atoms::kOk;
}

Term is_system_process_1(Call& call, const Term* arguments) {
  if (!arguments[0].is_pid()) return call.badarg();
  return boolean(arguments[0] == call.names.device_pid());
}

// Group leaders. Reading one's own is local as long as no execution has shown that another process changes
// it: otherwise each line that is printed would be a scheduling point.

Term group_leader_0(Call& call, const Term*) {
  if (call.machine.run_time_code.are_devices_watched())
    return call.call_instead(call.atom("ravel_io"), call.atom("own_leader"), {call.self().pid});
  return call.self().attributes.group_leader;
}

bool set_group_leader(Call& call, Term leader, Term target) {
  if (!target.is_pid()) return false;
  if (target != call.self().pid) {
    call.machine.record.note_plain_access(ObjectClass::kLife, target.pid_name(), access::kRead);
    // The target's local code reads its leader, also code that a message makes run.
    call.machine.record.note_plain_access(ObjectClass::kRun, target.pid_name(), access::kWrite);
    call.machine.record.note_plain_access(ObjectClass::kMailbox, target.pid_name(), access::kRead);
    call.machine.run_time_code.note_device_change();
  }
  call.machine.record.note_plain_access(ObjectClass::kLeader, target.pid_name(), access::kWrite);
  Process* process = call.machine.processes.find_alive(target);
  if (process == nullptr) return target == call.names.device_pid();
  process->change_attributes().group_leader = leader;
  return true;
}

Term group_leader_2(Call& call, const Term* arguments) {
  if (is_foreign(arguments[1], atoms::kPid)) return refuse(call, "erlang:group_leader/2", kOtherNodes);
  if (!arguments[0].is_pid() && !is_foreign(arguments[0], atoms::kPid)) return atoms::kBadarg;
  return set_group_leader(call, arguments[0], arguments[1]) ? atoms::kTrue : atoms::kBadarg;
}

// Answers by a message.
Term group_leader_3(Call& call, const Term* arguments) {
  if (!arguments[0].is_pid() || !arguments[1].is_pid() || !arguments[2].is_reference()) return call.badarg();
  const Term result = set_group_leader(call, arguments[0], arguments[1]) ? atoms::kTrue : atoms::kBadarg;
  call.machine.signals.deliver(call.self().pid, call.heap.tuple({arguments[2], result}), arguments[1]);
  return atoms::kOk;
}

// What the emulator does to a process on request. There is nothing to do here, but the answer must come.

Term garbage_collect_1(Call& call, const Term* arguments) {
  if (arguments[0] != atoms::kMajor && arguments[0] != atoms::kMinor) return call.badarg();
  return atoms::kTrue;
}

bool runs_old_code(Call& call, Term pid, Term module) {
  if (!call.machine.run_time_code.has_changed_code(module)) return false;
  call.machine.run_time_code.note_old_code(module, access::kWrite);
  const Module* const old = call.machine.run_time_code.code_slots(module).old;
  const Process* const process = call.machine.processes.find_alive(pid);
  return old != nullptr && process != nullptr && call.machine.run_time_code.runs_in(*process, *old);
}

Term check_process_code_1(Call& call, const Term* arguments) {
  if (!arguments[0].is_atom()) return call.badarg();
  call.machine.run_time_code.note_code(arguments[0], access::kRead);
  return boolean(runs_old_code(call, call.self().pid, arguments[0]));
}

bool is_priority(Term t) {
  return t == atoms::kMax || t == atoms::kHigh || t == atoms::kNormal || t == atoms::kLow ||
         t == atoms::kInherit;
}

Term request_task(Call& call, Term requester, Term target, Term priority, Term operation) {
  if (!target.is_pid() || !is_priority(priority) || !is_tuple(operation) || tuple_size(operation) < 2)
    return call.badarg();
  const Term kind = element(operation, 1);
  if (kind != atoms::kGarbageCollect && kind != call.atom("check_process_code")) return call.badarg();
  const Term how = tuple_size(operation) > 2 ? element(operation, 3) : Term::none();
  const bool is_known =
      kind == atoms::kGarbageCollect ? how == atoms::kMajor || how == atoms::kMinor : how.is_atom();
  if (how.is_none() || !is_known) return call.badarg();
  call.machine.record.note_plain_access(ObjectClass::kLife, target.pid_name(), access::kRead);
  bool is_done = kind == atoms::kGarbageCollect && call.machine.processes.is_alive(target);
  if (kind != atoms::kGarbageCollect) {
    call.machine.run_time_code.note_code(how, access::kRead);
    is_done = runs_old_code(call, target, how);
  }
  const Term reply = call.heap.tuple({kind, element(operation, 2), boolean(is_done)});
  if (requester.is_pid()) call.machine.signals.deliver(requester, reply, target);
  return atoms::kOk;
}

Term request_system_task_3(Call& call, const Term* arguments) {
  return request_task(call, call.self().pid, arguments[0], arguments[1], arguments[2]);
}

Term request_system_task_4(Call& call, const Term* arguments) {
  return request_task(call, arguments[0], arguments[1], arguments[2], arguments[3]);
}

Term yield_0(Call&, const Term*) { return atoms::kTrue; }

Term bump_reductions_1(Call& call, const Term* arguments) {
  return arguments[0].is_small() && arguments[0].small_value() >= 0 ? atoms::kTrue : call.badarg();
}

constexpr auto kProcessBuiltins = std::to_array<Builtin>({
    {"erlang", "!", 2, Effect::kOperation, send_2},
    {"erlang", "alias", 1, Effect::kLocal, alias_1},
    {"erlang", "bump_reductions", 1, Effect::kPure, bump_reductions_1},
    {"erlang", "demonitor", 1, Effect::kOperation, demonitor_1},
    {"erlang", "demonitor", 2, Effect::kOperation, demonitor_2},
    {"erlang", "erase", 0, Effect::kLocal, erase_0},
    {"erlang", "erase", 1, Effect::kLocal, erase_1},
    {"erlang", "exit", 2, Effect::kOperation, exit_2},
    {"erlang", "exit", 3, Effect::kOperation, exit_3},
    {"erlang", "exit_signal", 2, Effect::kOperation, exit_signal_2},
    {"erlang", "exit_signal", 3, Effect::kOperation, exit_signal_3},
    {"erlang", "get", 0, Effect::kLocal, get_0},
    {"erlang", "get", 1, Effect::kLocal, get_1},
    {"erlang", "get_keys", 0, Effect::kLocal, get_keys_0},
    {"erlang", "get_keys", 1, Effect::kLocal, get_keys_1},
    {"erlang", "group_leader", 0, Effect::kLocal, group_leader_0},
    {"erlang", "is_process_alive", 1, Effect::kLocal, is_process_alive_1},
    {"erlang", "link", 1, Effect::kOperation, link_1},
    {"erlang", "link", 2, Effect::kOperation, link_2},
    {"erlang", "make_ref", 0, Effect::kLocal, make_ref_0},
    {"erlang", "monitor", 2, Effect::kOperation, monitor_2},
    {"erlang", "monitor", 3, Effect::kOperation, monitor_3},
    {"erlang", "process_flag", 2, Effect::kOperation, process_flag_2},
    {"erlang", "process_info", 1, Effect::kOperation, process_info_1},
    {"erlang", "process_info", 2, Effect::kOperation, process_info_2},
    {"erlang", "processes", 0, Effect::kOperation, processes_0},
    {"erlang", "put", 2, Effect::kLocal, put_2},
    {"erlang", "register", 2, Effect::kOperation, register_2},
    {"erlang", "registered", 0, Effect::kOperation, registered_0},
    {"erlang", "self", 0, Effect::kLocal, self_0},
    {"erlang", "send", 2, Effect::kOperation, send_2},
    {"erlang", "send", 3, Effect::kOperation, send_3},
    {"erlang", "spawn", 3, Effect::kOperation, spawn_3},
    {"erlang", "spawn_link", 3, Effect::kOperation, spawn_link_3},
    {"erlang", "spawn_opt", 4, Effect::kOperation, spawn_opt_4},
    {"erlang", "spawn_request_abandon", 1, Effect::kOperation, spawn_request_abandon_1},
    {"erlang", "unalias", 1, Effect::kOperation, unalias_1},
    {"erlang", "unlink", 1, Effect::kOperation, unlink_1},
    {"erlang", "unregister", 1, Effect::kOperation, unregister_1},
    {"erlang", "whereis", 1, Effect::kOperation, whereis_1},
    {"erlang", "yield", 0, Effect::kOperation, yield_0},
    {"erts_internal", "check_process_code", 1, Effect::kOperation, check_process_code_1},
    {"erts_internal", "garbage_collect", 1, Effect::kPure, garbage_collect_1},
    {"erts_internal", "group_leader", 2, Effect::kOperation, group_leader_2},
    {"erts_internal", "group_leader", 3, Effect::kOperation, group_leader_3},
    {"erts_internal", "is_process_alive", 2, Effect::kOperation, is_process_alive_2},
    {"erts_internal", "is_system_process", 1, Effect::kPure, is_system_process_1},
    {"erts_internal", "process_flag", 3, Effect::kOperation, process_flag_3},
    {"erts_internal", "processes_next", 1, Effect::kOperation, processes_next_1},
    {"erts_internal", "request_system_task", 3, Effect::kOperation, request_system_task_3},
    {"erts_internal", "request_system_task", 4, Effect::kOperation, request_system_task_4},
    {"erts_internal", "spawn_request", 4, Effect::kOperation, spawn_request_4},
    {"ravel_otp", "is_process_alive", 1, Effect::kOperation, is_other_alive_1},
    {"ravel_otp", "system_count", 1, Effect::kOperation, system_count_1},
});
static_assert(std::ranges::is_sorted(kProcessBuiltins, {}, &Builtin::key));

}  // namespace

std::span<const Builtin> process_builtins() { return kProcessBuiltins; }

}  // namespace ravel::erlang
