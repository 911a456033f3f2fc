#include "engine/named_step.h"

#include <algorithm>

#include "engine/recording.h"
#include "engine/system.h"

namespace ravel {

FoundSteps find_steps(System& system, std::span<const NamedStep> steps) {
  FoundSteps found;
  system.reset();
  for (const NamedStep& step : steps) {
    const auto actor = system.find_actor(step.actor);
    const auto place = std::ranges::find_if(system.enabled(), [&](const Transition& transition) {
      return transition.actor == actor && transition.alternative == step.alternative &&
             transition.kind == step.kind;
    });
    if (place == system.enabled().end()) {
      found.missing = found.transitions.size() + 1;
      break;
    }
    found.transitions.push_back(*place);
    system.step(found.transitions.back());
  }
  return found;
}

std::vector<NamedStep> name_steps(std::span<const Transition> schedule, const System& system) {
  std::vector<NamedStep> steps;
  for (const Transition& step : schedule)
    steps.push_back(
        {.actor = system.actor_name(step.actor), .alternative = step.alternative, .kind = step.kind});
  return steps;
}

std::vector<NamedStep> steps_of(const Recording& recording) {
  std::vector<NamedStep> steps;
  for (const RecordedEvent& event : recording.events)
    steps.push_back(
        {.actor = event.actor, .alternative = event.transition.alternative, .kind = event.transition.kind});
  return steps;
}

}  // namespace ravel
