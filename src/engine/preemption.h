// Preemptions: switches that the program did not ask for.
//
// A switch away from an actor that could have gone on is a preemption; a switch that its blocking or
// ending forces is free. Musuvathi & Qadeer, "Iterative context bounding for systematic testing of
// multithreaded programs" (2007); a bug that needs few preemptions has a simple explanation.

#pragma once

#include <optional>
#include <span>

#include "engine/transition.h"

namespace ravel {

// An actor that waits can't go on, though it may be let go early, or be struck by a fault.
inline bool is_enabled(ActorId actor, std::span<const Transition> enabled) {
  for (const Transition& transition : enabled) {
    if (transition.actor == actor && happens_by_itself(transition.kind)) return true;
  }
  return false;
}

inline bool preempts(std::optional<ActorId> previous, std::span<const Transition> enabled, ActorId chosen) {
  return previous.has_value() && *previous != chosen && is_enabled(*previous, enabled);
}

}  // namespace ravel
