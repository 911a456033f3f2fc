// When waits with a time-out and sleeps end, if time follows deadlines: in the order of these.
//
// The clock stands still while threads run, and moves on to the earliest deadline when a wait gives up, or a
// sleep ends, by it. Others may go on or not: a deadline waits for nobody. It is pending while its thread can
// go on only by it: not while what the thread waits for is there, nor, on a condition variable, while the
// mutex is held, which it needs to give up, too. If time has passed it meanwhile it is due at once.
//
// In footprints the time is one object, and the deadlines are another one. Setting a deadline, and going on
// before it, change these and read the time, and so they commute with each other and with who looks at a
// clock. What moves time on writes both. Whether it may depends on who has an earlier deadline and waits,
// too: so it touches what these wait for. That is ordered with who sets these deadlines, so footprints do not
// change where operations commute. Reduction is not used: it goes back from an operation by what that has
// touched itself (search/adaptive_search.cc).
//
// Where time passes only when no thread can go on, it does so by a step of its own, of an actor without a
// thread, to the earliest deadline of those who could go on then. That comes after every step before it and
// before every later one in any equivalent execution (Access::kPass), so nothing else touches the time, and
// clocks are looked at without an operation. A thread that stands back for others after some rounds, or looks
// at the clock again and again, is one that can't go on: for the latter time passes by a millisecond, and by
// twice as much the next time. If timeouts may fire early, the same actor has steps to each later deadline
// while others can go on. Then deadlines and clocks are shared as where time follows deadlines, and an early
// step touches what all who wait for time wait for.

#include "threads/runtime/deadlines.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "threads/runtime/thread_switch.h"

