// What the C library keeps for a thread in its own description of it, which is not put back: buffers for the
// texts of unknown errors and signals, and whether the thread may be cancelled.

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include <array>
#include <utility>

#include "threads/runtime/export.h"
#include "threads/runtime/scheduler.h"

namespace ravel::threads {

namespace {

// A thread-local variable, which is put back.
thread_local std::array<char, 64> text;
thread_local int cancel_state = PTHREAD_CANCEL_ENABLE, cancel_type = PTHREAD_CANCEL_DEFERRED;

int exchange(int& setting, int wanted, int* old) {
  if (wanted != 0 && wanted != 1) return EINVAL;
  const int before = std::exchange(setting, wanted);
  if (old != nullptr) *old = before;
  return 0;
}

}  // namespace

RAVEL_EXPORT char* strerror(int error) noexcept { return strerror_r(error, text.data(), text.size()); }
RAVEL_EXPORT char* strerror_l(int error, locale_t) noexcept { return strerror(error); }
RAVEL_EXPORT char* strsignal(int number) noexcept {
  if (const char* const known = sigdescr_np(number)) return const_cast<char*>(known);
  const bool is_real_time = number >= SIGRTMIN && number <= SIGRTMAX;
  snprintf(text.data(), text.size(), is_real_time ? "Real-time signal %d" : "Unknown signal %d",
           is_real_time ? number - SIGRTMIN : number);
  return text.data();
}

RAVEL_EXPORT int pthread_setcancelstate(int wanted, int* old) { return exchange(cancel_state, wanted, old); }
RAVEL_EXPORT int pthread_setcanceltype(int wanted, int* old) { return exchange(cancel_type, wanted, old); }

}  // namespace ravel::threads
