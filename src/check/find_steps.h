// Schedules by logical names, and what they are in one System.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "engine/recording.h"
#include "engine/system.h"
#include "races/observation.h"

namespace ravel {

// The same steps as transitions of this System, which it leaves in some state; or the number of the first one, from 1,
// that cannot be taken.
struct FoundSteps {
  std::vector<Transition> transitions;
  std::optional<std::size_t> missing;
};
FoundSteps find_steps(System& system, std::span<const NamedStep> steps);

std::vector<NamedStep> name_steps(std::span<const Transition> schedule, const System& system);
std::vector<NamedStep> steps_of(const Recording& recording);

}  // namespace ravel
