// One schedule of a test, the one that a real machine would most probably take: what `ravel run` does.
//
// A process goes on until it has to wait, or for kTurn operations, so that a process that polls lets others
// go on; then comes the next one in the order of their names that can go on. Time stands still while anything
// can, and then moves on to the next deadline of an `after` or a timer. When the test's own process has ended
// the rest may finish what they do, but time stands still: a server's heartbeat would never end.
#include <algorithm>
#include <optional>

#include "base/check.h"
#include "erlang/system/erlang_system.h"

namespace ravel::erlang {

namespace {

constexpr std::uint64_t kTurn = 2000;

bool can_go_on(const Machine& machine, const Process& process) {
  if (process.rest == Rest::kWaiting) return false;
  return process.rest != Rest::kTimeout || process.due_ms <= machine.time.now_ms();
}

// The index of the timer that is due, the longest of several.
std::optional<std::size_t> due_timer(const Machine& machine) {
  const auto timers = machine.time.timers();
  const auto time = [](const Timer& timer) { return std::pair(timer.never_fires, timer.due_ms); };
  const auto first = std::ranges::min_element(timers, {}, time);
  if (first == timers.end() || first->never_fires || first->due_ms > machine.time.now_ms())
    return std::nullopt;
  return static_cast<std::size_t>(first - timers.begin());
}

// Moves on to the next deadline: false if there is none. REQUIRES: nothing can go on.
bool pass_time(Machine& machine) {
  const auto next = machine.time.earliest_deadline();
  if (next) machine.time.advance(*next);
  return next.has_value();
}

// The first process after `previous`, in cyclic order, that can go on; null: none.
Process* next_process(const Machine& machine, Term previous) {
  const auto processes = machine.processes.all();
  const auto at = std::ranges::find(processes, previous, [](const Process* process) { return process->pid; });
  const std::size_t first = at == processes.end() ? 0 : static_cast<std::size_t>(at - processes.begin()) + 1;
  for (std::size_t i = 0; i < processes.size(); ++i) {
    Process* const process = processes[(first + i) % processes.size()];
    if (can_go_on(machine, *process)) return process;
  }
  return nullptr;
}

}  // namespace

PlainRun ErlangSystem::run_plainly(std::uint64_t events_max) {
  Machine& m = *machine_;
  CHECK(m.options.time != TimePolicy::kAny);
  const Term test = Names::root_pid();
  Term current = test;
  std::uint64_t turn = kTurn;
  for (std::uint64_t events = 0; m.faults.current().kind == MachineFault::Kind::kNone; ++events) {
    if (events == events_max)
      return {.outcome = Outcome::kRunning, .bug = {}, .refusal = {}, .halt_status = 0, .waiting = 0};
    Process* process = turn > 0 ? m.processes.find_even_ended(current) : nullptr;
    if (process == nullptr || !can_go_on(m, *process)) {
      if (const auto timer = due_timer(m)) {
        m.fire(*timer);
        continue;
      }
      process = next_process(m, current);
      turn = kTurn;
    }
    if (process == nullptr) {
      const bool test_goes_on = m.processes.find(test) != nullptr;
      if (test_goes_on && pass_time(m)) continue;
      if (!test_goes_on) {
        const auto is_of_test = [this](const Process* waiting) { return !roles_.is_of_system(*waiting); };
        const auto waiting = static_cast<std::size_t>(std::ranges::count_if(m.processes.all(), is_of_test));
        return {
            .outcome = Outcome::kFinished, .bug = {}, .refusal = {}, .halt_status = 0, .waiting = waiting};
      }
      return {.outcome = Outcome::kBug,
              .bug = waiting_.bug_of_deadlock(waiting_.stuck()),
              .refusal = {},
              .halt_status = 0,
              .waiting = 0};
    }
    --turn;
    current = process->pid;
    if (process->rest == Rest::kEnding && ends_.ends_badly(*process) &&
        (current == test || (roles_.has_runner() && roles_.runs_test(*process))))
      return {.outcome = Outcome::kBug,
              .bug = exit_bugs_.bug_of_exit(*process),
              .refusal = {},
              .halt_status = 0,
              .waiting = 0};
    m.step(*process);
  }
  end_by(fault_verdicts_.of_current());
  const bool halts = m.faults.current().kind == MachineFault::Kind::kHalted;
  PlainRun run{.outcome = halts ? Outcome::kFinished : outcome_,
               .bug = bug_,
               .refusal = refusal_,
               .halt_status = 0,
               .waiting = 0};
  if (halts)
    run.halt_status = m.faults.current().halt_status.is_small()
                          ? static_cast<int>(m.faults.current().halt_status.small_value() & 0xFF)
                          : 1;
  return run;
}

}  // namespace ravel::erlang
