// What a search keeps of the nodes whose component is not complete: their edges and who is enabled there.
//
// The idea: nodes become open in the order in which they are met, and components become complete in the
// reverse order. So open nodes are a stack, and so are their edges. An open node is known by its place on the
// stack. Labels of edges are few, so each is stored once.
//
// Invariants:
// 1. Each node is new, open, or closed; the table of places says which.
// 2. The edges of an open node begin at its first_edge and end where those of the next one begin.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/hash.h"
#include "base/numbered_values.h"
#include "fair_cycles/actor_sets.h"
#include "fair_cycles/graph.h"

namespace ravel::fair_cycles {

// What an edge does besides leading somewhere.
struct Label {
  std::uint64_t acceptance = 0;
  Actor actor = kNoActor;
  bool is_progress = false;
  bool is_stutter = false;

  friend bool operator==(const Label&, const Label&) = default;
};

enum class LabelId : std::uint32_t {};

class Labels {
 public:
  LabelId intern(const Label& label) { return LabelId{labels_.number_of(label)}; }
  const Label& operator[](LabelId id) const { return labels_[static_cast<std::uint32_t>(id)]; }

 private:
  struct Hash {
    std::size_t operator()(const Label& label) const {
      const auto flags = std::uint64_t{label.is_progress} << 32 | std::uint64_t{label.is_stutter} << 33;
      return combine(label.acceptance, static_cast<std::uint64_t>(label.actor) | flags);
    }
  };
  NumberedValues<Label, Hash> labels_;
};

class OpenNodes {
 public:
  using Place = std::uint32_t;  // on the stack of open nodes
  struct KeptEdge {
    Node target;
    LabelId label;
  };

  Labels labels;
  ActorSets actor_sets;

  Place size() const { return static_cast<Place>(nodes_.size()); }
  Node node(Place place) const { return nodes_[place].node; }
  ActorSet enabled(Place place) const { return nodes_[place].enabled; }
  std::uint32_t first_edge(Place place) const { return nodes_[place].first_edge; }
  std::uint32_t end_of_edges(Place place) const {
    return place + 1 < nodes_.size() ? nodes_[place + 1].first_edge
                                     : static_cast<std::uint32_t>(edges_.size());
  }
  const KeptEdge& edge(std::uint32_t number) const { return edges_[number]; }
  const Label& label(std::uint32_t edge) const { return labels[edges_[edge].label]; }
  std::size_t edge_count() const { return edges_.size(); }

  bool is_new(Node node) const { return index(node) >= places_.size() || places_[index(node)] == kNew; }
  bool is_open(Node node) const { return !is_new(node) && places_[index(node)] != kClosed; }
  Place place(Node node) const { return places_[index(node)] - 1; }  // REQUIRES: is_open(node)

  // Opens a node. Its edges follow.
  Place open(Node node, ActorSet enabled) {
    if (index(node) >= places_.size()) places_.resize(std::size_t{index(node)} + 1 + index(node) / 2, kNew);
    nodes_.push_back({node, static_cast<std::uint32_t>(edges_.size()), enabled});
    places_[index(node)] = size();
    return size() - 1;
  }
  void add_edge(Node target, LabelId label) { edges_.push_back({target, label}); }

  // Closes the nodes from `first` on, and forgets their edges.
  void close_from(Place first) {
    edges_.resize(nodes_[first].first_edge);
    for (Place place = first; place < nodes_.size(); ++place) places_[index(nodes_[place].node)] = kClosed;
    nodes_.resize(first);
  }

 private:
  struct OpenNode {
    Node node{};
    std::uint32_t first_edge = 0;
    ActorSet enabled = kNoActors;
  };
  static constexpr std::uint32_t kNew = 0, kClosed = 0xffff'ffff;

  static std::uint32_t index(Node node) { return static_cast<std::uint32_t>(node); }

  std::vector<std::uint32_t> places_;  // by node: kNew, kClosed, or the place plus one
  std::vector<OpenNode> nodes_;
  std::vector<KeptEdge> edges_;
};

}  // namespace ravel::fair_cycles
