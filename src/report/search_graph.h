// Draws a search: the tree of the executions that it has run, in the language of Graphviz (DOT).
//
// It stands between the explorer and a strategy, hands every call on, and writes down what happens. Each node is an event;
// an execution is a path, at whose end its outcome stands. Executions that were given up are drawn as well.
//
// Memory and time: every event is described for people, which costs much more than executing it; so the drawing stops
// growing at `nodes_max` nodes, which no tool draws anyway, and says so.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/strategy_wrapper.h"

namespace ravel {

class SearchGraph final : public StrategyWrapper {
 public:
  static constexpr std::size_t kNodesMax = 20'000;

  explicit SearchGraph(Strategy& strategy, std::size_t nodes_max = kNodesMax) : StrategyWrapper(strategy), nodes_max_(nodes_max) {}

  std::optional<Plan> next_execution() override;
  Decision choose(const Point& point) override;
  void observe(const Event& event) override;
  Novelty end_execution(Outcome outcome) override;

  // The nodes and edges, as a cluster with this title. `prefix` begins the names of all nodes.
  std::string to_dot(const std::string& title, const std::string& prefix) const;

 private:
  struct Node {
    std::size_t parent;
    std::string actor, text;
  };
  struct Leaf {
    std::size_t node;
    std::string text;
    const char* colour;
  };

  const std::size_t nodes_max_;
  std::vector<Node> nodes_;
  std::vector<Leaf> leaves_;
  std::vector<std::size_t> path_;  // the nodes of the current execution
  System* system_ = nullptr;
  bool is_full_ = false;
  bool is_abandoned_ = false;
};

// The whole file, of what several searches have drawn.
std::string dot_file(const std::vector<std::string>& clusters);

}  // namespace ravel
