// What steps would do at a node of a reduction where they were not taken: found by taking them, and
// remembered.

#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "strategy/optimal_reduction/nodes.h"
#include "strategy/optimal_reduction/patience.h"
#include "strategy/optimal_reduction/reduced_execution.h"
#include "strategy/optimal_reduction/step_pool.h"
#include "strategy/optimal_reduction/trial.h"
#include "strategy/optimal_reduction/wakeup_sequence.h"

namespace ravel::reduction {

class StepTrials {
 public:
  // All references must outlive this object.
  StepTrials(Nodes& nodes, const ReducedExecution& execution, WakeupSequence& sequence, Patience& patience)
      : nodes_(nodes), execution_(execution), sequence_(sequence), patience_(patience) {}

  // What a step does after all that comes before a node, and all events of the sequence. Valid until the next
  // one of this node.
  const TriedStep& take_after_sequence(std::uint32_t node, const StepName& name);
  // Whether a step at a node, taken after the first events of the sequence, and the next one of these, number
  // `index`, depend on each other on a closer look. REQUIRES: their touches depend on each other coarsely.
  bool depend_closely(std::uint32_t node, const Step& step, std::uint32_t index);
  // A search begins. `trials` are its explorer's.
  void begin(Trials& trials) { trials_ = &trials; }

 private:
  bool run(std::uint32_t node, std::size_t length, std::span<const StepName> steps);

  Nodes& nodes_;
  const ReducedExecution& execution_;
  WakeupSequence& sequence_;
  Patience& patience_;
  Trials* trials_ = nullptr;
  Trial trial_;
  std::vector<Transition> to_try_;
  std::vector<std::uint8_t> is_tried_;  // by position
  // By the close keys of two steps: whether they depend on each other
  std::unordered_map<std::uint64_t, bool> close_;
};

}  // namespace ravel::reduction
