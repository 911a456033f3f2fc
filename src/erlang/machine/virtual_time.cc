// Time, as far as the machine has one (machine.h, TimePolicy): when an `after` or a timer may fire, and what
// clocks show.
//
// In footprints the time is one object. Setting and cancelling a deadline commute with each other, and so do
// firings at the present instant; what moves time on to a later one is ordered with all of them, because what
// is due first and what a new deadline counts from depend on it. With TimePolicy::kAny time never moves, so
// nothing touches it; with kIdle it passes by a step of its own, which is known to come after all before it
// and before all later ones, so that nothing else touches it either.
#include <algorithm>

#include "erlang/machine/machine.h"

namespace ravel::erlang {

namespace {

// The emulator's own end of time is at some 2^43 ms; clocks stop after 222 years so that nanoseconds fit 64
// bits.
constexpr std::int64_t kEndOfTimeMs = 9'223'372'036'854, kClocksEndMs = 7'000'000'000'000;
constexpr std::int64_t kNsPerMs = 1'000'000;

}  // namespace

std::int64_t Machine::deadline_in(std::int64_t milliseconds) {
  note_deadline_change();
  return std::min(kEndOfTimeMs, now_ms_ + std::max<std::int64_t>(0, milliseconds));
}

std::int64_t Machine::time_left(const Timer& timer) {
  note_deadline_change();
  return std::max<std::int64_t>(0, timer.due_ms - now_ms_);
}

std::optional<std::int64_t> Machine::earliest_deadline() const {
  std::optional<std::int64_t> earliest;
  const auto consider = [&](std::int64_t due_ms) {
    if (!earliest || due_ms < *earliest) earliest = due_ms;
  };
  for (const Process* process : order_)
    if (process->rest == Rest::kTimeout) consider(process->due_ms);
  for (const Timer& timer : timers_)
    if (!timer.never_fires && !(options.time == TimePolicy::kIdle && is_aimed_at_nobody(timer)))
      consider(timer.due_ms);
  return earliest;
}

// A timer may outlive the process that it is aimed at (MachineOptions::notes_messages).
bool Machine::is_aimed_at_nobody(const Timer& timer) const {
  return timer.target.is_pid() && timer.target != names.device_pid() && find_process(timer.target) == nullptr;
}

void Machine::pass_time(std::int64_t due_ms) {
  CHECK(options.time == TimePolicy::kIdle && due_ms > now_ms_);
  clear_event();
  event_.kind = OperationKind::kTimePasses;
  event_.value = Term::small(due_ms - now_ms_);
  note_plain_access(ObjectClass::kTime, 0, access::kPass);
  now_ms_ = due_ms;
  // Nothing that was there before can tell any more that there was such a timer.
  std::erase_if(timers_, [&](const Timer& timer) { return is_aimed_at_nobody(timer); });
  global_image_ = Term::none();
}

void Machine::advance_time(std::int64_t due_ms) {
  if (options.time == TimePolicy::kAny) return;
  if (is_time_shared()) note_access(ObjectClass::kTime, 0, due_ms > now_ms_ ? access::kWrite : access::kRead);
  if (due_ms <= now_ms_) return;
  now_ms_ = due_ms;
  global_image_ = Term::none();
}

std::int64_t Machine::clock_ns() {
  if (options.clocks == Clocks::kFrozen) return 0;
  if (is_time_shared()) note_access(ObjectClass::kTime, 0, access::kRead);
  return std::min(kClocksEndMs, now_ms_) * kNsPerMs;
}

}  // namespace ravel::erlang
