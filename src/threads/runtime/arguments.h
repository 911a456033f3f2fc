// The program's arguments and environment, on pages of their own.
//
// The kernel puts them on the stack of the process, among what changes all the time. Copied to a place of
// their own they have the same addresses whatever the caller's environment is, and need to be put back only
// if the program changes them.

#pragma once

#include <cstdint>
#include <utility>

namespace ravel::threads {

struct MainFunction;

// Moves them, and what `environ` points to; where they are now.
std::pair<std::uint64_t, std::uint64_t> move_arguments(MainFunction& main);

}  // namespace ravel::threads
