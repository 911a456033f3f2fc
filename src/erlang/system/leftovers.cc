// Processes that wait when nobody can move: whether that is a deadlock, or the test has left them behind.
//
// A deadlock is that the process which runs the test can't go on, that one waits inside a call for an answer
// that can't come, or that one has messages which it does not take. All other processes are left behind:
// servers in their loops, and processes that wait for a message that nobody owes. A process waits inside a
// call if it has asked somebody since it took its last message (requests.h), unless it is in its loop
// (receive_loops.h), where it takes whatever comes: there it was before without having asked, or it has only
// told who it is before it came there. A process in a receive of kernel or stdlib that is no loop, as in erpc
// and proc_lib, also waits inside a call.

#include <algorithm>

#include "base/hash.h"
#include "erlang/system/erlang_system.h"

namespace ravel::erlang {

namespace {

// Whether a module's receives, if they are no loops, are parts of calls.
bool is_of_core(const Module& module, const std::string& otp) {
  if (!module.path.starts_with(otp)) return false;
  return module.path.find("/kernel-") != std::string::npos ||
         module.path.find("/stdlib-") != std::string::npos;
}

}  // namespace

void ErlangSystem::note_requests(Term who, const CodeWord* receive) {
  Machine& m = *machine_;
  const bool recurs = options_.machine.recurring;
  // The root process waits as the test does.
  const bool may_ask = who != Names::root_pid();
  const bool is_known = may_ask && (is_execution_known_ || (recurs && are_requests_in_state(who)));
  const bool is_to_find_out = may_ask && recurs && !requests_of(who).exist;
  const bool is_anybody_known = is_execution_known_ || !options_.requests_in_state.empty();
  if (!is_known && !is_to_find_out && !(recurs && is_anybody_known)) return;
  bool is_first = true;
  const auto note = [&](const EventRecord& event) {
    if (event.kind == OperationKind::kReceive && is_known) {
      requests_.took(events_, who, event.value, is_first ? receive : nullptr);
    } else if (event.kind == OperationKind::kAfter && is_known) {
      requests_.expired(events_, who, is_first ? receive : nullptr);
    } else if (event.kind == OperationKind::kSend && (is_known || is_to_find_out)) {
      const Term to = event.object.is_pid()          ? event.object
                      : event.subject.is_reference() ? Names::creator_of(event.subject)
                                                     : event.subject;
      const Process* const receiver = to.is_pid() ? m.processes.find(to) : nullptr;
      const bool goes_to_test = to == Names::root_pid() || to == Names::device_pid() ||
                                (receiver != nullptr && roles_.is_test_process(*receiver));
      const Process* const sender = goes_to_test ? nullptr : m.processes.find(who);
      if (sender != nullptr) {
        const Term name = sender->attributes.registered_name;
        if (is_to_find_out && to != who)
          requests_of(who).exist |= Requests::names_sender(who, event.value, name);
        if (is_known) requests_.sent(events_, who, to, event.value, name, event.place);
      }
    }
    is_first = false;
  };
  const std::span<const Term> made =
      recurs && is_anybody_known ? m.free_names.made() : std::span<const Term>();
  std::size_t next_made = 0, operations = 0;
  const auto note_all = [&](const EventRecord& event) {
    note(event);
    for (; next_made < made.size() && m.free_names.made_after()[next_made] <= operations; ++next_made)
      if (made[next_made].is_pid()) requests_.began(events_, made[next_made]);
    ++operations;
  };
  for (const EventRecord& event : m.record.earlier_events) note_all(event);
  note_all(m.record.event);
}

ErlangSystem::Wait ErlangSystem::wait_of(const Process& process) {
  // In its timeout, which may not fire now; in hibernation; or in a receive without patterns, as in
  // timer:sleep(infinity).
  if (process.rest == Rest::kTimeout || process.receive_pc == nullptr) return Wait::kInLoop;
  if (!process.mailbox.empty()) return Wait::kWithMessages;
  const std::vector<const CodeWord*> places = machine_->traces.places_of(process);
  if (!receive_loops_) receive_loops_.emplace(*machine_);
  const ReceiveLoops::Way& way = receive_loops_->way_from(places);
  const Module* const module =
      places.empty() ? nullptr : machine_->code.describe_place(places.front()).module;
  if (module != nullptr && is_of_core(*module, program_.root_folder()))
    return way.comes_back ? Wait::kInLoop : Wait::kInCall;
  if (options_.machine.recurring) {
    requests_of(process.pid).matter = true;
    // Who is not among those of the options has asked nothing then, in no execution, or is found out at last.
    is_judged_by_execution_ |= options_.requests_in_state.empty();
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
std::vector<Process*> ErlangSystem::stuck_processes() {
  std::vector<Process*> stuck;
  std::ranges::copy_if(machine_->processes.all(), std::back_inserter(stuck), [this](const Process* process) {
    return !roles_.is_of_system(*process) && !roles_.is_in_runner(*process);
  });
  return stuck;
}

bool ErlangSystem::is_deadlock(std::span<Process* const> stuck) {
  if (options_.properties.leftovers == Leftovers::kBugs ||
      machine_->processes.find(Names::root_pid()) != nullptr)
    return true;
  return std::ranges::any_of(stuck, [this](const Process* process) {
    if (roles_.runs_test(*process)) return true;
    const Wait wait = wait_of(*process);
    return wait == Wait::kInCall || wait == Wait::kWithMessages;
  });
}

// The stuck processes that have a part in a deadlock, without those that would be left behind in their loops.
std::vector<Process*> ErlangSystem::part_of_deadlock(std::span<Process* const> stuck) {
  std::vector<Process*> involved;
  if (options_.properties.leftovers == Leftovers::kLeft)
    std::ranges::copy_if(stuck, std::back_inserter(involved), [this](const Process* process) {
      return roles_.is_test_process(*process) || wait_of(*process) != Wait::kInLoop;
    });
  return involved.empty() ? std::vector<Process*>(stuck.begin(), stuck.end()) : involved;
}

void ErlangSystem::note_left_behind(std::span<Process* const> processes) {
  left_behind_.most = std::max<std::uint64_t>(left_behind_.most, processes.size());
  for (Process* const process : processes) {
    const Term began = initial_call_of(*machine_, *process);
    std::uint64_t hash = 0;
    if (is_tuple_of(began, 3)) hash = combine(element(began, 1).bits(), element(began, 2).bits());
    for (const CodeWord* const place : machine_->traces.places_of(*process))
      hash = combine(hash, machine_->code.area().index_of(place));
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

}  // namespace ravel::erlang
