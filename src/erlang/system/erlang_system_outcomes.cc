// How an execution has ended: which exits are bugs, who waits for ever, what the machine could not do.

#include <algorithm>

#include "erlang/bif/native_code.h"
#include "erlang/system/erlang_system.h"
#include "erlang/system/test_runners.h"
#include "erlang/term/map.h"

namespace ravel::erlang {

void ErlangSystem::look() {
  if (machine_->faults.current().kind != MachineFault::Kind::kNone) return note_fault();
  enabled_.list();
  waiting_.begin_judging();
  if (!enabled_.all().empty()) {
    outcome_ = Outcome::kRunning;
  } else if (failures_.exist()) {
    outcome_ = Outcome::kBug;  // what others wait for now may well be a consequence
    bug_ = failures_.first();
  } else if (std::ranges::all_of(machine_->active_processes(),
                                 [this](const Process* p) { return roles_.is_of_system(*p); })) {
    outcome_ = Outcome::kFinished;
  } else if (roles_.has_runner() && roles_.has_test_ended()) {
    outcome_ = Outcome::kFinished;  // with a runner, what a test has left behind may wait until the end
    if (options_.properties.leftovers == Leftovers::kLeft) waiting_.note_left_behind(waiting_.stuck());
  } else if (options_.machine.time == TimePolicy::kIdle && roles_.has_test_ended() &&
             enabled_.does_somebody_wait_for_time()) {
    outcome_ = Outcome::kFinished;  // the process would go on some day
    if (options_.properties.leftovers == Leftovers::kLeft) waiting_.note_left_behind(waiting_.stuck());
  } else if (options_.properties.ignores_deadlocks) {
    outcome_ = Outcome::kFinished;
  } else if (options_.properties.first_process_only && roles_.has_test_ended()) {
    outcome_ = Outcome::kFinished;
  } else {
    const std::vector<Process*> stuck = waiting_.stuck();
    const bool is_deadlock = waiting_.is_deadlock(stuck);
    if (is_deadlock) bug_ = waiting_.bug_of_deadlock(waiting_.part_of_deadlock(stuck));
    if (!is_deadlock && !is_judged_by_execution()) waiting_.note_left_behind(stuck);
    outcome_ = is_deadlock ? Outcome::kBug : Outcome::kFinished;
  }
}

// The initial call, for a process that is in nobody's code but Erlang/OTP's, because the user's has called it
// last.
std::string ErlangSystem::started_with(const Process& process) const {
  const Term own = initial_call_of(*machine_, process);
  const Term call = is_tuple_of(own, 3) ? own : process.attributes.initial_call;
  const bool is_users = is_tuple_of(call, 3) && element(call, 1).is_atom() &&
                        program_.find(machine_->names.atoms.text(element(call, 1))) != nullptr;
  const std::string began = is_users ? texts_.text_of_call(call) : "";
  return began.empty() ? "" : " in a process that began with " + began;
}

namespace {

// Tells whose native code is missing: where the function was called says so, because it may have called
// nif_error last.
std::string missing_native_code(const Machine& machine, std::span<const CodeWord* const> places) {
  std::string module;
  for (const CodeWord* const place : places) {
    const CodePlace found = machine.code.describe_place(place);
    if (found.module == nullptr) continue;
    const Export* const called = machine.code.call_at(place);
    const bool is_of_other = called != nullptr && machine.names.atoms.text(called->module) != "erlang";
    module = machine.names.atoms.text(is_of_other ? called->module : found.module->name);
    break;
  }
  return std::string(kNeedsNativeCode) + (module.empty() ? "" : " of the module " + module) +
         ", which no schedule can control: replace its module by one in Erlang (--stub " +
         (module.empty() ? "MODULE" : module) + "=OTHER)";
}

}  // namespace

void ErlangSystem::note_fault() {
  enabled_.clear();
  const MachineFault& fault = machine_->faults.current();
  // A library's place says little: the user's own code that called it is better, else the code of a library
  // that is not Erlang/OTP's.
  std::vector<const CodeWord*> places;
  if (fault.place != nullptr) places.push_back(fault.place);
  const Process* const process = fault.process.is_pid() ? machine_->processes.find(fault.process) : nullptr;
  if (process != nullptr)
    for (const CodeWord* place : machine_->traces.places_of(*process)) places.push_back(place);
  const auto first_place = [&](auto is_wanted) {
    return std::ranges::find_if(places, [&](const CodeWord* place) {
      const CodePlace found = machine_->code.describe_place(place);
      return found.module != nullptr && found.line != 0 && is_wanted(*found.module);
    });
  };
  const auto users = first_place([&](const Module& module) {
    return program_.find(machine_->names.atoms.text(module.name)) != nullptr;
  });
  const std::string otp = program_.root_folder();
  const auto libraries = first_place(
      [&](const Module& module) { return module.path.starts_with('/') && !module.path.starts_with(otp); });
  const auto known = users != places.end() ? users : libraries;
  EventDescription where;
  if (!places.empty())
    places_.describe_where(known == places.end() ? places.front() : *known, where,
                           SourcePlaces::Place::kOther);
  switch (fault.kind) {
    case MachineFault::Kind::kUnsupported: {
      outcome_ = Outcome::kUnsupported;
      // What is called at that place, as it is written there; else the outermost function above it that is
      // not ours.
      std::string called;
      const Export* const call = known == places.end() ? nullptr : machine_->code.call_at(*known);
      const Term began = process == nullptr ? Term::none() : initial_call_of(*machine_, *process);
      if (known == places.end() && is_tuple_of(began, 3)) {
        called = texts_.text_of_call(began);
      } else if (call != nullptr) {
        called = texts_.text_of_function(call->module, call->function, call->arity);
      } else {
        for (auto place = places.begin(); place != known; ++place) {
          const CodePlace found = machine_->code.describe_place(*place);
          if (found.module != nullptr &&
              !machine_->names.atoms.text(found.module->name).starts_with("ravel_"))
            called = texts_.text_of_function(found.module->name, found.function, found.arity);
        }
      }
      std::string from;
      if (users == places.end() && known != places.end()) {
        const CodePlace found = machine_->code.describe_place(*known);
        from = " in " + texts_.text_of_function(found.module->name, found.function, found.arity);
      } else if (users == places.end() && process != nullptr) {
        from = started_with(*process);
      }
      // erlang:nif_error/1 does not know which function has called it; nor does the reader in a process of a
      // library.
      std::string message =
          fault.message == kNeedsNativeCode ? missing_native_code(*machine_, places) : fault.message;
      constexpr std::string_view kUnknown = "this function ";
      if (message.starts_with(kUnknown) && fault.place != nullptr && known == places.end()) {
        const CodePlace found = machine_->code.describe_place(fault.place);
        if (found.module != nullptr)
          message.replace(0, kUnknown.size() - 1,
                          texts_.text_of_function(found.module->name, found.function, found.arity));
      }
      const bool is_named = called.empty() || (from.empty() && message.starts_with(called + " "));
      refusal_ = {.message = is_named ? message + from : called + from + ": " + message,
                  .file = where.file,
                  .line = where.line};
      return;
    }
    case MachineFault::Kind::kNoProgress:
      outcome_ = Outcome::kBug;
      bug_ = {.kind = "no_progress",
              .message = "a process never reaches its next operation: it made " +
                         std::to_string(options_.machine.reductions_per_step_max) +
                         " calls after the last one and still runs",
              .file = where.file,
              .line = where.line,
              .actor = machine_->names.pid_text(fault.process),
              .details = {}};
      return;
    case MachineFault::Kind::kOutOfMemory:
      outcome_ = Outcome::kBug;
      bug_ = {.kind = "out_of_memory",
              .message = "a process takes more memory than a program may have",
              .file = where.file,
              .line = where.line,
              .actor = machine_->names.pid_text(fault.process),
              .details = {"more than " + std::to_string(machine_->heap.words_max() * sizeof(Term) >> 20) +
                          " MB are live, since the operation before: a sixteenth of this machine's memory, "
                          "or less with a limit (ulimit -v)"}};
      return;
    case MachineFault::Kind::kHalted: {
      const Term status = fault.halt_status;
      const std::string text = texts_.text_of(status);
      const Properties& properties = options_.properties;
      const bool is_listed =
          std::ranges::find(properties.normal_reasons, text) != properties.normal_reasons.end();
      if (status == Term::small(0) || is_listed || properties.ignores_halts) {
        const bool has_failed = failures_.exist();  // before, which is a bug all the same
        if (has_failed) bug_ = failures_.first();
        outcome_ = has_failed ? Outcome::kBug : Outcome::kFinished;
        return;
      }
      outcome_ = Outcome::kBug;
      bug_ = {.kind = "abnormal_halt",
              .message = "the program halts with status " + text,
              .file = where.file,
              .line = where.line,
              .actor = machine_->names.pid_text(fault.process),
              .details = {}};
      return;
    }
    case MachineFault::Kind::kNone: CHECK(false);
  }
}

std::vector<WaitingActor> ErlangSystem::waiting() {
  std::vector<WaitingActor> waiting;
  for (const Process* process : waiting_.stuck())
    if (process->rest == Rest::kWaiting || process->rest == Rest::kTimeout)
      waiting.push_back({.actor = actors_.actor_of(process->pid), .lines = waiting_.lines_of(*process)});
  return waiting;
}

}  // namespace ravel::erlang
