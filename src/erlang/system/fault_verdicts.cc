#include "erlang/system/fault_verdicts.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/check.h"
#include "erlang/bif/native_code.h"

namespace ravel::erlang {

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

FaultVerdicts::Place FaultVerdicts::place_of(const MachineFault& fault) const {
  // A library's place says little: the user's own code that called it is better, else the code of a library
  // that is not Erlang/OTP's.
  Place at;
  std::vector<const CodeWord*>& places = at.all;
  if (fault.place != nullptr) places.push_back(fault.place);
  at.process = fault.process.is_pid() ? machine_.processes.find(fault.process) : nullptr;
  if (at.process != nullptr)
    for (const CodeWord* place : machine_.traces.places_of(*at.process)) places.push_back(place);
  const auto first_place = [&](auto is_wanted) {
    return std::ranges::find_if(places, [&](const CodeWord* place) {
      const CodePlace found = machine_.code.describe_place(place);
      return found.module != nullptr && found.line != 0 && is_wanted(*found.module);
    });
  };
  at.users = first_place(
      [&](const Module& module) { return program_.find(machine_.names.atoms.text(module.name)) != nullptr; });
  const std::string otp = program_.root_folder();
  const auto libraries = first_place(
      [&](const Module& module) { return module.path.starts_with('/') && !module.path.starts_with(otp); });
  at.known = at.users != places.end() ? at.users : libraries;
  if (!places.empty())
    places_.describe_where(at.known == places.end() ? places.front() : *at.known, at.where,
                           SourcePlaces::Place::kOther);
  return at;
}

ExecutionVerdict FaultVerdicts::of_current() const {
  const MachineFault& fault = machine_.faults.current();
  const Place at = place_of(fault);
  Bug bug{.kind = {},
          .message = {},
          .file = at.where.file,
          .line = at.where.line,
          .actor = fault.process.is_pid() ? machine_.names.pid_text(fault.process) : std::string(),
          .details = {}};
  switch (fault.kind) {
    case MachineFault::Kind::kUnsupported:
      return {.outcome = Outcome::kUnsupported, .bug = {}, .refusal = refusal_of(fault, at)};
    case MachineFault::Kind::kNoProgress:
      bug.kind = "no_progress";
      bug.message = "a process never reaches its next operation: it made " +
                    std::to_string(machine_.options.reductions_per_step_max) +
                    " calls after the last one and still runs";
      break;
    case MachineFault::Kind::kOutOfMemory:
      bug.kind = "out_of_memory";
      bug.message = "a process takes more memory than a program may have";
      bug.details = {"more than " + std::to_string(machine_.heap.words_max() * sizeof(Term) >> 20) +
                     " MB are live, since the operation before: a sixteenth of this machine's memory, "
                     "or less with a limit (ulimit -v)"};
      break;
    case MachineFault::Kind::kHalted: {
      const Term status = fault.halt_status;
      const std::string text = texts_.text_of(status);
      const std::vector<std::string>& normal = properties_.normal_reasons;
      const bool is_listed = std::ranges::find(normal, text) != normal.end();
      if (status == Term::small(0) || is_listed || properties_.ignores_halts) {
        // A failure before is a bug all the same.
        if (!failures_.exist()) return {.outcome = Outcome::kFinished, .bug = {}, .refusal = {}};
        return {.outcome = Outcome::kBug, .bug = failures_.first(), .refusal = {}};
      }
      bug.kind = "abnormal_halt";
      bug.message = "the program halts with status " + text;
      break;
    }
    case MachineFault::Kind::kNone: CHECK(false);
  }
  return {.outcome = Outcome::kBug, .bug = std::move(bug), .refusal = {}};
}

// What is called at that place, as it is written there; else the outermost function above it that is not
// ours.
std::string FaultVerdicts::called_at(const Place& at) const {
  const std::vector<const CodeWord*>& all = at.all;
  const bool is_known = at.known != all.end();
  if (const Export* const call = is_known ? machine_.code.call_at(*at.known) : nullptr; call != nullptr)
    return texts_.text_of_function(call->module, call->function, call->arity);
  const Term began =
      at.process == nullptr || is_known ? Term::none() : initial_call_of(machine_, *at.process);
  if (is_tuple_of(began, 3)) return texts_.text_of_call(began);
  std::string called;
  for (auto place = all.begin(); place != at.known; ++place) {
    const CodePlace found = machine_.code.describe_place(*place);
    if (found.module != nullptr && !machine_.names.atoms.text(found.module->name).starts_with("ravel_"))
      called = texts_.text_of_function(found.module->name, found.function, found.arity);
  }
  return called;
}

Refusal FaultVerdicts::refusal_of(const MachineFault& fault, const Place& at) const {
  const std::vector<const CodeWord*>& all = at.all;
  const std::string called = called_at(at);
  std::string from;
  if (at.users == all.end() && at.known != all.end()) {
    const CodePlace found = machine_.code.describe_place(*at.known);
    from = " in " + texts_.text_of_function(found.module->name, found.function, found.arity);
  } else if (at.users == all.end() && at.process != nullptr) {
    from = started_with(*at.process);
  }
  // erlang:nif_error/1 does not know which function has called it; nor does the reader in a process of a
  // library.
  std::string message =
      fault.message == kNeedsNativeCode ? missing_native_code(machine_, all) : fault.message;
  constexpr std::string_view kUnknown = "this function ";
  if (message.starts_with(kUnknown) && fault.place != nullptr && at.known == all.end()) {
    const CodePlace found = machine_.code.describe_place(fault.place);
    if (found.module != nullptr)
      message.replace(0, kUnknown.size() - 1,
                      texts_.text_of_function(found.module->name, found.function, found.arity));
  }
  const bool is_named = called.empty() || (from.empty() && message.starts_with(called + " "));
  return {.message = is_named ? message + from : called + from + ": " + message,
          .file = at.where.file,
          .line = at.where.line};
}

// The initial call, for a process that is in nobody's code but Erlang/OTP's, because the user's has called it
// last.
std::string FaultVerdicts::started_with(const Process& process) const {
  const Term own = initial_call_of(machine_, process);
  const Term call = is_tuple_of(own, 3) ? own : process.attributes.initial_call;
  const bool is_users = is_tuple_of(call, 3) && element(call, 1).is_atom() &&
                        program_.find(machine_.names.atoms.text(element(call, 1))) != nullptr;
  const std::string began = is_users ? texts_.text_of_call(call) : "";
  return began.empty() ? "" : " in a process that began with " + began;
}

}  // namespace ravel::erlang
