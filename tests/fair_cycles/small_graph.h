// Graphs that are given edge by edge, and the obvious way to tell whether they have a fair cycle.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/random.h"
#include "fair_cycles/search.h"

namespace ravel::fair_cycles {

class SmallGraph final : public Graph {
 public:
  struct Vertex {
    std::vector<Edge> edges;
    std::vector<Actor> enabled;
  };

  std::vector<Vertex> vertices;  // the first one is initial

  // Makes vertices up to those that are named.
  void add(std::uint32_t from, std::uint32_t to, Actor actor = kNoActor, std::uint64_t acceptance = 0,
           bool is_progress = false);
  void enable(std::uint32_t node, std::initializer_list<std::uint32_t> actors);

  Node initial() override { return Node{0}; }
  void expand(Node node, Expansion& expansion) override;

  std::vector<unsigned> expanded;  // how often, by node
  std::string to_string() const;

 private:
  Vertex& vertex(std::uint32_t number);
};

struct Shape {
  std::uint32_t nodes_max, edges_max, actors_max;
  unsigned acceptance_sets_max;
};
// Edges of actors that are enabled, and actors that are enabled without an edge.
SmallGraph random_graph(Random& random, const Shape& shape);
Options random_options(Random& random, const Shape& shape);

// Tries each set of nodes, so REQUIRES: a handful of nodes.
bool has_fair_cycle_by_subsets(const SmallGraph& graph, const Options& options);
// Decomposes by the transitive closure (Floyd & Warshall).
bool has_fair_cycle_by_closure(const SmallGraph& graph, const Options& options);

// The number of steps of the shortest counterexample, stem and cycle; 0 if there is none. REQUIRES: a handful
// of nodes, and no strong fairness.
std::size_t shortest_counterexample(const SmallGraph& graph, const Options& options);

// What is wrong with a counterexample; nothing if it is one.
std::optional<std::string> mistake_in(const Counterexample& found, const SmallGraph& graph,
                                      const Options& options, Node initial = Node{0});

}  // namespace ravel::fair_cycles
