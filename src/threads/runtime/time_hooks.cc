// Time is virtual: it passes when somebody sleeps or looks at a clock, and for nothing else; where it follows
// deadlines (deadlines.cc) looking at a clock is an operation, and takes no time. Random numbers of the
// system are the same in every execution.

#include <errno.h>
#include <sys/random.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "base/random.h"
#include "threads/runtime/export.h"
#include "threads/runtime/real.h"
#include "threads/runtime/scheduler.h"
#include "threads/runtime/virtual_time.h"

namespace ravel::threads {

namespace {

// 2001-09-09: a time at which nothing special happens.
constexpr std::int64_t kStartSeconds = 1'000'000'000;
// The clocks that do not tell the date begin at another one.
constexpr std::int64_t kStartOfOthers = 1000;
constexpr std::uint64_t kBillion = 1'000'000'000;
// How long looking at a clock takes, so that a loop that waits for a time to come ends.
constexpr std::uint64_t kLookNanoseconds = 1000;
// A program that knows no end may give the last date that there is.
constexpr std::int64_t kSecondsMax = 1'000'000'000;

// Time may pass before it, so it is an operation.
std::uint64_t look_as_operation(std::uint64_t pc) {
  Scheduler& s = scheduler();
  s.visible({.kind = OperationKind::kClockRead, .address = kClockObject, .pc = pc});
  s.touch_only(kClockObject, Access::kRead);
  s.fairness().note_look(kClockObject, pc);
  if (s.recording().is_on()) s.recording().record().after = s.deadlines().ticks();
  return s.deadlines().ticks();
}

// Time does not pass while the thread runs, so nobody else notices. A thread that does nothing else waits for
// time to pass.
std::uint64_t look_while_it_stands(std::uint64_t pc) {
  Scheduler& s = scheduler();
  s.loops().note_use_of_clock(LoopWaits::ClockUse::kRead);
  current->has_only_looked = false;
  current->has_read_clock = true;
  if (!s.deadlines().has_polled_clock()) return s.deadlines().ticks();
  const std::uint64_t wait = s.deadlines().next_poll();
  const timespec duration{.tv_sec = static_cast<time_t>(wait / kBillion),
                          .tv_nsec = static_cast<long>(wait % kBillion)};
  s.visible_until({.kind = OperationKind::kSleep, .expires = true, .pc = pc}, within(&duration));
  return s.deadlines().ticks();
}

// The clock is the same for all threads, so that looking at it is an order among them.
std::uint64_t look(std::uint64_t pc) {
  Scheduler& s = scheduler();
  if (current != nullptr) {
    s.deadlines().note_use_of_date();
    if (s.configuration().follows_deadlines) return look_as_operation(pc);
    if (s.configuration().fires_early) return current->has_read_clock = true, look_as_operation(pc);
    if (s.configuration().passes_when_idle) return look_while_it_stands(pc);
    s.touch(kClockObject, Access::kWrite);
    s.loops().note_use_of_clock(LoopWaits::ClockUse::kRead);
    current->has_only_looked = false;
    current->has_read_clock = true;
  }
  s.deadlines().let_pass(kLookNanoseconds);
  return s.deadlines().ticks();
}

timespec now(clockid_t clock, std::uint64_t pc) {
  const std::uint64_t nanoseconds = look(pc);
  const bool is_calendar = clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI;
  return {.tv_sec = static_cast<time_t>((is_calendar ? kStartSeconds : kStartOfOthers)) +
                    static_cast<time_t>(nanoseconds / kBillion),
          .tv_nsec = static_cast<long>(nanoseconds % kBillion)};
}

std::uint64_t nanoseconds_of(const timespec& time) {
  return static_cast<std::uint64_t>(time.tv_sec) * kBillion + static_cast<std::uint64_t>(time.tv_nsec);
}

// Two operations that wait for a time to come commute; neither commutes with one that looks at the clock, or
// makes it later by some time.
void pass_to(std::uint64_t ticks) {
  Scheduler& s = scheduler();
  s.touch_only(kClockObject, Access::kRead);
  current->loop.sleeps = true;
  s.deadlines().let_pass_until(ticks);
}

int sleep_until(const TimeLimit& limit, std::uint64_t pc) {
  if (current == nullptr) return 0;
  Scheduler& s = scheduler();
  const bool waits_for_time = s.configuration().follows_deadlines || s.configuration().passes_when_idle;
  // It lies on the stack, where what time it is would tell states apart.
  const std::uint64_t begin = s.configuration().by_states ? 0 : s.deadlines().ticks();
  s.visible_until({.kind = OperationKind::kSleep, .expires = waits_for_time, .pc = pc}, limit);
  if (s.configuration().passes_when_idle) current->has_only_looked = current->loop.sleeps = true;
  // The other threads have gone before
  if (s.deadlines().ticks() > begin && s.configuration().passes_when_idle) return 0;
  if (!waits_for_time) {
    s.touch(kClockObject, Access::kWrite);
    const std::uint64_t deadline = deadline_of(limit);
    if (deadline != kNever) s.deadlines().let_pass_until(deadline);
    current->has_only_looked = current->loop.sleeps = true;
  }
  s.fairness().stand_back();
  return 0;
}

void fill_randomly(void* bytes, std::size_t size, std::uint64_t pc) {
  use_library(changes(LibraryState::kSystemRandom), pc);
  Random random(++scheduler().random_state);
  auto* at = static_cast<unsigned char*>(bytes);
  for (std::size_t i = 0; i < size; ++i) at[i] = static_cast<unsigned char>(random.next());
}

// Negative for one before the start.
std::int64_t seconds_from_start(const timespec& date) {
  return date.tv_sec - (date.tv_sec < kStartSeconds / 2 ? kStartOfOthers : kStartSeconds);
}

}  // namespace

std::uint64_t deadline_of(const TimeLimit& limit) {
  if (limit.kind == TimeLimit::Kind::kNone) return kNever;
  if (limit.kind == TimeLimit::Kind::kTries) return kAtAnyTime;
  const bool is_date = limit.kind == TimeLimit::Kind::kAt;
  if (is_date) scheduler().deadlines().note_use_of_date();
  const std::int64_t seconds = is_date ? seconds_from_start(*limit.time) : limit.time->tv_sec;
  if (seconds > kSecondsMax) return kNever;
  const std::uint64_t ticks =
      seconds < 0 ? 0 : nanoseconds_of({.tv_sec = seconds, .tv_nsec = limit.time->tv_nsec});
  return is_date ? ticks : scheduler().deadlines().ticks() + ticks;
}

void pass_time(const TimeLimit& limit) {
  if (current == nullptr || limit.kind == TimeLimit::Kind::kNone) return;
  // A thread that gives up at once has only looked.
  if (scheduler().configuration().passes_when_idle && !current->has_waited_for_time) return;
  if (scheduler().configuration().follows_deadlines || scheduler().configuration().passes_when_idle) {
    // The time has passed already. Others depend on that, so it was no mere look.
    current->has_only_looked = false;
    return;
  }
  if (limit.kind == TimeLimit::Kind::kAt && seconds_from_start(*limit.time) < 0) return;
  const std::uint64_t deadline = deadline_of(limit);
  if (deadline == kNever) return;
  if (limit.kind == TimeLimit::Kind::kAfter) scheduler().touch_only(kClockObject, Access::kWrite);
  pass_to(deadline);
}

RAVEL_EXPORT int clock_gettime(clockid_t clock, timespec* time) noexcept {
  if (current == nullptr) return real().clock_gettime != nullptr ? real().clock_gettime(clock, time) : -1;
  *time = now(clock, RAVEL_CALLER);
  return 0;
}
RAVEL_EXPORT int gettimeofday(timeval* time, void*) noexcept {
  const timespec precise = now(CLOCK_REALTIME, RAVEL_CALLER);
  *time = {.tv_sec = precise.tv_sec, .tv_usec = precise.tv_nsec / 1000};
  return 0;
}
RAVEL_EXPORT time_t time(time_t* result) noexcept {
  const time_t seconds = now(CLOCK_REALTIME, RAVEL_CALLER).tv_sec;
  if (result != nullptr) *result = seconds;
  return seconds;
}
RAVEL_EXPORT int timespec_get(timespec* result, int base) noexcept {
  *result = now(CLOCK_REALTIME, RAVEL_CALLER);
  return base;
}
RAVEL_EXPORT clock_t clock() noexcept { return static_cast<clock_t>(look(RAVEL_CALLER) / 1000); }

// No sleep is interrupted, so what would be left of it is not written: it may lie where the wanted time does.
RAVEL_EXPORT int nanosleep(const timespec* wanted, timespec*) {
  return sleep_until(within(wanted), RAVEL_CALLER);
}
RAVEL_EXPORT int clock_nanosleep(clockid_t, int flags, const timespec* wanted, timespec*) {
  return sleep_until((flags & TIMER_ABSTIME) != 0 ? until(wanted) : within(wanted), RAVEL_CALLER);
}
RAVEL_EXPORT int usleep(useconds_t microseconds) {
  const timespec duration{.tv_sec = microseconds / 1'000'000, .tv_nsec = microseconds % 1'000'000 * 1000L};
  return sleep_until(within(&duration), RAVEL_CALLER);
}
RAVEL_EXPORT unsigned sleep(unsigned seconds) {
  const timespec duration{.tv_sec = seconds, .tv_nsec = 0};
  sleep_until(within(&duration), RAVEL_CALLER);
  return 0;
}
RAVEL_EXPORT int thrd_sleep(const timespec* wanted, timespec*) {
  return sleep_until(within(wanted), RAVEL_CALLER);
}

RAVEL_EXPORT ssize_t getrandom(void* bytes, std::size_t size, unsigned) {
  fill_randomly(bytes, size, RAVEL_CALLER);
  return static_cast<ssize_t>(size);
}
RAVEL_EXPORT int getentropy(void* bytes, std::size_t size) {
  fill_randomly(bytes, size, RAVEL_CALLER);
  return 0;
}
// std::random_device, whose own source is an instruction of the processor.
RAVEL_EXPORT unsigned _ZNSt13random_device9_M_getvalEv(void*) {
  unsigned value;
  fill_randomly(&value, sizeof value, RAVEL_CALLER);
  return value;
}

}  // namespace ravel::threads
