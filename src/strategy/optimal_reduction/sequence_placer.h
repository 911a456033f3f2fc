// Puts wakeup sequences into the trees of nodes, unless what they lead to is known.

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "strategy/history/history.h"
#include "strategy/optimal_reduction/execution_order.h"
#include "strategy/optimal_reduction/patience.h"
#include "strategy/optimal_reduction/reduced_execution.h"
#include "strategy/optimal_reduction/search_state.h"
#include "strategy/optimal_reduction/step_trials.h"
#include "strategy/optimal_reduction/wakeup_sequence.h"

namespace ravel::reduction {

// Where a sequence belongs.
enum class Place : std::uint8_t {
  kInTree,       // where find() has come in the tree
  kKnown,        // nowhere: what it leads to was run, or will be
  kKnownByLuck,  // nowhere, because of a sleeping step that it does not contain: a longer execution may show
                 // another one
};

class SequencePlacer {
 public:
  // All references must outlive this object. Above `cut_above` branches only the first step of a sequence is
  // kept.
  SequencePlacer(std::size_t cut_above, SearchState& search, ReducedExecution& execution,
                 WakeupSequence& sequence, StepTrials& trials, Patience& patience)
      : cut_above_(cut_above),
        search_(search),
        execution_(execution),
        history_(execution.history()),
        sequence_(sequence),
        trials_(trials),
        patience_(patience),
        order_(execution) {}

  // Finds where the sequence belongs in the tree of a node, and shortens it to what it needs.
  Place find(std::uint32_t node);
  // Puts it there. `order` is that in which its events are to be executed, with all before; empty: that of
  // the nodes. REQUIRES: find() has just said that it belongs there.
  void attach(std::vector<EventName> order);

 private:
  static constexpr std::uint32_t kNone = WakeupTrees::kNone;

  // A step that does not conflict with one of the sequence, or with the last, on a closer look.
  struct Commuting {
    std::uint32_t index;  // in the sequence while that is compared; then kNone for the last step
    StepName step;
    EventId event = kNoEvent;
  };

  Place compare_with_explored(const Node& node);
  void note_commuting(const Node& node);
  bool descend(std::uint32_t list);
  std::uint32_t find_waking(const Step& step);
  bool depends_on(const Step& step, std::uint32_t index);
  std::vector<StepName> commuting_with(EventId event) const;
  void attach_first(std::vector<EventName> order);
  std::uint64_t hash_of_whole() const;

  const std::size_t cut_above_;
  SearchState& search_;
  ReducedExecution& execution_;
  const History& history_;
  WakeupSequence& sequence_;
  StepTrials& trials_;
  Patience& patience_;
  ExecutionOrder order_;
  std::uint32_t node_ = 0;           // of the place
  std::vector<std::uint32_t> path_;  // the branches above
  std::vector<Commuting> commuting_;
};

}  // namespace ravel::reduction
