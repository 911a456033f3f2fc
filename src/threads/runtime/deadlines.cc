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
//
// Where time passes only when no thread can go on, it does so by a step of its own, of an actor without a thread, to the earliest
// deadline of those who could go on then. That comes after every step before it and before every later one in any equivalent execution
// (Access::kPass), so nothing else touches the time, and clocks are looked at without an operation. A thread that stands back for
// others after some rounds, or looks at the clock again and again, is one that can't go on: for the latter time passes by a
// millisecond, and by twice as much the next time. If timeouts may fire early, the same actor has steps to each later deadline while others can
// go on. Then deadlines and clocks are shared as where time follows deadlines, and an early step touches what all who wait for time wait for.

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "threads/protocol/actor_path.h"
#include "threads/runtime/scheduler.h"

namespace ravel::threads {

namespace {

// Who has looked at the clock so often, and done nothing else, waits for it.
constexpr std::uint32_t kClockLooksMax = 1000;
// At first a millisecond, at last a second.
constexpr std::uint64_t kFirstPoll = 1'000'000, kLongestPoll = 1'000'000'000;

}  // namespace

std::uint32_t Scheduler::visible_by_deadline(const Operation& operation, const TimeLimit& limit) {
  Thread& self = *current;
  self.deadline = deadline_of(limit);
  const bool is_timed = self.deadline < kAtAnyTime && shares_deadlines();
  if (is_timed) touch_deadlines();
  const std::uint64_t begin = ticks, moves = steps_ - passes_;
  self.pending.set(operation);
  const bool waits = self.deadline < kAtAnyTime && self.deadline > ticks && goes_on_by_time(self);
  const std::uint32_t alternative = visible(operation);
  self.has_waited_for_time = ticks != begin;
  const bool have_others_moved = steps_ - passes_ > moves + 1;
  if (waits && have_others_moved && configuration_.passes_when_idle && !configuration_.fires_early) note_timed_wait(operation.pc);
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

void Scheduler::note_timed_wait(std::uint64_t pc) {
  constexpr std::size_t kPlacesMax = 100;
  const auto is_there = [&](const TimedWait& wait) { return wait.stack.front() == pc; };
  if (timed_waits_.size() < kPlacesMax && std::ranges::none_of(timed_waits_, is_there)) timed_waits_.push_back({.stack = full_stack_of(pc)});
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
  if (configuration_.passes_when_idle) return false;
  return std::ranges::none_of(order_, [&](const Thread* other) {
    return other->deadline < thread.deadline && ways_to_go_on(*other) > 0 && goes_on_by_time(*other);
  });
}

std::optional<std::uint64_t> Scheduler::next_deadline() const {
  std::uint64_t next = kNever;
  for (const Thread* const thread : order_) {
    if (thread->state != ThreadState::kWaiting) continue;
    if (thread->stands_back) next = std::min(next, thread->polls_until);
    if (thread->deadline > ticks && ways_to_go_on(*thread) > 0 && goes_on_by_time(*thread)) next = std::min(next, thread->deadline);
  }
  return next == kNever ? std::nullopt : std::optional(next);
}

void Scheduler::pass_time() {
  const std::optional<std::uint64_t> next = next_deadline();
  CHECK(next.has_value());
  move_time_to(*next);
  touch_only(kClockObject, Access::kPass);
}

// Whether it may depends on who waits until when, and on what might let these go on before.
void Scheduler::pass_time_early(std::uint32_t alternative) {
  const std::vector<std::uint64_t> dates = deadlines_to_come();
  CHECK(alternative >= 1 && alternative <= dates.size());
  move_time_to(dates[alternative - 1]);
  if (records_) record_.is_early = true;
  for (const Thread* const thread : order_)
    if (thread->state == ThreadState::kWaiting && thread->deadline < kAtAnyTime) touch_awaited(thread->pending);
  touch_only(kDeadlinesObject, Access::kWrite);
  touch_only(kClockObject, Access::kWrite);
}

std::vector<std::uint64_t> Scheduler::deadlines_to_come() const {
  std::vector<std::uint64_t> dates;
  for (const Thread* const thread : order_) {
    if (thread->state == ThreadState::kWaiting && thread->deadline > ticks && thread->deadline != kNever && ways_to_go_on(*thread) > 0 &&
        goes_on_by_time(*thread))
      dates.push_back(thread->deadline);
  }
  std::ranges::sort(dates);
  dates.erase(std::unique(dates.begin(), dates.end()), dates.end());
  return dates;
}

void Scheduler::move_time_to(std::uint64_t date) {
  ++steps_;
  ++passes_;
  touches_.clear();
  if (records_) {
    record_ = {};
    record_.kind = OperationKind::kTimePasses;
    record_.after = date - ticks;
  }
  ticks = date;
  moved_last_ = nullptr;
  for (Thread* const thread : order_) thread->polls_until = kNever;
  if (someone_stands_back_) end_standing_back();
}

ActorId Scheduler::time_actor() {
  if (!time_actor_) {
    time_actor_ = static_cast<ActorId>(actors_.size());
    actors_.push_back({.parent = 0, .ordinal = 0});
    names_.push_back(time_actor_name());
    children_.emplace_back();
    by_actor_.push_back(nullptr);
  }
  return *time_actor_;
}

bool Scheduler::has_polled_clock() {
  if (std::exchange(current->clock_step, steps_) != steps_) current->clock_looks = 0;
  return ++current->clock_looks >= kClockLooksMax;
}

std::uint64_t Scheduler::next_poll() {
  return current->poll_ticks = std::clamp(2 * current->poll_ticks, kFirstPoll, kLongestPoll);
}

bool Scheduler::moves_time_on(const Thread& thread) const { return goes_on_by_time(thread) && thread.deadline > ticks; }

}  // namespace ravel::threads