namespace ravel::threads {

namespace {

// A thread that has looked at the clock so often, and done nothing else, waits for it.
constexpr std::uint32_t kClockLooksMax = 1000;
// At first a millisecond, at last a second.
constexpr std::uint64_t kFirstPoll = 1'000'000, kLongestPoll = 1'000'000'000;
constexpr std::uint64_t kPollByStates = 100'000'000;

}  // namespace

Deadlines::Wait Deadlines::begin_wait(const Operation& operation, const TimeLimit& limit) {
  Thread& self = *current;
  self.deadline = deadline_of(limit);
  const bool is_timed = self.deadline < kAtAnyTime && are_shared();
  if (is_timed) touch_deadlines();
  self.pending.set(operation);
  const bool lasts = self.deadline < kAtAnyTime && self.deadline > ticks_ && goes_on_by_time(self);
  // On the stack, where a number that only grows would tell states apart.
  const std::uint64_t moves = configuration_.by_states ? 0 : step_.number() - passes_;
  return {.begin = do_dates_matter() || !configuration_.by_states ? ticks_ : 0,
          .moves = moves,
          .is_timed = is_timed,
          .lasts = lasts};
}

void Deadlines::end_wait(const Wait& wait, const Operation& operation, std::uint32_t alternative) {
  Thread& self = *current;
  self.has_waited_for_time = ticks_ != wait.begin;
  const bool have_others_moved = step_.number() - passes_ > wait.moves + 1;
  if (wait.lasts && have_others_moved && configuration_.passes_when_idle && !configuration_.fires_early &&
      discoveries_.wants_timed_wait(operation.pc))
    discoveries_.add_timed_wait(full_stack_of(operation.pc));
  if (wait.is_timed) {
    if (alternative != 0 || operation.kind == OperationKind::kSleep) {
      pass_deadline(self);
    } else {
      touch_deadlines();
    }
  }
  self.deadline = kNever;
}

void Deadlines::touch_deadlines() {
  step_.touch_only(kClockObject, Access::kRead);
  step_.touch_only(kDeadlinesObject, Access::kChange);
}

void Deadlines::pass_deadline(const Thread& self) {
  if (self.deadline <= ticks_) {
    step_.touch(kClockObject, Access::kRead);
    step_.touch_only(kDeadlinesObject, Access::kChange);
    return;
  }
  for (const Thread* const other : threads_.by_name())
    if (other->state == ThreadState::kWaiting && other->deadline < self.deadline)
      touch_awaited(other->pending);
  step_.touch(kDeadlinesObject, Access::kWrite);
  step_.touch(kClockObject, Access::kWrite);
  ticks_ = self.deadline;
}

// Touches what a thread waits for, so that the operation does not commute with others that let the thread go
// on, or keep it.
void Deadlines::touch_awaited(const Operation& operation) {
  switch (operation.kind) {
    case OperationKind::kSleep: break;
    case OperationKind::kJoin: step_.touch(object_of(*operation.thread), Access::kRead); break;
    case OperationKind::kFutexWoken: step_.touch(operation.address & ~std::uint64_t{7}, Access::kRead); break;
    case OperationKind::kPoll:
      step_.touch(operation.address, Access::kWrite);  // operations that change what is ready only read it
      break;
    default:
      step_.touch(operation.address, Access::kRead);
      if (operation.second != nullptr) step_.touch(operation.second->address, Access::kRead);
  }
}

bool Deadlines::goes_on_by_time(const Thread& thread) const {
  if (thread.deadline == kAtAnyTime || thread.pending.is_spurious) return false;
  return thread.pending.kind == OperationKind::kSleep || first_alternative(thread) == 1;
}

bool Deadlines::is_due(const Thread& thread) const {
  if (thread.deadline == kNever) return false;
  if (thread.deadline <= ticks_) return true;
  if (configuration_.passes_when_idle) return false;
  return std::ranges::none_of(threads_.by_name(), [&](const Thread* other) {
    return other->deadline < thread.deadline && ways_to_go_on(*other) > 0 && goes_on_by_time(*other);
  });
}

std::optional<std::uint64_t> Deadlines::next_deadline() const {
  std::uint64_t next = kNever;
  for (const Thread* const thread : threads_.by_name()) {
    if (thread->state != ThreadState::kWaiting) continue;
    if (thread->stands_back) next = std::min(next, thread->polls_until);
    if (thread->deadline > ticks_ && ways_to_go_on(*thread) > 0 && goes_on_by_time(*thread))
      next = std::min(next, thread->deadline);
  }
  return next == kNever ? std::nullopt : std::optional(next);
}

void Deadlines::pass() {
  std::optional<std::uint64_t> next = next_deadline();
  // Besides threads that only look, perhaps at the clock.
  const auto can_go_on = [this](const Thread* thread) { return alternatives(*thread) > 0; };
  if (configuration_.by_states && std::ranges::any_of(threads_.by_name(), can_go_on))
    next = std::min(next.value_or(kNever), ticks_ + kPollByStates);
  CHECK(next.has_value());
  begin_passing(*next);
  step_.touch_only(kClockObject, Access::kPass);
}

// Whether it may depends on who waits until when, and on what might let these go on before.
void Deadlines::pass_early(std::uint32_t number) {
  const std::vector<std::uint64_t> dates = dates_to_come();
  CHECK(number >= 1 && number <= dates.size());
  begin_passing(dates[number - 1]);
  if (recording_.is_on()) recording_.record().is_early = true;
  for (const Thread* const thread : threads_.by_name())
    if (thread->state == ThreadState::kWaiting && thread->deadline < kAtAnyTime)
      touch_awaited(thread->pending);
  step_.touch_only(kDeadlinesObject, Access::kWrite);
  step_.touch_only(kClockObject, Access::kWrite);
}

std::vector<std::uint64_t> Deadlines::dates_to_come() const {
  std::vector<std::uint64_t> dates;
  for (const Thread* const thread : threads_.by_name()) {
    if (thread->state == ThreadState::kWaiting && thread->deadline > ticks_ && thread->deadline != kNever &&
        ways_to_go_on(*thread) > 0 && goes_on_by_time(*thread))
      dates.push_back(thread->deadline);
  }
  std::ranges::sort(dates);
  dates.erase(std::unique(dates.begin(), dates.end()), dates.end());
  return dates;
}

// The caller also lets those threads go on that stand back (Fairness::note_passed_time()).
void Deadlines::begin_passing(std::uint64_t date) {
  step_.begin();
  ++passes_;
  recording_.begin_step();
  if (recording_.is_on()) {
    recording_.record().kind = OperationKind::kTimePasses;
    recording_.record().after = date - ticks_;
  }
  ticks_ = date;
}

bool Deadlines::has_polled_clock() {
  if (std::exchange(current->clock_step, step_.number()) != step_.number()) current->clock_looks = 0;
  return ++current->clock_looks >= kClockLooksMax;
}

std::uint64_t Deadlines::next_poll() {
  return current->poll_ticks = std::clamp(2 * current->poll_ticks, kFirstPoll, kLongestPoll);
}

}  // namespace ravel::threads
