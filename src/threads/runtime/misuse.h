// Bugs that the runtime sees itself: calls that the standards leave undefined, or that end badly.

#pragma once

#include <cstdint>
#include <string>

namespace ravel::threads {

// `what` has no subject: "unlocks mutex $A1234; that it does not hold".
[[noreturn]] void fail_misuse(std::string what, std::uint64_t pc);

// The call can't be put under control.
[[noreturn]] void refuse_call(const char* function, const char* why, std::uint64_t pc);

}  // namespace ravel::threads
