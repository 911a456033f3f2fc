#include "erlang/system/process_ends.h"

#include <algorithm>
#include <string_view>

#include "base/hash.h"
#include "erlang/system/test_runners.h"
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

bool ProcessEnds::is_normal(Term reason) const {
  if (reason == atoms::kNormal) return true;
  // ExUnit ends the processes of a test by `shutdown`, and so do supervisors.
  const auto is_shutdown = [](Term atom) { return atom == atoms::kShutdown; };
  if (roles_.has_runner() &&
      (is_shutdown(reason) || (is_tuple_of(reason, 2) && is_shutdown(element(reason, 1)))))
    return true;
  // What is linked with a process of Common Test's ends with it, by a reason that is never `normal`.
  const auto is_tagged = [&](std::uint32_t size, std::string_view tag) {
    return is_tuple_of(reason, size) && element(reason, 1).is_atom() &&
           machine_.names.atoms.text(element(reason, 1)) == tag;
  };
  if (roles_.framework().is_common_test &&
      (is_tagged(3, kCommonTestRunner) || is_tagged(2, "ravel_ct_skipped")))
    return true;
  const std::vector<std::string>& normal = properties_.normal_reasons;
  if (normal.empty()) return false;
  const auto is_listed = [&](Term atom) {
    return atom.is_atom() && std::ranges::find(normal, machine_.names.atoms.text(atom)) != normal.end();
  };
  return is_listed(reason) || (is_tuple(reason) && tuple_size(reason) > 0 && is_listed(element(reason, 1)));
}

// For EUnit a test that exits has failed, also with the reason normal.
bool ProcessEnds::ends_badly(const Process& process) const {
  // With a runner, a test that exits has failed, whatever the reason, unless the runner lets it exit because
  // it is over.
  if (roles_.has_runner() && process.ends_by_exception && roles_.runs_test(process))
    return !is_ended_by_runner(process);
  // Runners do not mind processes that are ended by others: that is how supervisors stop their children.
  const bool is_ended_by_others =
      roles_.has_runner() && !process.ends_by_exception && !roles_.runs_test(process);
  if (!ends_as_planned(process)) return !is_ended_by_others;
  return process.exit_reason == atoms::kNormal && process.ends_by_exception && roles_.runs_test(process);
}

bool ProcessEnds::is_ended_by_runner(const Process& process) const {
  const Term trace = process.exit_trace;
  const Term module =
      trace.is_cons() && is_tuple_of(trace.head(), 4) ? element(trace.head(), 1) : Term::nil();
  if (!module.is_atom() ||
      machine_.names.atoms.text(module) != (roles_.framework().is_exunit ? kExunitRunner : kCommonTestRunner))
    return false;
  return process.exit_class == ErrorClass::kExit && is_normal(process.exit_reason);
}

bool ProcessEnds::ends_as_bug(const Process& process) {
  if (process.exit_origin == Mishaps::kOrigin) return false;  // it was asked for
  if (properties_.ignores_exits || !ends_badly(process)) return false;
  if (properties_.first_process_only && !roles_.is_test_process(process)) return false;
  if (properties_.assertions_only && exit_bugs_.bug_of_exit(process).kind != "assertion") return false;
  if (properties_.crashes == Crashes::kAll || roles_.is_test_process(process) || !is_handled(process))
    return true;
  note_handled_end(process);
  return false;
}

// compile and erpc (so rpc:async_call/4, too) do their work in a process whose exit reason is the answer, and
// the process of a file that cannot be opened ends with the reason why.
bool ProcessEnds::answers_by_its_exit(const Process& process) const {
  const Term trace = process.exit_trace;
  if (process.exit_class != ErrorClass::kExit || !trace.is_cons() || !is_tuple_of(trace.head(), 4))
    return false;
  const Term module = element(trace.head(), 1);
  if (!module.is_atom()) return false;
  const std::string_view name = machine_.names.atoms.text(module);
  return name == "compile" || name == "erpc" || name == "file_io_server" || name == "ravel_code" ||
         name == "code";
}

// Processes of OTP's behaviours take `shutdown` as a request to stop and answer by ending with it; proc_lib
// reports no crash then. A supervisor kills children that are told to be killed so, or that do not stop in
// time.
bool ProcessEnds::ends_as_planned(const Process& process) const {
  const Term reason = process.exit_reason;
  if (is_normal(reason) || answers_by_its_exit(process)) return true;
  const bool is_shutdown =
      reason == atoms::kShutdown || (is_tuple_of(reason, 2) && element(reason, 1) == atoms::kShutdown);
  if (is_shutdown && !initial_call_of(machine_, process).is_none()) return true;
  if (reason != atoms::kKilled && !is_shutdown) return false;
  const Process* by = process.exit_origin.is_pid() ? machine_.processes.find(process.exit_origin) : nullptr;
  const Term call = by == nullptr ? Term::none() : initial_call_of(machine_, *by);
  return is_tuple_of(call, 3) && element(call, 1).is_atom() &&
         machine_.names.atoms.text(element(call, 1)).starts_with("supervisor");
}

// What proc_lib starts ends by exit({Reason, StackTrace}) after an error, with the trace of that.
bool ProcessEnds::is_uncaught_error(const Process& process) const {
  if (!process.ends_by_exception) return false;
  if (process.exit_class != ErrorClass::kExit) return true;
  const Term reason = process.exit_reason;
  return is_tuple_of(reason, 2) && element(reason, 2).is_cons() &&
         equal_exactly(element(reason, 2), process.exit_trace);
}

bool ProcessEnds::is_handled(const Process& process) {
  const bool is_ended_by_others = !process.exit_origin.is_none() && process.exit_origin != process.pid;
  if (is_ended_by_others) return true;
  return !is_uncaught_error(process) && is_heard_of(process);
}

bool ProcessEnds::is_heard_of(const Process& process) {
  bool is_heard = has_failed_to_start(machine_.names.atoms, process.exit_trace);
  const auto reads = [&](ObjectClass object, std::uint64_t payload) {
    touches_.push_back({.object = object_id(object, payload),
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
      const Process* const partner = machine_.processes.find_even_ended(other);
      if (partner == nullptr || std::ranges::find(ended, partner) != ended.end()) continue;
      reads(ObjectClass::kLinks, link_payload(ended[i]->pid, other));
      reads(ObjectClass::kFlags, other.pid_name());
      reads(ObjectClass::kLife, other.pid_name());
      if (partner->attributes.trap_exit) {
        is_heard = true;
      } else if (machine_.processes.find_alive(other) == nullptr) {
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

void ProcessEnds::note_handled_end(const Process& process) {
  if (failures_.exist()) return;  // the end may well be a consequence
  ++handled_in_execution_;
  handled_.most = std::max<std::uint64_t>(handled_.most, handled_in_execution_);
  const Names& names = machine_.names;
  const bool is_own = process.exit_origin.is_none();
  std::uint64_t key = combine(portable_hash_2(names, process.exit_reason),
                              is_own ? portable_hash_2(names, process.exit_trace) : 1);
  const Term call = process.attributes.initial_call;
  if (!is_own) key = combine(key, portable_hash_2(names, call));
  const auto [known, is_new] = known_handled_.try_emplace(key, handled_.kinds.size());
  if (!is_new) return;
  const Bug bug = exit_bugs_.bug_of_exit(process);
  Remark remark{.text = is_own ? bug.message : bug.message + " in " + texts_.function_of(process),
                .file = bug.file,
                .line = bug.line};
  if (std::ranges::find(handled_.kinds, remark) == handled_.kinds.end())
    handled_.kinds.push_back(std::move(remark));
}

}  // namespace ravel::erlang
