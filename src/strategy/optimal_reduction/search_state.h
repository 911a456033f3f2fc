// Where a reduction is: what its execution is to do, and what is still to be run. All that a position keeps
// (saved_position.h), and no more.

#pragma once

#include <cstddef>
#include <cstdint>

#include "strategy/history/number_map.h"
#include "strategy/optimal_reduction/nodes.h"
#include "strategy/optimal_reduction/script.h"
#include "strategy/optimal_reduction/step_pool.h"
#include "strategy/optimal_reduction/wakeup_trees.h"

namespace ravel::reduction {

struct SearchState {
  explicit SearchState(std::size_t share_above) : trees(steps, share_above) {}

  StepPool steps;
  WakeupTrees trees;
  Nodes nodes;
  Script script;
  std::uint64_t executions = 0;  // new ones
  bool is_cut = false;           // of some wakeup sequence only the first step was kept
  bool has_left_races = false;   // races that are not to be decided otherwise
  NumberSet seen;                // hashes of traces
};

}  // namespace ravel::reduction
