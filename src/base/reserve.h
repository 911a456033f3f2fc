// Address space for what may grow large: reserved, and not yet memory.

#pragma once

#include <cstddef>

namespace ravel {

struct Reserved {
  void* address = nullptr;
  std::size_t bytes = 0;
};

// `wanted` bytes of address space, or, where the system does not give that much (ulimit -v, overcommitment
// switched off), a share of what it gives. No other mapping begins within `wanted` bytes of the address. Ends
// the program with a message if there is next to nothing.
Reserved reserve(std::size_t wanted);

// Gives back what `reserve(wanted)` gave.
void release(void* address, std::size_t wanted);

}  // namespace ravel
