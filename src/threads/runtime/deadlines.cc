// When waits with a time-out and sleeps end, if time follows deadlines: in the order of these.
//
// The clock stands still while threads run, and moves on to the earliest deadline when a wait gives up, or a sleep
// ends, by it. Others may go on or not: a deadline waits for nobody. It is pending while its thread can go on only by it:
// not while what the thread waits for is there, nor, on a condition variable, while the mutex is held, which it needs to
// give up, too. If time has passed it meanwhile it is due at once.
//
// In footprints the time is one object, and the deadlines are another one. Setting a deadline, and going on before it,
// change these and read the time, and so they commute with each other and with who looks at a clock. What moves time on
// writes both. Whether it may depends on who has an earlier deadline and waits, too: so it touches what these wait for.
// That is ordered with who sets these deadlines, so footprints do not change where operations commute. Reduction is not
// used: it goes back from an operation by what that has touched itself (search/adaptive_search.cc).

#include <algorithm>

#include "threads/runtime/scheduler.h"

namespace ravel::threads {

std::uint32_t Scheduler::visible_by_deadline(const Operation& operation, const TimeLimit& limit) {
  Thread& self = *current;
  self.deadline = deadline_of(limit);
  const bool is_timed = self.deadline < kAtAnyTime;
  if (is_timed) touch_deadlines();
  const std::uint32_t alternative = visible(operation);
  if (is_timed) {
    if (alternative != 0 || operation.kind == OperationKind::kSleep) {
      pass_deadline(self);
    } else {
      touch_deadlines();
    }
  }
  self.deadline = kNever;
  return alternative;
}

void Scheduler::touch_deadlines() {
  touch_only(kClockObject, Access::kRead);
  touch_only(kDeadlinesObject, Access::kChange);
}

void Scheduler::pass_deadline(const Thread& self) {
  if (self.deadline <= ticks) {
    touch(kClockObject, Access::kRead);
    touch_only(kDeadlinesObject, Access::kChange);
    return;
  }
  for (const Thread* const other : order_)
    if (other->state == ThreadState::kWaiting && other->deadline < self.deadline) touch_awaited(other->pending);
  touch(kDeadlinesObject, Access::kWrite);
  touch(kClockObject, Access::kWrite);
  ticks = self.deadline;
}

// So that the operation does not commute with who lets that one go on, or keeps it.
void Scheduler::touch_awaited(const Operation& operation) {
  switch (operation.kind) {
    case OperationKind::kSleep:
      break;
    case OperationKind::kJoin:
      touch_thread(*operation.thread, Access::kRead);
      break;
    case OperationKind::kFutexWoken:
      touch(operation.address & ~std::uint64_t{7}, Access::kRead);
      break;
    case OperationKind::kPoll:
      touch(operation.address, Access::kWrite);  // those who change what is ready only read it
      break;
    default:
      touch(operation.address, Access::kRead);
      if (operation.second != nullptr) touch(operation.second->address, Access::kRead);
  }
}

bool Scheduler::goes_on_by_time(const Thread& thread) const {
  if (thread.deadline == kAtAnyTime || thread.pending.is_spurious) return false;
  return thread.pending.kind == OperationKind::kSleep || first_alternative(thread) == 1;
}

bool Scheduler::is_due(const Thread& thread) const {
  if (thread.deadline == kNever) return false;
  if (thread.deadline <= ticks) return true;
  return std::ranges::none_of(order_, [&](const Thread* other) {
    return other->deadline < thread.deadline && ways_to_go_on(*other) > 0 && goes_on_by_time(*other);
  });
}

bool Scheduler::moves_time_on(const Thread& thread) const { return goes_on_by_time(thread) && thread.deadline > ticks; }

}  // namespace ravel::threads
