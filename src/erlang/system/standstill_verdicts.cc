#include "erlang/system/standstill_verdicts.h"

#include <algorithm>
#include <vector>

namespace ravel::erlang {

bool StandstillVerdicts::is_test_over() const {
  if (!roles_.has_test_ended()) return false;
  if (roles_.has_runner()) return true;  // with a runner, what a test has left behind may wait until the end
  // The process would go on some day.
  return machine_.options.time == TimePolicy::kIdle && enabled_.does_somebody_wait_for_time();
}

ExecutionVerdict StandstillVerdicts::of_current() {
  if (failures_.exist())  // what others wait for now may well be a consequence
    return {.outcome = Outcome::kBug, .bug = failures_.first()};
  if (std::ranges::all_of(machine_.active_processes(),
                          [this](const Process* p) { return roles_.is_of_system(*p); }))
    return {.outcome = Outcome::kFinished};
  if (is_test_over()) {
    if (properties_.leftovers == Leftovers::kLeft) waiting_.note_left_behind(waiting_.stuck());
    return {.outcome = Outcome::kFinished};
  }
  if (properties_.ignores_deadlocks || (properties_.first_process_only && roles_.has_test_ended()))
    return {.outcome = Outcome::kFinished};
  const std::vector<Process*> stuck = waiting_.stuck();
  if (waiting_.is_deadlock(stuck))
    return {.outcome = Outcome::kBug, .bug = waiting_.bug_of_deadlock(waiting_.part_of_deadlock(stuck))};
  if (!is_judged_by_execution()) waiting_.note_left_behind(stuck);
  return {.outcome = Outcome::kFinished};
}

}  // namespace ravel::erlang
