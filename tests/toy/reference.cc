#include "tests/toy/reference.h"

#include <algorithm>
#include <deque>
#include <set>

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

std::optional<ReferenceStates> all_states(System& system, const std::function<std::string()>& text_of,
                                          std::size_t states_max) {
  ReferenceStates found;
  std::set<std::string> texts;
  std::deque<std::vector<Transition>> to_expand;
  const auto arrive = [&](const std::vector<Transition>& schedule) {
    run(system, schedule);
    const std::string text = text_of();
    if (!text.empty() && !texts.insert(text).second) return;
    if (!text.empty()) found.depth = std::max(found.depth, schedule.size());
    if (system.outcome() == Outcome::kRunning) return to_expand.push_back(schedule);
    ++found.ends;
    if (system.outcome() == Outcome::kBug) found.bugs.try_emplace(system.bug().key(), schedule.size());
  };
  arrive({});
  for (; !to_expand.empty(); to_expand.pop_front()) {
    if (texts.size() > states_max) return std::nullopt;
    std::vector<Transition> schedule = to_expand.front();
    run(system, schedule);
    const std::vector<Transition> enabled(system.enabled().begin(), system.enabled().end());
    for (const Transition& transition : enabled) {
      ++found.transitions;
      schedule.push_back(transition);
      arrive(schedule);
      schedule.pop_back();
    }
  }
  found.states = texts.size();
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
