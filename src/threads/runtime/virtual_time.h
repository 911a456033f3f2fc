// How time passes for who waits with a time-out. By default a wait may give up at any time, and then it is as
// late as it has said, so that who asks the clock afterwards, as std::condition_variable::wait_until() does,
// need not wait again. Where time follows deadlines a wait gives up when its own has come (deadlines.cc).

#pragma once

#include <errno.h>
#include <time.h>

#include <cstdint>

namespace ravel::threads {

// How long a wait goes on, as its caller says.
struct TimeLimit {
  enum class Kind : std::uint8_t {
    kNone,
    kAt,  // the time tells by itself which clock is meant
    kAfter,
    kTries,  // does not wait
  };
  Kind kind = Kind::kNone;
  const timespec* time = nullptr;
};
inline TimeLimit until(const timespec* deadline) {
  return {.kind = deadline == nullptr ? TimeLimit::Kind::kNone : TimeLimit::Kind::kAt, .time = deadline};
}
inline TimeLimit within(const timespec* duration) {
  return {.kind = duration == nullptr ? TimeLimit::Kind::kNone : TimeLimit::Kind::kAfter, .time = duration};
}

// In ticks, of a wait that begins now.
std::uint64_t deadline_of(const TimeLimit& limit);

// Called where a wait has given up, in the step of the operation that does so.
void pass_time(const TimeLimit& limit);

// The status of a wait, which has given up if it says so.
inline int note_time(int status, const timespec* deadline) {
  if (status == ETIMEDOUT) pass_time(until(deadline));
  return status;
}

}  // namespace ravel::threads
