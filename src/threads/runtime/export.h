// What the program under test sees of the runtime: everything else is hidden.

#pragma once

#define RAVEL_EXPORT_PLAIN extern "C" __attribute__((visibility("default")))

// A function that may be an operation of the calling thread: it begins with five bytes that do nothing, in
// the place of which it can be made to begin on a clean stack (clean_entries.h).
#define RAVEL_EXPORT extern "C" __attribute__((visibility("default"), patchable_function_entry(5)))

// The program counter of the call, for entry points of the runtime.
#define RAVEL_CALLER (reinterpret_cast<std::uint64_t>(__builtin_return_address(0)) - 1)
