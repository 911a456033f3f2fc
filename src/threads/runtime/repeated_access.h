// Whether the same thread has made the same access since it last released anything, in which case there is
// nothing to do.
#pragma once

#include <cstdint>

#include "threads/runtime/scheduler.h"

namespace ravel::threads {

// Wider accesses and those across words have no fast path.
template <std::uint32_t kSize>
[[gnu::always_inline]] inline bool is_in_one_cell(std::uint64_t address) {
  return kSize <= 8 && (address & 7) + kSize <= 8;
}

// REQUIRES: is_in_one_cell<kSize>(address).
template <std::uint32_t kSize, AccessKind kKind>
[[gnu::always_inline]] inline bool is_repeated(const Thread& self, std::uint64_t address) {
  const ShadowCell& cell = shadow_of(address);
  const std::uint64_t bytes = ((std::uint64_t{1} << kSize) - 1) << (address & 7);
  const auto covers = [&](std::uint64_t e) {
    return (e ^ self.fast_epoch) <= epoch::kBytes && (bytes & ~e) == 0;
  };
  if (covers(cell.write)) [[likely]]
    return true;
  if (kKind == AccessKind::kRead && covers(cell.read) && cell.write != epoch::kTracked) [[likely]]
    return true;
  // Where only tracked words matter, the others are all as good as repeated.
  if (!ravel_watched_memory.is_only_tracked) return false;
  return cell.write != epoch::kTracked;
}

}  // namespace ravel::threads
