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

#include "engine/strategy.h"

namespace ravel {

class SearchGraph final : public Strategy {
 public:
  static constexpr std::size_t kNodesMax = 20'000;

  explicit SearchGraph(Strategy& strategy, std::size_t nodes_max = kNodesMax) : strategy_(strategy), nodes_max_(nodes_max) {}

  std::string name() const override { return strategy_.name(); }
  std::optional<Plan> next_execution() override;
  Decision choose(const Point& point) override;
  void observe(const Event& event) override;
  Novelty end_execution(Outcome outcome) override;
  Coverage coverage() const override { return strategy_.coverage(); }
  std::optional<std::vector<std::size_t>> causes_of(std::size_t event) const override { return strategy_.causes_of(event); }
  std::optional<BugBounds> bounds() const override { return strategy_.bounds(); }
  std::string promise() const override { return strategy_.promise(); }
  std::optional<double> executions_estimate() const override { return strategy_.executions_estimate(); }
  bool write_position(PositionWriter& writer) const override { return strategy_.write_position(writer); }
  bool read_position(PositionReader& reader) override { return strategy_.read_position(reader); }

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

  Strategy& strategy_;
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
