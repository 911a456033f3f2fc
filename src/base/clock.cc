#include "base/clock.h"

#include <chrono>

namespace ravel {

double SteadyClock::seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace ravel
