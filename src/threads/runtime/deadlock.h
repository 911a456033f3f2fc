// What a deadlock is told as.

#pragma once

#include <span>

#include "threads/protocol/operation.h"
#include "threads/runtime/thread.h"

namespace ravel::threads {

// REQUIRES: none of these threads can go on, and some have not ended. With the calls that lead to each place,
// if stacks are recorded.
RawBug deadlock_of(std::span<Thread* const> threads, bool has_stacks);

}  // namespace ravel::threads
