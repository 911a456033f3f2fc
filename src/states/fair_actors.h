// Who is sure to move some day, so that an execution which never lets him is unfair.
//
// A timeout that fires early need never do so, nor need a fault strike, and a wait that nobody notices is no
// move.
#pragma once

#include <cstdint>

#include "engine/transition.h"
#include "fair_cycles/graph.h"

namespace ravel {

constexpr bool is_sure_to_move(const Transition& transition) {
  return transition.kind == TransitionKind::kOperation || transition.kind == TransitionKind::kPasses;
}

constexpr fair_cycles::Actor fair_actor(ActorId actor) {
  return fair_cycles::Actor{static_cast<std::uint32_t>(actor)};
}

}  // namespace ravel
