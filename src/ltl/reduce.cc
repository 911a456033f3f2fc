#include "ltl/reduce.h"

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <utility>

#include "base/check.h"
#include "ltl/components.h"

namespace ravel::ltl {
namespace {

using State = std::uint32_t;
constexpr State kNone = Components::kNone;

bool is_subset(std::uint64_t a, std::uint64_t b) { return (a & ~b) == 0; }

// Whether `wide` allows each letter that `narrow` allows.
bool allows_more(const AutomatonEdge& wide, const AutomatonEdge& narrow) {
  return is_subset(wide.required, narrow.required) && is_subset(wide.forbidden, narrow.forbidden);
}

void sort_edges(Automaton& automaton) {
  for (auto& edges : automaton.states) {
    std::ranges::sort(edges);
    edges.erase(std::ranges::unique(edges).begin(), edges.end());
  }
}

// Gives states the numbers in `new_number` (kNone: the state goes, and edges to it), and to each number the
// edges of the first state that has it.
void renumber(Automaton& automaton, const std::vector<State>& new_number, std::size_t count) {
  std::vector<std::vector<AutomatonEdge>> states(count);
  std::vector<bool> is_done(count);
  for (State state = 0; state < automaton.states.size(); ++state) {
    const State number = new_number[state];
    if (number == kNone || is_done[number]) continue;
    is_done[number] = true;
    for (AutomatonEdge edge : automaton.states[state]) {
      edge.target = new_number[edge.target];
      if (edge.target != kNone) states[number].push_back(edge);
    }
  }
  automaton.states = std::move(states);
  sort_edges(automaton);
}

// Step 1. Returns the component of each state, all of which are left.
std::vector<State> drop_useless(Automaton& automaton) {
  const Components components(automaton);
  const std::vector<State>& component = components.of;
  const std::vector<bool>& is_accepting = components.is_accepting;
  std::vector<bool> is_useful = is_accepting;
  // Components are numbered from the last ones that are reached.
  std::vector<State> by_component(automaton.states.size());
  for (State state = 0; state < automaton.states.size(); ++state) by_component[state] = state;
  std::ranges::stable_sort(by_component, {}, [&](State state) { return component[state]; });
  for (const State state : by_component) {
    if (component[state] == kNone) continue;
    for (const AutomatonEdge& edge : automaton.states[state])
      if (is_useful[component[edge.target]]) is_useful[component[state]] = true;
  }
  std::vector<State> numbers(automaton.states.size(), kNone), kept_components;
  State next = 0;
  for (State state = 0; state < automaton.states.size(); ++state) {
    if (component[state] == kNone) continue;
    if (is_useful[component[state]] || state == 0) {
      numbers[state] = next++;
      kept_components.push_back(component[state]);
    }
    for (AutomatonEdge& edge : automaton.states[state])
      if (component[edge.target] != component[state] || !is_accepting[component[state]]) edge.acceptance = 0;
  }
  const bool is_empty = !is_useful[component[0]];
  renumber(automaton, numbers, next);
  if (is_empty) {
    automaton.states.assign(1, {});
    kept_components.assign(1, 0);
  }
  return kept_components;
}

// Step 2. REQUIRES: the component of each state.
void drop_needless_acceptance(Automaton& automaton, const std::vector<State>& component) {
  const std::uint64_t all = automaton.all_acceptance_sets();
  // follows[a]: the sets that contain each edge of a. Edges without acceptance sets do not matter.
  std::vector<std::uint64_t> follows(automaton.acceptance_sets, all);
  std::uint64_t on_all = all;  // sets that each edge of a cycle is in
  for (State state = 0; state < automaton.states.size(); ++state)
    for (const AutomatonEdge& edge : automaton.states[state]) {
      if (component[edge.target] == component[state]) on_all &= edge.acceptance;
      for (std::uint64_t rest = edge.acceptance; rest != 0; rest &= rest - 1)
        follows[static_cast<std::size_t>(std::countr_zero(rest))] &= edge.acceptance;
    }
  std::uint64_t kept = all & ~on_all;
  for (unsigned set = 0; set < automaton.acceptance_sets; ++set) {
    if ((kept >> set & 1) == 0) continue;
    const std::uint64_t others = follows[set] & kept & ~(std::uint64_t{1} << set);
    kept &= ~others;
  }
  for (auto& edges : automaton.states)
    for (AutomatonEdge& edge : edges) {
      std::uint64_t packed = 0;
      unsigned place = 0;
      for (std::uint64_t rest = kept; rest != 0; rest &= rest - 1, ++place)
        if ((edge.acceptance & rest & -rest) != 0) packed |= std::uint64_t{1} << place;
      edge.acceptance = packed;
    }
  automaton.acceptance_sets = static_cast<unsigned>(std::popcount(kept));
  sort_edges(automaton);
}

// Step 3.
void merge_bisimilar(Automaton& automaton) {
  std::vector<State> block(automaton.states.size(), 0);
  for (std::size_t count = 1;;) {
    std::map<std::pair<State, std::vector<AutomatonEdge>>, State> blocks;
    std::vector<State> refined;
    for (State state = 0; state < automaton.states.size(); ++state) {
      std::vector<AutomatonEdge> edges = automaton.states[state];
      for (AutomatonEdge& edge : edges) edge.target = block[edge.target];
      std::ranges::sort(edges);
      edges.erase(std::ranges::unique(edges).begin(), edges.end());
      refined.push_back(
          blocks.try_emplace({block[state], std::move(edges)}, static_cast<State>(blocks.size()))
              .first->second);
    }
    block = std::move(refined);
    if (blocks.size() == count) break;
    count = blocks.size();
  }
  renumber(automaton, block, 1 + std::ranges::max(block));
}

// Which states simulate which: the greatest relation as defined in reduce.h.
class Simulation {
 public:
  explicit Simulation(const Automaton& automaton)
      : automaton_(automaton), size_(automaton.states.size()), simulates_(size_ * size_, true) {
    for (bool has_changed = true; has_changed;) {
      has_changed = false;
      for (State a = 0; a < size_; ++a)
        for (State b = 0; b < size_; ++b)
          if (simulates(a, b) && !matches_edges(a, b)) {
            simulates_[a * size_ + b] = false;
            has_changed = true;
          }
    }
  }

