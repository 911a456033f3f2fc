#include "engine/system.h"

#include <algorithm>

namespace ravel {

std::size_t System::follow(std::span<const Transition> transitions) {
  std::size_t taken = 0;
  for (const Transition& transition : transitions) {
    if (std::ranges::find(enabled(), transition) == enabled().end()) break;
    step(transition);
    ++taken;
  }
  return taken;
}

void System::run_on(std::optional<ActorId> last, GoOn how, std::uint64_t steps_max) {
  for (std::uint64_t steps = 0; steps < steps_max && outcome() == Outcome::kRunning; ++steps) {
    const std::span<const Transition> all = enabled();
    const std::optional<ActorId> wanted = how == GoOn::kWithLast ? last : all.back().actor;
    const auto same = std::ranges::find_if(all, [&](const Transition& transition) { return transition.actor == wanted; });
    const Transition next = same == all.end() ? all.front() : *same;
    last = next.actor;
    step(next);
  }
}

}  // namespace ravel
