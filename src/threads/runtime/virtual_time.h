// How time passes for who waits with a time-out. It is virtual: a wait may give up at any time, and then it is as late as it has said.
// Otherwise a program that asks the clock afterwards, as std::condition_variable::wait_until() does, would wait again and again.

#pragma once

#include <errno.h>
#include <time.h>

namespace ravel::threads {

// Called where a wait has given up, in the step of the operation that does so. The deadline tells by itself which clock is meant.
void pass_until(const timespec* deadline);
void pass_for(const timespec* duration);

// The status of a wait, which has given up if it says so.
inline int note_time(int status, const timespec* deadline) {
  if (status == ETIMEDOUT) pass_until(deadline);
  return status;
}

}  // namespace ravel::threads
