// Ctrl-C ends a search with the results so far; a second one ends the program at once.

#pragma once

#include <atomic>

namespace ravel {

// From now on SIGINT and SIGTERM set the flag, once each. Returns the flag.
const std::atomic<bool>& catch_interrupts();

}  // namespace ravel
