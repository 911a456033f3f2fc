// How much one execution may allocate. Blocks of the heap are never used again within one, so an execution
// that allocates and frees without end takes memory without end, too.

#pragma once

#include <cstdint>

namespace ravel::threads {

// A share of the machine's memory, or of the limit on address space.
std::uint64_t heap_limit();
// Bytes of all blocks of this execution, freed ones included.
std::uint64_t heap_taken();
// Whether heap_taken() is more than heap_limit().
bool is_heap_exhausted();

}  // namespace ravel::threads
