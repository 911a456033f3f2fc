#include "states/polling_loops.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "base/check.h"
#include "states/fair_actors.h"

namespace ravel {

// The transitions that may be in a cycle. Node 0 leads to all states that have some.
class PollingLoops::Cycles final : public fair_cycles::Graph {
 public:
  explicit Cycles(const PollingLoops& loops) : loops_(loops), edges_(loops.edges_) {
    std::ranges::stable_sort(edges_, {}, &Edge::from);
    for (const Edge& edge : edges_)
      if (states_.empty() || states_.back() != edge.from) states_.push_back(edge.from);
    std::erase_if(edges_, [&](const Edge& edge) { return !std::ranges::binary_search(states_, edge.to); });
  }

  bool is_empty() const { return edges_.empty(); }

  fair_cycles::Node initial() override { return fair_cycles::Node{0}; }

  void expand(fair_cycles::Node node, fair_cycles::Expansion& expansion) override {
    const auto number = static_cast<std::uint32_t>(node);
    if (number == 0) {
      for (std::uint32_t i = 1; i <= states_.size(); ++i)
        expansion.edges.push_back({.target = fair_cycles::Node{i}});
      return;
    }
    const std::span<const Edge> edges = edges_of(state_of(node));
    for (const Edge& edge : edges)
      expansion.edges.push_back({.target = node_of(edge.to), .actor = loops_.labels_[edge.label].mover});
    if (edges.empty()) return;
    const auto enabled = loops_.sets_.members(loops_.labels_[edges.front().label].enabled);
    expansion.enabled.assign(enabled.begin(), enabled.end());
  }

  StateNumber state_at(fair_cycles::Node node) const { return StateNumber{state_of(node)}; }
  std::uint32_t index_of(const fair_cycles::Step& step) const {
    return loops_.labels_[edges_of(state_of(step.from))[step.edge].label].index;
  }

 private:
  std::uint32_t state_of(fair_cycles::Node node) const {
    return states_[static_cast<std::uint32_t>(node) - 1];
  }
  fair_cycles::Node node_of(std::uint32_t state) const {
    const auto place = std::ranges::lower_bound(states_, state);
    CHECK(place != states_.end() && *place == state);
    return fair_cycles::Node{static_cast<std::uint32_t>(place - states_.begin() + 1)};
  }
  std::span<const Edge> edges_of(std::uint32_t state) const {
    const auto [first, last] = std::ranges::equal_range(edges_, state, {}, &Edge::from);
    return {first, last};
  }

  const PollingLoops& loops_;
  std::vector<Edge> edges_;
  std::vector<std::uint32_t> states_;  // by node, after the first one
};

void PollingLoops::note(StateNumber from, std::uint32_t index, std::span<const Transition> enabled,
                        StateNumber to) {
  actors_.clear();
  for (const Transition& transition : enabled)
    if (is_sure_to_move(transition)) actors_.push_back(fair_actor(transition.actor));
  const Label label = {
      .index = index, .mover = fair_actor(enabled[index].actor), .enabled = sets_.intern(actors_)};
  edges_.push_back({.from = static_cast<std::uint32_t>(from),
                    .to = static_cast<std::uint32_t>(to),
                    .label = labels_.number_of(label)});
}

std::optional<PollingLoops::Loop> PollingLoops::find(fair_cycles::Fairness fairness) {
  due_at_ = std::max(kFirstLook, edges_.size() * 2);
  Cycles cycles(*this);
  if (cycles.is_empty()) return std::nullopt;
  const fair_cycles::Found found = find_fair_cycle(cycles, {.fairness = fairness});
  if (found.outcome != fair_cycles::Outcome::kFound) return std::nullopt;
  Loop loop{.begin = cycles.state_at(found.counterexample.cycle.front().from), .indices = {}};
  for (const fair_cycles::Step& step : found.counterexample.cycle)
    loop.indices.push_back(cycles.index_of(step));
  return loop;
}

void PollingLoops::write_position(PositionWriter& writer) const {
  writer.put_all(edges_, [&](const Edge& edge) {
    writer.put(edge.from);
    writer.put(labels_[edge.label].index);
    writer.put(edge.to);
  });
}

bool PollingLoops::read_position(PositionReader& reader) {
  reader.get_all([&] {
    const std::uint32_t from = reader.get32(), index = reader.get32();
    noted_.push_back({.from = from, .index = index, .to = reader.get32()});
  });
  std::ranges::sort(noted_, std::greater(),
                    [](const Noted& noted) { return std::pair(noted.from, noted.index); });
  return !reader.is_damaged();
}

bool PollingLoops::meet(StateNumber state, std::span<const Transition> enabled) {
  for (; !noted_.empty() && noted_.back().from == static_cast<std::uint32_t>(state); noted_.pop_back()) {
    const Noted& noted = noted_.back();
    if (noted.index >= enabled.size()) return false;
    note(state, noted.index, enabled, StateNumber{noted.to});
  }
  return true;
}

}  // namespace ravel
