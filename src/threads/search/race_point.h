// Where two threads are about to access the same memory, one of them to write there, and either may be first.
//
// An execution in which their accesses raced has one of them long before the other, perhaps. Nothing orders
// the two, so the other thread comes to its access as well if the first one waits before its own.

#pragma once

#include <cstdint>
#include <vector>

#include "threads/search/searched_program.h"

namespace ravel::threads {

// The steps to such a point for one of the races that the execution showed; none if it is not found.
// `tracked`: what was tracked in that execution, as in Configuration; now the words that raced are as well.
// Leaves the System in some state.
std::vector<Transition> find_race_point(SearchedProgram& program, const std::vector<Transition>& schedule,
                                        const std::vector<std::uint64_t>& tracked);

}  // namespace ravel::threads
