#include "host/interrupt.h"

#include <csignal>

namespace ravel {

namespace {

// A signal handler can reach nothing but a global.
std::atomic<bool> interrupted = false;
bool is_copy = false;
static_assert(std::atomic<bool>::is_always_lock_free);

}  // namespace

const std::atomic<bool>& catch_interrupts() {
  struct sigaction action = {};
  action.sa_handler = [](int) { interrupted.store(true, std::memory_order_relaxed); };
  action.sa_flags = SA_RESTART;
  if (!is_copy) action.sa_flags |= static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  return interrupted;
}

const std::atomic<bool>& catch_interrupts_as_copy() {
  is_copy = true;
  return catch_interrupts();
}

}  // namespace ravel
