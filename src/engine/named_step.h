// A step of a schedule by logical names, which mean the same to all System objects of a program, in any process.
#pragma once

#include <cstdint>

#include "engine/actor.h"
#include "engine/transition.h"

namespace ravel {

struct NamedStep {
  ActorName actor = {};
  std::uint32_t alternative = 0;
  TransitionKind kind = TransitionKind::kOperation;

  friend bool operator==(const NamedStep&, const NamedStep&) = default;
};

}  // namespace ravel
