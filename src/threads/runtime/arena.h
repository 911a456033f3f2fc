// The runtime's own memory, apart from the heap of the program under test.
//
// Free lists by powers of two over one range of addresses. Only one thread of the process runs at any time,
// so there is no lock.

#pragma once

#include <cstddef>
#include <cstdint>

#include "threads/runtime/layout.h"

namespace ravel::threads {

void* arena_allocate(std::size_t size);
void arena_free(void* block);
std::size_t arena_usable_size(void* block);

inline bool in_arena(const void* address) {
  return reinterpret_cast<std::uint64_t>(address) - kArenaBase < kArenaSize;
}

}  // namespace ravel::threads
