// The transitions of states, kept: what a search needs that meets a state several times, with different
// questions.
//
// The idea: to take a transition costs a microsecond, and to look it up a few nanoseconds. Edges of one state
// stand side by side; what is the same of many edges, who moves and the letter, is stored once.
//
// Cost: 16 bytes for each state and 8 for each of its transitions.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/hash.h"
#include "base/numbered_values.h"
#include "engine/system.h"
#include "fair_cycles/actor_sets.h"

namespace ravel {

class StateGraph {
 public:
  struct Label {
    std::uint64_t letter = 0;  // after the step
    fair_cycles::Actor actor = fair_cycles::kNoActor;

    friend bool operator==(const Label&, const Label&) = default;
  };
  struct Edge {
    std::uint32_t target = kNowhere;
    std::uint32_t label = 0;
  };
  // Where a step leads that ends the execution by a bug.
  static constexpr std::uint32_t kNowhere = 0xffff'ffff;
  // Who moves on the only edge of a state in which nothing can move.
  static constexpr fair_cycles::Actor kNobody{0xffff'fffe};

  bool is_expanded(StateNumber state) const {
    return index(state) < nodes_.size() && nodes_[index(state)].first != kNotExpanded;
  }
  // `enabled` is in any order. `edges`: one for each transition, in their order.
  void expand(StateNumber state, std::span<const Edge> edges, std::span<const fair_cycles::Actor> enabled);
  std::uint32_t intern(const Label& label) { return labels_.number_of(label); }

  // REQUIRES for these: is_expanded(state). Valid until the next one is expanded.
  std::span<const Edge> edges(StateNumber state) const {
    return {edges_.data() + nodes_[index(state)].first, nodes_[index(state)].count};
  }
  std::span<const fair_cycles::Actor> enabled(StateNumber state) const {
    return sets_.members(nodes_[index(state)].enabled);
  }
  const Label& label(const Edge& edge) const { return labels_[edge.label]; }

  std::uint64_t bytes() const { return nodes_.size() * sizeof(Node) + edges_.size() * sizeof(Edge); }

 private:
  static constexpr std::uint64_t kNotExpanded = ~std::uint64_t{0};
  struct Node {
    std::uint64_t first = kNotExpanded;  // in edges_
    std::uint32_t count = 0;
    fair_cycles::ActorSet enabled = fair_cycles::kNoActors;
  };
  struct LabelHash {
    std::size_t operator()(const Label& label) const {
      return combine(label.letter, static_cast<std::uint64_t>(label.actor));
    }
  };
  static std::size_t index(StateNumber state) { return static_cast<std::size_t>(state); }

  std::vector<Node> nodes_;  // by state
  std::vector<Edge> edges_;
  NumberedValues<Label, LabelHash> labels_;
  fair_cycles::ActorSets sets_;
};

}  // namespace ravel
