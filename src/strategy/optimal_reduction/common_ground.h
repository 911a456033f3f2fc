// What copies of one process know alike, from before they parted: the numbers that the System has given to
// objects and actors by then are the same in all of them. What steps touch can be told by such numbers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/divisible.h"
#include "engine/transition.h"
#include "strategy/history/number_map.h"

namespace ravel::reduction {

struct ObjectsInCommon final : CommonGround {
  NumberMap objects;
  std::vector<bool> actors;  // by number, whether it had been given

  bool has(ActorId actor) const {
    return static_cast<std::uint32_t>(actor) < actors.size() && actors[static_cast<std::uint32_t>(actor)];
  }
  // Whether these touches mean the same everywhere.
  bool has(std::span<const Touch> touches) const {
    return std::ranges::all_of(touches,
                               [&](const Touch& touch) { return objects.find(touch.object).has_value(); });
  }
};

}  // namespace ravel::reduction
