// The shadow where address space is limited.

#pragma once

#include <cstdint>

namespace ravel::threads {

// Whether a fault was for a piece of the shadow that was not there yet, and now is.
bool map_piece_of_shadow(std::uint64_t address);

}  // namespace ravel::threads
