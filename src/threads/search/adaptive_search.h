// A whole search of a program of threads.
//
// Which memory accesses are operations is found by the search: those to memory for which a race was seen. When a race is
// seen for other memory, a complete search starts again with that among the operations, and a sampling one goes on with
// it. In the pass that counts, every execution is free of races but for those, so nothing is missed by not
// interleaving the other accesses (Musuvathi & Qadeer 2007, theorem 3.1).
//
// Reduction is tried without fairness first, since who stands back for others depends on all of them; where a thread turns out to wait in a
// loop, the search starts again with it, by preemption bounding with caching.

#pragma once

#include "threads/protocol/messages.h"
#include "threads/search/searched_program.h"

namespace ravel::threads {

// The caller adds the actors.
Searched search(SearchedProgram& program, const SearchOrder& order, const Watch& watch);

// The steps of the prefix where more accesses are operations than when it was noted: those of an actor directly behind its
// step, as they happened then. `missing`: the number of the first step, from 1, that cannot be taken. Leaves the System in some state.
struct FoundPrefix {
  std::vector<Transition> transitions;
  std::optional<std::uint64_t> missing;
};
FoundPrefix find_prefix(SearchedProgram& program, const SearchPrefix& prefix);

}  // namespace ravel::threads
