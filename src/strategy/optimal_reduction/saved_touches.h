// What steps touch, as copies of one process tell each other by the numbers that they have in common.

#pragma once

#include <unistd.h>

#include <cstdint>
#include <vector>

#include "base/hash.h"
#include "engine/position.h"
#include "engine/transition.h"
#include "strategy/optimal_reduction/step_pool.h"

namespace ravel::reduction {

// How a touch is written besides its object and message: bits.
inline constexpr unsigned kAccessBits = 5;
inline constexpr std::uint64_t kDecides = 1U << kAccessBits, kIsPriority = 2U << kAccessBits,
                               kIsCoarse = 4U << kAccessBits;

inline void put_touches(PositionWriter& writer, const Step& step) {
  writer.put_all(step.touches, [&](const Touch& touch) {
    writer.put(touch.object);
    writer.put(static_cast<std::uint64_t>(touch.access) | (touch.decides ? kDecides : 0) |
               (touch.is_priority ? kIsPriority : 0) | (touch.is_coarse ? kIsCoarse : 0));
    writer.put(touch.message);
  });
  // Equal keys of two processes need not mean the same
  writer.put(step.close_key == 0 ? 0 : combine(step.close_key, static_cast<std::uint64_t>(getpid())));
}

// Reads them, and returns the key of coarse ones. `is_damaged` becomes true if the bytes are.
inline std::uint64_t get_touches(PositionReader& reader, std::vector<Touch>& touches, bool& is_damaged) {
  touches.clear();
  reader.get_all([&] {
    Touch touch{.object = reader.get()};
    const std::uint64_t how = reader.get();
    const std::uint64_t access = how & (kDecides - 1);
    if (access > static_cast<std::uint64_t>(Access::kPass)) is_damaged = true;
    touch.access = static_cast<Access>(access);
    touch.decides = (how & kDecides) != 0;
    touch.is_priority = (how & kIsPriority) != 0;
    touch.is_coarse = (how & kIsCoarse) != 0;
    touch.message = reader.get32();
    touches.push_back(touch);
  });
  return reader.get();
}

}  // namespace ravel::reduction
