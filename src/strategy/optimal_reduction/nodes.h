// The nodes of a reduction's execution: one for each event, with what was run there and what is still to be
// run.
//
// The order of nodes is one in which the events could have happened if a mailbox had no order, so events may
// have been executed in another one (execution_order.h). A node is left for good when it has no branch left
// and is the last.

#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "strategy/history/history.h"
#include "strategy/optimal_reduction/step_pool.h"
#include "strategy/optimal_reduction/wakeup_trees.h"

namespace ravel::reduction {

// What a step was found to do after certain events (step_trials.h).
struct TriedStep {
  bool is_possible = false, ends_all = false;
  StepName name = {};
  std::uint64_t close_key = 0;
  std::vector<Touch> touches = {};
  std::vector<EventName> causes = {};
};

struct Node {
  StepName step;
  EventId event = kNoEvent;  // none until its step has been taken
  std::uint32_t first_alternative = 0, alternatives = 1;
  bool is_fixed = false;                               // by the prefix
  std::uint64_t executions_before = 0;                 // before the first execution with this node
  std::uint64_t executions_before_step = 0;            // before the first one with the step that it takes now
  std::vector<std::uint32_t> asleep;                   // steps that were explored at earlier nodes
  std::vector<std::uint32_t> done;                     // steps that were explored here
  std::unordered_map<std::uint64_t, TriedStep> tried;  // by a hash of the step and what comes before it
  std::vector<StepName> commutes;  // steps with which its event does not conflict on a closer look
  std::uint32_t pending = WakeupTrees::kNone;  // the list of the branches that are left
};

class Nodes {
 public:
  std::uint32_t count() const { return count_; }
  Node& operator[](std::uint32_t number) { return nodes_[number]; }
  const Node& operator[](std::uint32_t number) const { return nodes_[number]; }
  Node& last() { return nodes_[count_ - 1]; }

  // The number of a new last one. `executions` is how many new executions were run before.
  std::uint32_t add(bool is_fixed, std::uint64_t executions) {
    if (count_ + 1 >= nodes_.size()) nodes_.resize(count_ + 2);
    Node& node = nodes_[count_];
    node.event = kNoEvent;
    node.executions_before = node.executions_before_step = executions;
    open_.resize(count_ + 1);
    open_[count_] = 0;
    if (!node.tried.empty()) node.tried.clear();
    node.commutes.clear();
    node.is_fixed = is_fixed;
    node.alternatives = 1;
    return count_++;
  }
  // Leaves the nodes from number `count` on.
  void shrink(std::uint32_t count) { count_ = count; }

  // What sleeps at a node, which may also be the one that will be added next.
  std::vector<std::uint32_t>& asleep_at(std::uint32_t number) {
    if (number >= nodes_.size()) nodes_.resize(number + 1);
    return nodes_[number].asleep;
  }

  // The first node that this execution does not share with the one before.
  std::uint32_t first_new() const { return first_new_; }
  void set_first_new(std::uint32_t number) { first_new_ = number; }

  // Whether what comes later in an execution makes a difference to the races that end at a node.
  bool is_open(std::uint32_t number) const { return open_[number] != 0; }
  void set_open(std::uint32_t number) { open_[number] = 1; }
  // Sets anew which of the first nodes are open.
  void set_open(std::span<const std::uint8_t> open) { std::copy(open.begin(), open.end(), open_.begin()); }

 private:
  std::vector<Node> nodes_;  // more than there are, for their storage
  std::vector<std::uint8_t> open_;
  std::uint32_t count_ = 0;
  std::uint32_t first_new_ = 0;
};

}  // namespace ravel::reduction
