// A whole search of a program of threads.
//
// Which memory accesses are operations is found by the search: those to memory for which a race was seen.
// When a race is seen for other memory, a complete search starts again with that among the operations, and a
// sampling one goes on with it. In the pass that counts, every execution is free of races except for those,
// so nothing is missed by not interleaving the other accesses (Musuvathi & Qadeer 2007, theorem 3.1).
//
// Reduction is tried without fairness first, since who stands back for others depends on all of them; where a
// thread turns out to wait in a loop, the search starts again with it, by preemption bounding with caching.
//
// What two threads do that race with each other is seldom right, and seldom fails in the execution that shows
// it, whose accesses were no operations. So a sampling search takes some executions to the place where both
// are about to access the memory, and goes on from there at random, before it draws again (compare K. Sen,
// "Race directed random testing of concurrent programs", PLDI 2008).

#pragma once

#include "threads/protocol/messages.h"
#include "threads/protocol/search_parts.h"
#include "threads/search/searched_program.h"

namespace ravel::threads {

struct SearchEnd {
  Searched searched;  // the caller adds the actors
  PartsEnd parts;
};
SearchEnd search(SearchedProgram& program, const SearchOrder& order, const SearchJobs& jobs,
                 const Watch& watch);

}  // namespace ravel::threads
