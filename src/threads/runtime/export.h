// What the program under test sees of the runtime: everything else is hidden.

#pragma once

#define RAVEL_EXPORT extern "C" __attribute__((visibility("default")))

// The program counter of the call, for entry points of the runtime.
#define RAVEL_CALLER (reinterpret_cast<std::uint64_t>(__builtin_return_address(0)) - 1)
