#include "erlang/system/waiting_processes.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/hash.h"

namespace ravel::erlang {

namespace {

// Whether a module's receives, if they are no loops, are parts of calls.
bool is_of_core(const Module& module, const std::string& otp) {
  if (!module.path.starts_with(otp)) return false;
  return module.path.find("/kernel-") != std::string::npos ||
         module.path.find("/stdlib-") != std::string::npos;
}

}  // namespace

WaitingProcesses::Wait WaitingProcesses::wait_of(const Process& process) {
  // In its timeout, which may not fire now; in hibernation; or in a receive without patterns, as in
  // timer:sleep(infinity).
  if (process.rest == Rest::kTimeout || process.receive_pc == nullptr) return Wait::kInLoop;
  if (!process.mailbox.empty()) return Wait::kWithMessages;
  const std::vector<const CodeWord*> places = machine_.traces.places_of(process);
  if (!receive_loops_) receive_loops_.emplace(machine_);
  const ReceiveLoops::Way& way = receive_loops_->way_from(places);
  const Module* const module = places.empty() ? nullptr : machine_.code.describe_place(places.front()).module;
  if (module != nullptr && is_of_core(*module, program_.root_folder()))
    return way.comes_back ? Wait::kInLoop : Wait::kInCall;
  if (machine_.options.recurring) {
    requests_.note_judged(process.pid);
    // Who is not among those of the options has asked nothing then, in no execution, or is found out at last.
    is_judged_by_execution_ |= !requests_.are_in_state();
  }
  const std::vector<const CodeWord*> asked = requests_.unanswered(process.pid);
  if (asked.empty()) return way.comes_back ? Wait::kInLoop : Wait::kOnce;
  const bool has_told_itself = way.comes_back && std::ranges::none_of(asked, [&](const CodeWord* place) {
                                 return receive_loops_->reaches(way, place);
                               });
  return has_told_itself || requests_.was_free_in(process.pid, process.receive_pc) ? Wait::kInLoop
                                                                                   : Wait::kInCall;
}

// A process that waits for the end of a test's own process waits because that one does.
std::vector<Process*> WaitingProcesses::stuck() const {
  std::vector<Process*> stuck;
  std::ranges::copy_if(machine_.processes.all(), std::back_inserter(stuck), [this](const Process* process) {
    return !roles_.is_of_system(*process) && !roles_.is_in_runner(*process);
  });
  return stuck;
}

bool WaitingProcesses::is_deadlock(std::span<Process* const> stuck) {
  if (leftovers_ == Leftovers::kBugs || !roles_.has_test_ended()) return true;
  return std::ranges::any_of(stuck, [this](const Process* process) {
    if (roles_.runs_test(*process)) return true;
    const Wait wait = wait_of(*process);
    return wait == Wait::kInCall || wait == Wait::kWithMessages;
  });
}

// The stuck processes that have a part in a deadlock, without those that would be left behind in their loops.
std::vector<Process*> WaitingProcesses::part_of_deadlock(std::span<Process* const> stuck) {
  std::vector<Process*> involved;
  if (leftovers_ == Leftovers::kLeft)
    std::ranges::copy_if(stuck, std::back_inserter(involved), [this](const Process* process) {
      return roles_.is_test_process(*process) || wait_of(*process) != Wait::kInLoop;
    });
  return involved.empty() ? std::vector<Process*>(stuck.begin(), stuck.end()) : involved;
}

void WaitingProcesses::note_left_behind(std::span<Process* const> processes) {
  left_behind_.most = std::max<std::uint64_t>(left_behind_.most, processes.size());
  for (Process* const process : processes) {
    const Term began = initial_call_of(machine_, *process);
    std::uint64_t hash = 0;
    if (is_tuple_of(began, 3)) hash = combine(element(began, 1).bits(), element(began, 2).bits());
    for (const CodeWord* const place : machine_.traces.places_of(*process))
      hash = combine(hash, machine_.code.area().index_of(place));
    const auto [known, is_new] = known_left_behind_.try_emplace(hash, left_behind_.kinds.size());
    if (!is_new) continue;
    texts_.choose(texts_.language_of(*process));
    EventDescription where;
    places_.describe_where(*process, where);
    Remark remark{.text = texts_.function_of(*process),
                  .file = where.is_aside ? "" : where.file,
                  .line = where.is_aside ? 0 : where.line};
    // What it was started for says more than where a library's loop waits.
    if (const std::string call = texts_.text_of_call(began); !call.empty())
      remark.text = call + " in " + remark.text;
    const bool has_patterns = process->receive_pc != nullptr && process->rest != Rest::kTimeout;
    if (const std::string waits_for = has_patterns && !where.is_aside ? texts_.constraint_of(*process) : "";
        !waits_for.empty())
      remark.text += ", for " + waits_for;
    if (std::ranges::find(left_behind_.kinds, remark) == left_behind_.kinds.end())
      left_behind_.kinds.push_back(std::move(remark));
  }
}

// Where a process waits, and what lies in its mailbox.
std::vector<std::string> WaitingProcesses::lines_of(const Process& process) {
  EventDescription where;
  places_.describe_where(process, where);
  texts_.choose(texts_.language_of(process));
  std::string line = texts_.name_of(process.pid) + " waits";
  if (!where.file.empty()) line += " at " + where.file + ":" + std::to_string(where.line);
  if (!where.source.empty()) line += ": " + where.source;
  std::string messages;
  for (const Message& message : process.mailbox)
    messages += (messages.empty() ? "" : ", ") + texts_.text_of(message.content);
  return {line, messages.empty() ? "    its mailbox is empty" : "    in its mailbox: " + messages};
}

Bug WaitingProcesses::bug_of_deadlock(std::span<Process* const> stuck) {
  Bug bug;
  bug.kind = "deadlock";
  bool first = true;
  std::vector<std::string> functions;
  for (Process* process : stuck) {
    EventDescription where;
    places_.describe_where(*process, where);
    for (std::string& line : lines_of(*process)) bug.details.push_back(std::move(line));
    const std::string function = texts_.function_of(*process);
    if (std::ranges::find(functions, function) == functions.end()) functions.push_back(function);
    if (first) {
      bug.file = where.file;
      bug.line = where.line;
      bug.actor = machine_.names.pid_text(process->pid);
      first = false;
    }
  }
  const std::size_t count = stuck.size();
  std::ranges::sort(functions);
  std::string in;
  for (const std::string& function : functions) in += (in.empty() ? "" : " and ") + function;
  bug.message = count == 1 ? "a process waits for ever in " + in
                           : std::to_string(count) + " processes wait for ever in " + in;
  return bug;
}

}  // namespace ravel::erlang
