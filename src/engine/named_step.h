// Steps of schedules by logical names, which mean the same to all System objects of a program, in any
// process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/actor.h"
#include "engine/transition.h"

namespace ravel {

struct Recording;
class System;

struct NamedStep {
  ActorName actor = {};
  std::uint32_t alternative = 0;
  TransitionKind kind = TransitionKind::kOperation;

  friend bool operator==(const NamedStep&, const NamedStep&) = default;
};

// Named steps as transitions of a System, which is left in some state; or the number of the first step, from
// 1, that cannot be taken.
struct FoundSteps {
  std::vector<Transition> transitions;
  std::optional<std::size_t> missing;
};
FoundSteps find_steps(System& system, std::span<const NamedStep> steps);

std::vector<NamedStep> name_steps(std::span<const Transition> schedule, const System& system);
std::vector<NamedStep> steps_of(const Recording& recording);

}  // namespace ravel
