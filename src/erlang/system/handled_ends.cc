// Abnormal ends that are no bugs, because somebody expects them: Properties::crashes.
//
// An uncaught error is a bug wherever it happens. A process that an exit signal ends, whether another process
// sent that on purpose or was linked with it, is handled: what counts is how the first of them ended. A
// process that exits by itself is handled if somebody hears of it: a monitor's 'DOWN' message, or an exit
// signal that a process which traps exits gets, be it by way of others that are linked and do not; and if
// such a process was linked with it and has ended before; or whoever starts it, where a behaviour's init/1
// ends. If it reaches a process that runs the test, which does not trap exits, that is no handling.

#include <algorithm>

#include "base/hash.h"
#include "erlang/system/erlang_system.h"
#include "erlang/term/compare.h"
#include "erlang/term/hash_functions.h"

namespace ravel::erlang {

namespace {

// A behaviour whose init/1 stops or exits tells who starts it before it ends (proc_lib:init_ack, init_fail).
bool has_failed_to_start(const AtomTable& atoms, Term trace) {
  for (; trace.is_cons(); trace = trace.tail()) {
    const Term call = trace.head();
    if (!is_tuple_of(call, 4) || !element(call, 1).is_atom() || !element(call, 2).is_atom()) continue;
    const std::string_view module = atoms.text(element(call, 1)), function = atoms.text(element(call, 2));
    if (module == "proc_lib" && function == "init_fail") return true;
    if (function == "init_it" && (module == "gen_server" || module == "gen_statem")) return true;
  }
  return false;
}

}  // namespace

// What proc_lib starts ends by exit({Reason, StackTrace}) after an error, with the trace of that.
bool ErlangSystem::is_uncaught_error(const Process& process) const {
  if (!process.ends_by_exception) return false;
  if (process.exit_class != ErrorClass::kExit) return true;
  const Term reason = process.exit_reason;
  return is_tuple_of(reason, 2) && element(reason, 2).is_cons() &&
         equal_exactly(element(reason, 2), process.exit_trace);
}

bool ErlangSystem::is_handled(const Process& process) {
  const bool is_ended_by_others = !process.exit_origin.is_none() && process.exit_origin != process.pid;
  if (is_ended_by_others) return true;
  return !is_uncaught_error(process) && is_heard_of(process);
}

bool ErlangSystem::is_heard_of(const Process& process) {
  bool is_heard = has_failed_to_start(machine_->names.atoms, process.exit_trace);
  const auto reads = [&](ObjectClass object, std::uint64_t payload) {
    judged_by_.push_back({.object = object_id(object, payload),
                          .access = Access::kRead,
                          .decides = true,
                          .is_coarse = false,
                          .message = 0});
  };
  std::vector<const Process*> ended = {&process};
  for (std::size_t i = 0; i < ended.size(); ++i) {
    for (const Watcher& watcher : ended[i]->attributes.watchers) {
      reads(ObjectClass::kWatch, watcher.reference.reference_payload());
      is_heard |= watcher.taken_back == TakenBack::kNo;
    }
    // The partner would have heard of the end, had it not ended before: the test is over, or somebody has
    // stopped.
    for (const FormerLink& link : ended[i]->attributes.former_links) {
      if (link.how != FormerLink::Gone::kEndedTrapping) continue;
      reads(ObjectClass::kLinks, link_payload(ended[i]->pid, link.pid));
      reads(ObjectClass::kLife, link.pid.pid_name());
      is_heard = true;
    }
    for (const Term other : ended[i]->attributes.links) {
      if (other == Names::device_pid()) continue;
      // Partners that have ended, and have not told this process yet, count as well.
      const Process* const partner = machine_->processes.find_even_ended(other);
      if (partner == nullptr || std::ranges::find(ended, partner) != ended.end()) continue;
      reads(ObjectClass::kLinks, link_payload(ended[i]->pid, other));
      reads(ObjectClass::kFlags, other.pid_name());
      reads(ObjectClass::kLife, other.pid_name());
      if (partner->attributes.trap_exit) {
        is_heard = true;
      } else if (machine_->processes.find_alive(other) == nullptr) {
        continue;
      } else if (roles_.is_test_process(*partner)) {
        return false;
      } else {
        ended.push_back(partner);
      }
    }
  }
  return is_heard;
}

void ErlangSystem::note_handled_end(const Process& process) {
  if (progress_.failures > 0) return;  // the end may well be a consequence
  ++progress_.handled_ends;
  handled_ends_.most = std::max<std::uint64_t>(handled_ends_.most, progress_.handled_ends);
  const Names& names = machine_->names;
  const bool is_own = process.exit_origin.is_none();
  std::uint64_t key = combine(portable_hash_2(names, process.exit_reason),
                              is_own ? portable_hash_2(names, process.exit_trace) : 1);
  const Term call = process.attributes.initial_call;
  if (!is_own) key = combine(key, portable_hash_2(names, call));
  const auto [known, is_new] = known_handled_ends_.try_emplace(key, handled_ends_.kinds.size());
  if (!is_new) return;
  const Bug bug = exit_bugs_.bug_of_exit(process);
  Remark remark{.text = is_own ? bug.message : bug.message + " in " + texts_.function_of(process),
                .file = bug.file,
                .line = bug.line};
  if (std::ranges::find(handled_ends_.kinds, remark) == handled_ends_.kinds.end())
    handled_ends_.kinds.push_back(std::move(remark));
}

}  // namespace ravel::erlang
