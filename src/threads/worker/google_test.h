// Failures of Google Test as bugs.
//
// With GTEST_BREAK_ON_FAILURE the library prints what has failed and then executes a trap. So the failing thread is stopped at the
// failed assertion, and what it was stands at the end of the output.

#pragma once

#include <optional>
#include <string_view>

#include "threads/protocol/operation.h"

namespace ravel::threads {

// The last failure that this output tells, without a stack.
std::optional<RawBug> parse_failure(std::string_view output);

// The failure that was printed last and is not told yet; nothing if the trap is behind one that the program expects.
// REQUIRES: the running thread is at a trap.
std::optional<RawBug> take_failure();

}  // namespace ravel::threads
