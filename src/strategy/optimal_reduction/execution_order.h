// In which order events are executed so that each receive finds its message first.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "strategy/history/history.h"
#include "strategy/optimal_reduction/reduced_execution.h"
#include "strategy/optimal_reduction/wakeup_sequence.h"

namespace ravel::reduction {

class ExecutionOrder {
 public:
  using Order = std::vector<EventName>;

  // `execution` must outlive this object.
  explicit ExecutionOrder(const ReducedExecution& execution)
      : execution_(execution), history_(execution.history()) {}

  // What is to be put in order: the events of the first `nodes` nodes, and a sequence.
  void choose(std::uint32_t nodes, std::span<const EventId> sequence);
  // The events before this one, which is the last.
  void choose_before(EventId last);

  // REQUIRES for all: events were chosen.

  // The events as they were executed, and a last step where it was executed or after them.
  Order as_executed(const LastStep& last) const;
  // The events with a receive after them that takes this message; nothing if there is no such order.
  std::optional<Order> for_message(EventId receive, Sent message);
  // The events with a receive after them that goes on without a message.
  std::optional<Order> for_expiry(EventId receive);

  // Whether there is an order of the first `nodes` nodes, a step that does not depend on a sequence after
  // them, the sequence and its last step, in which each receive finds its message first; as far as that is
  // known. Chooses other events. REQUIRES: the step's actor does nothing in the sequence.
  bool can_come_first(const StepName& step, std::uint32_t nodes, const WakeupSequence& sequence);

 private:
  using Precedence = History::Precedence;
  bool is_chosen(EventId event) const { return is_chosen_[event] != 0; }
  void note_chosen();
  void mark_before(std::span<const EventId> events);
  void mark_causes(EventId receive);
  bool is_cause_but_message(EventId receive, EventId cause) const;
  void find_takeable(EventId receive);
  EventId event_named(const EventName& name) const;
  bool has_order() const;
  std::size_t put_before_rivals(EventId wanted, Order& order) const;

  const ReducedExecution& execution_;
  const History& history_;
  std::vector<std::uint8_t> is_chosen_, is_before_;  // by position
  std::vector<std::uint8_t> is_before_message_;      // of is_before_, what the message that is wanted needs
  std::vector<EventId> chosen_;                      // in the order of execution
  std::vector<std::vector<EventId>> after_;          // by event, what has to come later
  std::vector<Sent> takeable_;  // messages of the chosen events that a receive could have taken
};

}  // namespace ravel::reduction
