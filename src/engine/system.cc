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
    std::optional<Transition> next;
    for (const Transition& transition : enabled()) {
      if (!happens_by_itself(transition.kind)) continue;
      if (how == GoOn::kWithLast && next && transition.actor != last) continue;
      if (how == GoOn::kWithYoungest && next && transition.actor == next->actor) continue;
      if (how == GoOn::kWithLast && next && next->actor == last) break;
      next = transition;
    }
    last = next->actor;
    step(*next);
  }
}

}  // namespace ravel
