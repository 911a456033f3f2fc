// Whether two steps depend on each other, by what they touch.

#pragma once

#include <cstdint>
#include <span>

#include "engine/transition.h"
#include "strategy/history/history.h"
#include "strategy/optimal_reduction/step_pool.h"

namespace ravel::reduction {

enum class Dependence : std::uint8_t {
  kNone,
  kCoarse,  // a closer look may show that they commute (Touch::is_coarse)
  kPlain,
};

// The dependence of two steps of different actors that touch these objects.
inline Dependence dependence(std::span<const Touch> those, std::span<const Touch> these) {
  Dependence found = Dependence::kNone;
  for (const Touch& one : those)
    for (const Touch& other : these) {
      if (one.object != other.object || !conflicts(one.access, other.access)) continue;
      if (!one.is_coarse || !other.is_coarse) return Dependence::kPlain;
      found = Dependence::kCoarse;
    }
  return found;
}

inline bool touches_depend(std::span<const Touch> those, std::span<const Touch> these) {
  return dependence(those, these) != Dependence::kNone;
}

// The name of what an event did.
inline StepName step_of(const History& history, EventId event) {
  const Occurrence& known = history[event];
  StepName step{.event = known.name, .alternative = known.alternative};
  if (!known.receives()) return step;
  step.choice = known.taken.event == kNoEvent ? Choice::kExpiry : Choice::kMessage;
  if (known.taken.event == kNoEvent) return step;
  step.sender = history[known.taken.event].name;
  step.touch = known.taken.touch;
  return step;
}

// Whether both are, or may be, the same step of an actor.
inline bool is_same_step(const StepName& one, const StepName& other) {
  if (one.choice != Choice::kAny && other.choice != Choice::kAny) return one == other;
  return one.event == other.event && one.alternative == other.alternative;
}

}  // namespace ravel::reduction
