// What the next execution is to do first: the steps of all nodes that there are, in an order in which each
// receive finds its message. After them it does whatever comes.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "strategy/history/history.h"
#include "strategy/optimal_reduction/nodes.h"
#include "strategy/optimal_reduction/step_pool.h"

namespace ravel::reduction {

struct ScriptStep {
  StepName step;
  std::uint32_t node;
};

class Script {
 public:
  std::span<const ScriptStep> steps() const { return steps_; }
  // How many first steps are those of the first nodes, as these say now.
  std::uint32_t in_order() const { return in_order_; }

  void add(const ScriptStep& step) { steps_.push_back(step); }
  // Takes over steps in an order that is not that of the nodes.
  void set(std::vector<ScriptStep> steps) {
    steps_ = std::move(steps);
    in_order_ = 0;
  }
  // Becomes the steps of all nodes in this order, which names each event of theirs once; in that of the nodes
  // if it is empty.
  void follow(const Nodes& nodes, std::span<const EventName> order);
  // Puts the first steps, which were taken, into another order. `order` names the events of the execution so
  // far. False if that is the order in which they are.
  bool reorder(std::span<const EventName> order, const History& taken);

  // ---- where the execution is in it

  // Starts after `taken` steps, which are taken already.
  void start(std::size_t taken) { at_ = taken; }
  bool is_over() const { return at_ >= steps_.size(); }
  // REQUIRES for both: it is not over.
  const ScriptStep& wanted() const { return steps_[at_]; }
  void advance() { ++at_; }

 private:
  std::vector<ScriptStep> steps_;
  std::uint32_t in_order_ = 0;
  std::size_t at_ = 0;
  std::vector<std::vector<std::uint32_t>> nodes_of_actor_;  // while an order is followed
};

}  // namespace ravel::reduction
