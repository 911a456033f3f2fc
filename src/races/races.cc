#include "races/races.h"

#include <algorithm>
#include <map>

#include "base/check.h"

namespace ravel {

namespace {

Sent sent_of(const MessageRaces::Message& message) { return {.event = message.event, .touch = message.touch}; }

bool is_spawned_by(const Observation& observation, EventId first, EventId event) {
  const History& history = observation.history();
  return history[first].name.ordinal == 0 &&
         std::ranges::any_of(history.touches(history[event]), [&](const Touch& touch) {
           return touch.access == Access::kCreate &&
                  observation.system().owner_of(touch.object) == history[first].name.actor;
         });
}

}  // namespace

std::vector<Race> find_races(const Observation& observation) {
  const History& history = observation.history();
  const auto length = static_cast<std::uint32_t>(observation.length());
  std::vector<EventId> events(length);
  for (std::uint32_t i = 0; i < length; ++i) events[i] = i;
  const MessageRaces messages(history, events);
  std::vector<Race> races;
  for (std::uint32_t i = 0; i < length; ++i) {
    if (!messages.is_receive(i)) continue;
    for (const MessageRaces::Message& other : messages.alternatives(i)) {
      const MessageRaces::Change changes[] = {{.receive = i, .message = other}};
      auto order = messages.realise_most(messages.without_consequences(changes), messages.past_of(changes), changes);
      if (!order) continue;
      races.push_back({.kind = other.is_none() ? RaceKind::kExpiry : RaceKind::kMessage, .event = i, .message = other,
                       .order = {order->begin(), order->end()}});
    }
  }
  for (EventId later = 0; later < length; ++later) {
    for (const EventId earlier : history.predecessors(history[later])) {
      if (history[earlier].name.actor == history[later].name.actor || !history.touches_conflict(earlier, later)) continue;
      if (history.precedes_without(history[earlier].name, later, earlier)) continue;
      if (is_spawned_by(observation, later, earlier)) continue;
      // What made the later one possible must not follow from the earlier one.
      const std::uint32_t ready_at = history[later].ready_at;
      if (ready_at > 0 && history.precedes(earlier, ready_at - 1)) continue;
      Race race{.kind = RaceKind::kOrder, .event = earlier, .later = later};
      for (EventId i = 0; i < length; ++i)
        if (!history.precedes(earlier, i)) race.order.push_back(i);
      race.order.push_back(later);
      races.push_back(std::move(race));
    }
  }
  return races;
}

std::vector<NamedStep> steps_of_variant(const Observation& observation, const Race& race) {
  std::vector<NamedStep> steps;
  for (const EventId event : race.order) steps.push_back(observation.step_of(event));
  return steps;
}

Trace trace_of_variant(const Observation& observation, const Race& race, std::uint64_t events_max) {
  Trace trace = trace_of(observation, events_max);
  std::map<ActorName, std::size_t> kept;
  for (const EventId event : race.order) ++kept[observation.ref_of(event).actor];
  const EventRef decided = observation.ref_of(race.decided());
  for (ActorTrace& actor : trace.actors) {
    actor.events.resize(kept[actor.actor]);
    if (actor.actor != decided.actor) continue;
    CHECK(decided.ordinal == actor.events.size());
    TraceEvent& event = actor.events.back();
    if (race.kind == RaceKind::kOrder) {
      const EventRef earlier = observation.ref_of(race.event);
      std::erase(event.after, earlier);
      continue;
    }
    for (TraceAction& action : event.actions) {
      if (action.kind != TraceAction::Kind::kReceive && action.kind != TraceAction::Kind::kExpire) continue;
      action.kind = race.kind == RaceKind::kExpiry ? TraceAction::Kind::kExpire : TraceAction::Kind::kReceive;
      action.message = race.kind == RaceKind::kExpiry ? MessageName() : observation.name_of(sent_of(race.message));
    }
    event.operation.clear();
  }
  std::erase_if(trace.actors, [](const ActorTrace& actor) { return actor.events.empty(); });
  trace.outcome = "unknown";
  return trace;
}

RaceDescription describe_race(const Observation& observation, const Race& race) {
  RaceDescription description;
  description.kind = race.kind;
  description.event = observation.ref_of(race.event);
  description.did = observation.events()[race.event].description;
  description.kept = race.order.size() - 1;
  if (race.kind == RaceKind::kMessage) {
    const Sent sent = sent_of(race.message);
    description.other = observation.ref_of(sent.event);
    description.other_did = observation.events()[sent.event].description;
    description.message = observation.name_of(sent);
    description.value = observation.value_of(sent);
  } else if (race.kind == RaceKind::kOrder) {
    description.other = observation.ref_of(race.later);
    description.other_did = observation.events()[race.later].description;
  }
  return description;
}

std::vector<OrphanDescription> describe_orphans(const Observation& observation) {
  std::vector<OrphanDescription> orphans;
  for (const Sent& message : observation.orphans())
    orphans.push_back({.message = observation.name_of(message), .value = observation.value_of(message),
                       .receiver = observation.receiver_of(message),
                       .sent = observation.events()[message.event].description});
  return orphans;
}

}  // namespace ravel
