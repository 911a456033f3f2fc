// The graph in which a fair cycle is looked for, as its owner gives it.
//
// An owner makes the graph while it is searched: its nodes are, say, pairs of a state of a program and a
// state of an automaton. Nodes have numbers, and to expand a node is expensive. So each node is expanded
// once, and the search keeps what it needs again.

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace ravel::fair_cycles {

// The search has a table over all of them, so the greatest number should not be far above how many there are.
enum class Node : std::uint32_t {};

// Whoever may be treated unfairly. Numbers need not be dense.
enum class Actor : std::uint32_t {};
inline constexpr Actor kNoActor{0xffff'ffff};

struct Edge {
  Node target{};
  Actor actor = kNoActor;        // who moves
  std::uint64_t acceptance = 0;  // the acceptance sets to which the edge belongs
  bool is_progress = false;
};

struct Expansion {
  std::vector<Edge> edges;
  // Actors that could move in this node, whether or not there is an edge for it, in any order.
  std::vector<Actor> enabled;
};

class Graph {
 public:
  virtual ~Graph() = default;

  virtual Node initial() = 0;
  // Where the search goes on when all that it has reached is searched. Nothing: that was all. So an owner who
  // knows that no cycle that counts goes through some nodes may keep these to himself.
  virtual std::optional<Node> next_root() { return std::nullopt; }
  // Adds to `expansion`, which is empty. Called once for each node that is reached from the initial one or
  // from another root, and only for these.
  virtual void expand(Node node, Expansion& expansion) = 0;
};

}  // namespace ravel::fair_cycles
