// Ctrl-C ends a search with the results so far; a second one ends the program at once.

#pragma once

#include <atomic>

namespace ravel {

// From now on SIGINT and SIGTERM set the flag, once each. Returns the flag.
const std::atomic<bool>& catch_interrupts();
// The same for a copy of a process that ends with it: however many come, as from the terminal and from that
// process, they set the flag and nothing else. Holds for later calls of catch_interrupts(), too.
const std::atomic<bool>& catch_interrupts_as_copy();

}  // namespace ravel
