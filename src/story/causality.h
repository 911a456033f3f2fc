// What came before what in one execution, as a graph of few edges.
//
// History has for each event all reasons why it comes after others. Readers want the shortest graph of the
// same order: of a step, the last steps of other actors that it comes after, except those that follow from
// one another. Cost: for each event, the square of the number of actors that it comes after directly.

#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "races/observation.h"

namespace ravel {

// Where an execution stands when it has ended with an event that has stopped all others, that event has all
// of them in its causal past, for no other reason.
enum class LastEvent : std::uint8_t { kIsOrdinary, kStopsOthers };

class Causality {
 public:
  Causality(const Observation& observation, LastEvent last);

  // The direct predecessors of an event, its own actor's last event with them.
  const std::vector<EventId>& causes(EventId event) const { return causes_[event]; }
  // Those of other actors of which none follows from another one, or from the own one; in order.
  std::vector<std::size_t> after(EventId event) const;
  // By event: whether it is one of these, or in the past of one.
  std::vector<bool> past_of(std::span<const EventId> events) const;

 private:
  void add_causes_of_end(EventId event);

  const Observation& observation_;
  std::vector<std::vector<EventId>> causes_;
};

}  // namespace ravel