  // Whether `a` can do whatever `b` can do.
  bool simulates(State a, State b) const { return simulates_[a * size_ + b]; }

  static bool is_affordable(const Automaton& automaton) {
    const std::size_t edges = automaton.edge_count();
    return edges * edges <= kComparisonsMax && automaton.states.size() <= 1024;
  }

 private:
  bool matches_edges(State a, State b) const {
    return std::ranges::all_of(automaton_.states[b], [&](const AutomatonEdge& edge) {
      return std::ranges::any_of(automaton_.states[a], [&](const AutomatonEdge& match) {
        return allows_more(match, edge) && is_subset(edge.acceptance, match.acceptance) &&
               simulates(match.target, edge.target);
      });
    });
  }

  const Automaton& automaton_;
  const std::size_t size_;
  std::vector<bool> simulates_;
};

// The letters of `edge` without those of `taken`, if one conjunction of literals can say it: `taken` has one
// literal more.
std::optional<AutomatonEdge> without_letters(AutomatonEdge edge, const AutomatonEdge& taken) {
  const std::uint64_t required = taken.required & ~edge.required,
                      forbidden = taken.forbidden & ~edge.forbidden;
  if (std::popcount(required) + std::popcount(forbidden) != 1) return std::nullopt;
  if ((taken.required & edge.forbidden) != 0 || (taken.forbidden & edge.required) != 0) return std::nullopt;
  edge.forbidden |= required;
  edge.required |= forbidden;
  return edge;
}

// Step 5. For each letter the edges that are best with it stay: of edges that are equally good, the first. A
// letter that is taken from an edge is allowed by a better one as it was at the start, and the best of
// these for that letter keeps it.
void prune_edges(std::vector<AutomatonEdge>& edges, const Simulation& simulation) {
  const std::vector<AutomatonEdge> before = edges;
  const auto is_better = [&](std::size_t a, std::size_t b) {
    const AutomatonEdge &one = before[a], &other = before[b];
    if (a == b || !is_subset(other.acceptance, one.acceptance)) return false;
    if (!simulation.simulates(one.target, other.target)) return false;
    const bool is_as_good =
        one.acceptance == other.acceptance && simulation.simulates(other.target, one.target);
    return !is_as_good || a < b;
  };
  std::vector<AutomatonEdge> kept;
  for (std::size_t i = 0; i < before.size(); ++i) {
    std::optional<AutomatonEdge> edge = before[i];
    for (std::size_t j = 0; j < before.size() && edge; ++j) {
      if (!is_better(j, i)) continue;
      if (allows_more(before[j], *edge)) {
        edge.reset();
      } else if (const auto smaller = without_letters(*edge, before[j])) {
        edge = smaller;
      }
    }
    if (edge) kept.push_back(*edge);
  }
  edges = std::move(kept);
}

// Steps 4 and 5.
void reduce_by_simulation(Automaton& automaton) {
  if (!Simulation::is_affordable(automaton)) return;
  const Simulation simulation(automaton);
  std::vector<State> numbers(automaton.states.size(), kNone);
  State count = 0;
  for (State state = 0; state < numbers.size(); ++state) {
    for (State first = 0; first < state && numbers[state] == kNone; ++first)
      if (simulation.simulates(state, first) && simulation.simulates(first, state))
        numbers[state] = numbers[first];
    if (numbers[state] == kNone) numbers[state] = count++;
  }
  for (auto& edges : automaton.states) prune_edges(edges, simulation);
  renumber(automaton, numbers, count);
}

// Step 6. Repeated, since what has become wider may go with others in turn.
void join_edges(std::vector<AutomatonEdge>& edges) {
  const auto joins = [](AutomatonEdge& a, const AutomatonEdge& b) {
    if (a.target != b.target || a.acceptance != b.acceptance) return false;
    if (allows_more(a, b)) return true;
    const std::uint64_t literal = a.required ^ b.required;
    if (std::popcount(literal) != 1 || (a.forbidden ^ b.forbidden) != literal) return false;
    a.required &= ~literal;
    a.forbidden &= ~literal;
    return true;
  };
  for (std::size_t count = 0; count != edges.size();) {
    count = edges.size();
    for (std::size_t i = 0; i < edges.size(); ++i) {
      std::size_t j = 0;
      while (j < edges.size()) {
        if (i == j || !joins(edges[i], edges[j])) {
          ++j;
          continue;
        }
        edges.erase(edges.begin() + static_cast<long>(j));
        if (j < i) --i;
      }
    }
  }
}

// Numbers in the order in which a breadth-first search from state 0 meets the states.
void order_by_distance(Automaton& automaton) {
  std::vector<State> numbers(automaton.states.size(), kNone), queue = {0};
  numbers[0] = 0;
  for (std::size_t at = 0; at < queue.size(); ++at)
    for (const AutomatonEdge& edge : automaton.states[queue[at]])
      if (numbers[edge.target] == kNone) {
        numbers[edge.target] = static_cast<State>(queue.size());
        queue.push_back(edge.target);
      }
  renumber(automaton, numbers, queue.size());
}

}  // namespace

void reduce(Automaton& automaton) {
  CHECK(!automaton.states.empty());
  sort_edges(automaton);
  for (;;) {
    const auto before = automaton.states;
    drop_needless_acceptance(automaton, drop_useless(automaton));
    merge_bisimilar(automaton);
    reduce_by_simulation(automaton);
    for (auto& edges : automaton.states) join_edges(edges);
    sort_edges(automaton);
    if (automaton.states == before) break;
  }
  order_by_distance(automaton);
}

}  // namespace ravel::ltl
