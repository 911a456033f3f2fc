// Runs one part of a search that another process has, maybe on another machine. That process has said which
// accesses are operations, and whether threads stand back for others; what makes these pointless ends the
// part, as a new race does.

#pragma once

#include <string>

#include "parts/run_part.h"
#include "threads/protocol/messages.h"
#include "threads/search/searched_program.h"

namespace ravel::threads {

// `order`: the search, whose limits of time and executions are those of this run. The slice tells all that
// was seen of the program as news. REQUIRES: the program has copies, and the strategy is Divisible.
PartRun run_one_part(SearchedProgram& program, const SearchOrder& order, const Part& part,
                     const Watch& watch);

}  // namespace ravel::threads
