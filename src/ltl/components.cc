#include "ltl/components.h"

#include <algorithm>

namespace ravel::ltl {

// R. Tarjan, "Depth-first search and linear graph algorithms", 1972.
Components::Components(const Automaton& automaton) : of(automaton.states.size(), kNone) {
  struct Frame {
    std::uint32_t state;
    std::size_t edge;
  };
  const std::size_t size = automaton.states.size();
  std::vector<std::uint32_t> order(size, kNone), lowest(size, kNone), open;
  std::vector<Frame> path;
  std::uint32_t clock = 0, count = 0;
  const auto enter = [&](std::uint32_t state) {
    order[state] = lowest[state] = clock++;
    open.push_back(state);
    path.push_back({state, 0});
  };
  enter(0);
  while (!path.empty()) {
    const std::uint32_t state = path.back().state;
    if (path.back().edge < automaton.states[state].size()) {
      const std::uint32_t target = automaton.states[state][path.back().edge++].target;
      if (order[target] == kNone) {
        enter(target);
      } else if (of[target] == kNone) {
        lowest[state] = std::min(lowest[state], order[target]);
      }
      continue;
    }
    path.pop_back();
    if (!path.empty()) lowest[path.back().state] = std::min(lowest[path.back().state], lowest[state]);
    if (lowest[state] != order[state]) continue;
    for (std::uint32_t member = kNone; member != state; open.pop_back()) of[member = open.back()] = count;
    ++count;
  }

  std::vector<std::uint64_t> acceptance(count);
  std::vector<bool> has_cycle(count);
  for (std::size_t state = 0; state < size; ++state) {
    if (of[state] == kNone) continue;
    for (const AutomatonEdge& edge : automaton.states[state]) {
      if (of[edge.target] != of[state]) continue;
      has_cycle[of[state]] = true;
      acceptance[of[state]] |= edge.acceptance;
    }
  }
  for (std::uint32_t one = 0; one < count; ++one)
    is_accepting.push_back(has_cycle[one] && acceptance[one] == automaton.all_acceptance_sets());
}

std::vector<bool> states_before_accepting(const Automaton& automaton) {
  const Components components(automaton);
  std::vector<bool> is_before(automaton.states.size(), true);
  std::vector<std::uint32_t> after;
  const auto note = [&](std::uint32_t state) {
    if (!is_before[state]) return;
    is_before[state] = false;
    after.push_back(state);
  };
  for (std::uint32_t state = 0; state < automaton.states.size(); ++state)
    if (components.of[state] != Components::kNone && components.is_accepting[components.of[state]])
      note(state);
  for (std::size_t at = 0; at < after.size(); ++at)
    for (const AutomatonEdge& edge : automaton.states[after[at]]) note(edge.target);
  return is_before;
}

}  // namespace ravel::ltl
