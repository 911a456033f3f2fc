// Time is virtual: it passes when somebody sleeps or looks at a clock, and for nothing else. Random numbers of the
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

// The clock is the same for all threads, so that looking at it is an order among them.
std::uint64_t look() {
  Scheduler& s = scheduler();
  if (current != nullptr) {
    s.touch(kClockObject, Access::kWrite);
    s.note_use_of_clock(Scheduler::ClockUse::kRead);
    current->note_change();
  }
  return s.ticks += kLookNanoseconds;
}

timespec now(clockid_t clock) {
  const std::uint64_t nanoseconds = look();
  const bool is_calendar = clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI;
  return {.tv_sec = static_cast<time_t>((is_calendar ? kStartSeconds : kStartOfOthers)) + static_cast<time_t>(nanoseconds / kBillion),
          .tv_nsec = static_cast<long>(nanoseconds % kBillion)};
}

std::uint64_t nanoseconds_of(const timespec& time) {
  return static_cast<std::uint64_t>(time.tv_sec) * kBillion + static_cast<std::uint64_t>(time.tv_nsec);
}

// Two that wait for a time to come commute; neither does with who looks at the clock, or makes it later by some time.
void pass_to(std::uint64_t ticks) {
  Scheduler& s = scheduler();
  s.touch_only(kClockObject, Access::kRead);
  current->loop.sleeps = true;
  s.ticks = std::max(s.ticks, ticks);
}

int sleep_for(std::uint64_t nanoseconds, std::uint64_t pc) {
  if (current == nullptr) return 0;
  Scheduler& s = scheduler();
  s.visible({.kind = OperationKind::kSleep, .pc = pc});
  s.touch(kClockObject, Access::kWrite);
  s.ticks += nanoseconds;
  current->has_only_looked = current->loop.sleeps = true;
  s.stand_back();
  return 0;
}

void fill_randomly(void* bytes, std::size_t size, std::uint64_t pc) {
  use_library(changes(LibraryState::kSystemRandom), pc);
  Random random(++scheduler().random_state);
  auto* at = static_cast<unsigned char*>(bytes);
  for (std::size_t i = 0; i < size; ++i) at[i] = static_cast<unsigned char>(random.next());
}

}  // namespace

void pass_until(const timespec* deadline) {
  if (current == nullptr || deadline == nullptr) return;
  const std::int64_t start = deadline->tv_sec < kStartSeconds / 2 ? kStartOfOthers : kStartSeconds;
  const std::int64_t seconds = deadline->tv_sec - start;
  // A program that knows no end may give the last date that there is.
  constexpr std::int64_t kSecondsMax = 1'000'000'000;
  if (seconds < 0 || seconds > kSecondsMax) return;
  pass_to(nanoseconds_of({.tv_sec = seconds, .tv_nsec = deadline->tv_nsec}));
}

void pass_for(const timespec* duration) {
  if (current == nullptr || duration == nullptr) return;
  scheduler().touch_only(kClockObject, Access::kWrite);
  pass_to(scheduler().ticks + nanoseconds_of(*duration));
}

RAVEL_EXPORT int clock_gettime(clockid_t clock, timespec* time) noexcept {
  if (current == nullptr) return real().clock_gettime != nullptr ? real().clock_gettime(clock, time) : -1;
  *time = now(clock);
  return 0;
}
RAVEL_EXPORT int gettimeofday(timeval* time, void*) noexcept {
  const timespec precise = now(CLOCK_REALTIME);
  *time = {.tv_sec = precise.tv_sec, .tv_usec = precise.tv_nsec / 1000};
  return 0;
}
RAVEL_EXPORT time_t time(time_t* result) noexcept {
  const time_t seconds = now(CLOCK_REALTIME).tv_sec;
  if (result != nullptr) *result = seconds;
  return seconds;
}
RAVEL_EXPORT int timespec_get(timespec* result, int base) noexcept {
  *result = now(CLOCK_REALTIME);
  return base;
}
RAVEL_EXPORT clock_t clock() noexcept { return static_cast<clock_t>(look() / 1000); }

// No sleep is interrupted, so what would be left of it is not written: it may lie where the wanted time does.
RAVEL_EXPORT int nanosleep(const timespec* wanted, timespec*) {
  return sleep_for(nanoseconds_of(*wanted), RAVEL_CALLER);
}
RAVEL_EXPORT int clock_nanosleep(clockid_t, int, const timespec* wanted, timespec*) {
  return sleep_for(nanoseconds_of(*wanted) % kBillion, RAVEL_CALLER);
}
RAVEL_EXPORT int usleep(useconds_t microseconds) { return sleep_for(std::uint64_t{microseconds} * 1000, RAVEL_CALLER); }
RAVEL_EXPORT unsigned sleep(unsigned seconds) {
  sleep_for(std::uint64_t{seconds} * kBillion, RAVEL_CALLER);
  return 0;
}
RAVEL_EXPORT int thrd_sleep(const timespec* wanted, timespec*) {
  return sleep_for(nanoseconds_of(*wanted), RAVEL_CALLER);
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
