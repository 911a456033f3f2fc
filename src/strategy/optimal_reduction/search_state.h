// Where a reduction is: what its execution is to do, and what is still to be run. All that a position keeps
// (saved_position.h), and no more.

#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "strategy/history/number_map.h"
#include "strategy/optimal_reduction/asked_nodes.h"
#include "strategy/optimal_reduction/nodes.h"
#include "strategy/optimal_reduction/script.h"
#include "strategy/optimal_reduction/step_pool.h"
#include "strategy/optimal_reduction/wakeup_trees.h"

namespace ravel::reduction {

// What was put into the tree of a node: a branch below others, which go down from one of the node's list.
struct Attached {
  std::uint32_t node;
  std::vector<std::uint32_t> path;
  std::uint32_t branch;
};

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
  // The first node into whose tree the execution at hand has put something.
  std::uint32_t first_asked = AskedNodes::kNone;

  // ---- if this is a part of a search that others have parts of (shared_tree.h)
  bool is_part = false;
  // Nodes before this one are others' to go on from. Of what is to be run there only that is known which this
  // part has given away itself.
  std::uint32_t own_from = 0;
  bool reaches_up = false;  // the execution at hand asks for something there
  NumberSet asked_above;    // hashes of what was asked for there
  // Nothing is put into the trees of nodes from this one on.
  std::uint32_t places_before = std::numeric_limits<std::uint32_t>::max();
  std::vector<Attached>* attached = nullptr;  // if somebody wants to know
};

}  // namespace ravel::reduction
