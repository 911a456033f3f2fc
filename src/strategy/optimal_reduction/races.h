// The races of an execution that has ended: each asks for an execution in which it is decided otherwise,
// which is put into the wakeup trees.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "strategy/history/history.h"
#include "strategy/optimal_reduction/execution_order.h"
#include "strategy/optimal_reduction/optimal_reduction.h"
#include "strategy/optimal_reduction/patience.h"
#include "strategy/optimal_reduction/reduced_execution.h"
#include "strategy/optimal_reduction/search_state.h"
#include "strategy/optimal_reduction/sequence_placer.h"
#include "strategy/optimal_reduction/step_trials.h"
#include "strategy/optimal_reduction/wakeup_sequence.h"

namespace ravel::reduction {

class Races {
 public:
  // All references must outlive this object.
  Races(Reversals reversals, std::size_t cut_above, SearchState& search, ReducedExecution& execution,
        Patience& patience)
      : reversals_(reversals),
        search_(search),
        nodes_(search.nodes),
        execution_(execution),
        history_(execution.history()),
        patience_(patience),
        sequence_(execution),
        order_(execution),
        trials_(nodes_, execution, sequence_, patience),
        placer_(cut_above, search, execution, sequence_, trials_, patience) {}

  // Reverses those that have come up in this execution. An execution that was not the planned one has none.
  void reverse_all();
  // A search begins. `trials` are its explorer's.
  void begin(Trials& trials) { trials_.begin(trials); }

 private:
  void reverse_new_ones();

  // ---- what there is to be decided otherwise
  void reverse_conflicts(std::uint32_t later);
  void find_alternatives(std::uint32_t node);
  void reverse_past(EventId passed, EventId later);
  void unblock(const Stuck& stuck);
  void prevent(const Prevented& prevented);
  bool has_let_happen(EventId earlier, EventId later) const;
  bool may_have_kept(EventId earlier, EventId later) const;

  // ---- one other decision
  bool reverse(std::uint32_t node, EventId later);
  bool reverse_unknown(std::uint32_t node, EventId later);
  void take_message(std::uint32_t receive, Sent sent);
  void expire(std::uint32_t receive);
  void choose_otherwise(EventId receive, const StepName& name, Access access);
  bool try_step(std::uint32_t node, const StepName& name);
  bool try_after_sequence(std::uint32_t node, const StepName& name);

  // ---- the wakeup sequence
  void collect(std::uint32_t from, EventId last);
  template <class Try>
  bool for_first_parts(Try try_one);
  bool has_place(std::uint32_t node);
  void attach_as_executed(std::uint32_t node);

  const Reversals reversals_;
  SearchState& search_;
  Nodes& nodes_;
  ReducedExecution& execution_;
  const History& history_;
  Patience& patience_;
  WakeupSequence sequence_;
  ExecutionOrder order_;
  StepTrials trials_;
  SequencePlacer placer_;
  bool is_open_ = false;                // the node that is looked at (Nodes::is_open)
  std::vector<std::uint8_t> open_now_;  // by node
  std::vector<Touch> other_touches_;    // of a last step
};

}  // namespace ravel::reduction
