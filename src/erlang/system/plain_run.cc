// One schedule of a test, the one that a real machine would most probably take: what `ravel run` does.
//
// A process goes on until it has to wait, or for kTurn operations, so that a process that polls lets others go on;
// then comes the next one in the order of their names that can go on. Time stands still while anything can, and
// then moves on to the next deadline of an `after` or a timer. When the test's own process has ended the rest may
// finish what they do, but time stands still: a server's heartbeat would never end.
#include <algorithm>
#include <utility>

#include "erlang/system/erlang_system.h"

namespace ravel::erlang {

namespace {

constexpr std::uint64_t kTurn = 2000;

// When each waiting `after` and each timer is due, in milliseconds.
class Deadlines {
 public:
  explicit Deadlines(const Machine& machine) : machine_(machine) {}

  void forget(Term pid) { std::erase_if(due_, [&](const auto& entry) { return entry.first == pid; }); }

  bool can_go_on(const Process& process) {
    if (process.rest == Rest::kWaiting) return false;
    return process.rest != Rest::kTimeout || due(process.pid, process.timeout) <= now_;
  }

  // The index of a timer that is due.
  std::optional<std::size_t> due_timer() {
    const auto timers = machine_.timers();
    for (std::size_t i = 0; i < timers.size(); ++i)
      if (due(timers[i].reference, Term::small(timers[i].milliseconds)) <= now_) return i;
    return std::nullopt;
  }

  // Moves on to the next deadline: false if there is none. REQUIRES: nothing can go on.
  bool pass_time() {
    std::vector<std::pair<Term, std::int64_t>> pending;
    for (const Process* process : machine_.processes())
      if (process->rest == Rest::kTimeout) pending.emplace_back(process->pid, due(process->pid, process->timeout));
    for (const Timer& timer : machine_.timers())
      pending.emplace_back(timer.reference, due(timer.reference, Term::small(timer.milliseconds)));
    due_ = std::move(pending);
    if (due_.empty()) return false;
    now_ = std::ranges::min(due_, {}, [](const auto& entry) { return entry.second; }).second;
    return true;
  }

 private:
  std::int64_t due(Term who, Term milliseconds) {
    const auto known = std::ranges::find(due_, who, [](const auto& entry) { return entry.first; });
    if (known != due_.end()) return known->second;
    const std::int64_t wait = milliseconds.is_small() ? std::max<std::int64_t>(0, milliseconds.small_value()) : 0;
    if (wait == 0) return now_;
    due_.emplace_back(who, now_ + wait);
    return now_ + wait;
  }

  const Machine& machine_;
  std::int64_t now_ = 0;
  std::vector<std::pair<Term, std::int64_t>> due_;
};

// The first one after `previous`, in cyclic order, that can go on; null: none.
Process* next_process(const Machine& machine, Deadlines& deadlines, Term previous) {
  const auto processes = machine.processes();
  const auto at = std::ranges::find(processes, previous, [](const Process* process) { return process->pid; });
  const std::size_t first = at == processes.end() ? 0 : static_cast<std::size_t>(at - processes.begin()) + 1;
  for (std::size_t i = 0; i < processes.size(); ++i) {
    Process* const process = processes[(first + i) % processes.size()];
    if (deadlines.can_go_on(*process)) return process;
  }
  return nullptr;
}

}  // namespace

PlainRun ErlangSystem::run_plainly(const std::function<void(const Bug&)>& report) {
  Machine& m = *machine_;
  Deadlines deadlines(m);
  const Term test = m.processes().empty() ? Term::none() : m.processes().front()->pid;
  Term current = test;
  std::uint64_t turn = kTurn;
  while (m.fault().kind == MachineFault::Kind::kNone) {
    Process* process = turn > 0 ? m.find_process(current) : nullptr;
    if (process == nullptr || !deadlines.can_go_on(*process)) {
      if (const auto timer = deadlines.due_timer()) {
        m.fire(*timer);
        continue;
      }
      process = next_process(m, deadlines, current);
      turn = kTurn;
    }
    if (process == nullptr) {
      const bool test_goes_on = m.find_process(test) != nullptr;
      if (test_goes_on && deadlines.pass_time()) continue;
      if (!test_goes_on)
        return {.outcome = Outcome::kFinished, .bug = {}, .refusal = {}, .halt_status = 0, .waiting = m.processes().size()};
      note_deadlock();
      return {.outcome = Outcome::kBug, .bug = bug_, .refusal = {}, .halt_status = 0, .waiting = 0};
    }
    --turn;
    current = process->pid;
    deadlines.forget(current);
    if (process->rest == Rest::kEnding && ends_badly(*process)) {
      if (current == test)
        return {.outcome = Outcome::kBug, .bug = bug_of_exit(*process), .refusal = {}, .halt_status = 0, .waiting = 0};
      // As in Erlang/OTP, an error is reported, an exit is not.
      if (process->ends_by_exception && process->exit_class != ErrorClass::kExit) report(bug_of_exit(*process));
    }
    m.step(*process);
  }
  note_fault();
  const bool halts = m.fault().kind == MachineFault::Kind::kHalted;
  PlainRun run{.outcome = halts ? Outcome::kFinished : outcome_, .bug = bug_, .refusal = refusal_, .halt_status = 0, .waiting = 0};
  if (halts) run.halt_status = m.fault().halt_status.is_small() ? static_cast<int>(m.fault().halt_status.small_value() & 0xFF) : 1;
  return run;
}

}  // namespace ravel::erlang
