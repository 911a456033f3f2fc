// What the variables of a program of C or C++ are called, for strategies that ask (strategy/variables.h).
//
// A word of the heap is named by the calls that allocated its block, the how-many-th block that these
// allocated in the execution, and its place in the block; a whole block by the first two; or all blocks that
// one statement allocates count as one variable. Anything else is named by its address, which is the same in
// all executions.

#pragma once

#include "strategy/variables.h"
#include "threads/search/searched_program.h"

namespace ravel::threads {

// References to both are kept.
VariableOf variables_of(const SearchedProgram& program, const VariableNaming& naming);

// The blocks of the heap, and the global variables of more than a word. References to both are kept.
WholeOf wholes_of(const SearchedProgram& program, const std::vector<Extent>& globals);

}  // namespace ravel::threads
