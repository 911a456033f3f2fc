#include "tests/toy/reference.h"

#include <algorithm>

namespace ravel::toy {

namespace {

void run(System& system, const std::vector<Transition>& schedule) {
  system.reset();
  for (const Transition& transition : schedule) system.step(transition);
}

void explore(System& system, std::vector<Transition>& prefix, std::vector<ReferenceExecution>& found) {
  run(system, prefix);
  if (system.outcome() != Outcome::kRunning) {
    found.push_back({.schedule = prefix,
                     .outcome = system.outcome(),
                     .bug = system.outcome() == Outcome::kBug ? system.bug().key() : "",
                     .preemptions = count_preemptions(system, prefix)});
    return;
  }
  const std::vector<Transition> enabled(system.enabled().begin(), system.enabled().end());
  for (const Transition& transition : enabled) {
    prefix.push_back(transition);
    explore(system, prefix, found);
    prefix.pop_back();
  }
}

}  // namespace

std::vector<ReferenceExecution> all_executions(System& system) {
  std::vector<ReferenceExecution> found;
  std::vector<Transition> prefix;
  explore(system, prefix, found);
  return found;
}

std::uint32_t count_preemptions(System& system, const std::vector<Transition>& schedule) {
  std::uint32_t count = 0;
  system.reset();
  for (std::size_t i = 0; i < schedule.size(); ++i) {
    if (i > 0 && schedule[i].actor != schedule[i - 1].actor) {
      const auto enabled = system.enabled();
      count +=
          std::ranges::any_of(enabled, [&](const Transition& t) { return t.actor == schedule[i - 1].actor; });
    }
    system.step(schedule[i]);
  }
  return count;
}

std::string to_string(const System& system, const std::vector<Transition>& schedule) {
  std::string text;
  for (const Transition& transition : schedule) {
    if (!text.empty()) text += ' ';
    text += system.actor_name(transition.actor).to_string() + ":" + std::to_string(transition.alternative);
    if (transition.kind == TransitionKind::kBlocks) text += "(blocks)";
  }
  return text;
}

}  // namespace ravel::toy
