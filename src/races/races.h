// The races of one execution, and the variants in which they are decided otherwise.
//
// For a receive: its race set (message_races.h). For two operations of different actors that conflict by what
// else they touch, and of which the later one follows from the earlier one for no other reason: their order.
//
// Where operations block (System::operations_block), the one that comes before a lock is the unlock that
// makes it possible, and what it races with is an earlier lock (C. Flanagan, P. Godefroid, "Dynamic
// partial-order reduction for model checking software", 2005: the last operation that conflicts, could have
// been enabled at the same time, and does not follow from what the later actor did before). Whether the later
// one can come first is found by trying: the rest of the execution is run without the earlier one. That costs
// an execution for each pair, or a few. There, too, an operation with a choice (whom a signal wakes) could
// have gone another way.

#pragma once

#include <optional>
#include <vector>

#include "engine/race.h"
#include "races/message_races.h"
#include "races/observation.h"

namespace ravel {

struct Race {
  RaceKind kind = RaceKind::kMessage;
  EventId event = kNoEvent;            // the receive, the earlier operation, or the one with a choice
  MessageRaces::Message message = {};  // kMessage
  EventId later = kNoEvent;            // kOrder
  // How its variant begins: the events that do not follow from what is changed, and decided(), in an order in
  // which they can happen.
  std::vector<EventId> order = {};
  // kOrder: of the later operation, when it comes first; kChoice: the other one
  std::uint32_t alternative = 0;
  EventDescription instead = {};  // kChoice: what it does then

  // The receive, which takes another message now, or the later operation, which comes first.
  EventId decided() const { return kind == RaceKind::kOrder ? later : event; }
};

// The races whose variants are possible; by event, and after the receives the orders, and the choices. Where
// operations block, the System is left in some state. REQUIRES then: the execution is finished.
std::vector<Race> find_races(const Observation& observation);

std::vector<NamedStep> steps_of_variant(const Observation& observation, const Race& race);
// The variant as a partial trace: what is kept, and the receive with its other message, or the later
// operation.
Trace trace_of_variant(const Observation& observation, const Race& race, std::uint64_t events_max);

RaceDescription describe_race(const Observation& observation, const Race& race);
std::vector<OrphanDescription> describe_orphans(const Observation& observation);

}  // namespace ravel
