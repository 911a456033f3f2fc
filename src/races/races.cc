#include "races/races.h"

#include <algorithm>
#include <map>

#include "base/check.h"

namespace ravel {

namespace {

Sent sent_of(const MessageRaces::Message& message) {
  return {.event = message.event, .touch = message.touch};
}

bool is_spawned_by(const Observation& observation, EventId first, EventId event) {
  const History& history = observation.history();
  return history[first].name.ordinal == 0 &&
         std::ranges::any_of(history.touches(history[event]), [&](const Touch& touch) {
           return touch.access == Access::kCreate &&
                  observation.system().owner_of(touch.object) == history[first].name.actor;
         });
}

// The execution without what follows from the earlier one, and then the later one.
Race order_race(const Observation& observation, EventId earlier, EventId later) {
  Race race{.kind = RaceKind::kOrder, .event = earlier, .later = later};
  for (EventId i = 0; i < observation.length(); ++i)
    if (!observation.history().precedes(earlier, i)) race.order.push_back(i);
  race.order.push_back(later);
  race.alternative = observation.events()[later].transition.alternative;
  return race;
}

void find_orders(const Observation& observation, std::vector<Race>& races) {
  const History& history = observation.history();
  const auto length = static_cast<EventId>(observation.length());
  for (EventId later = 0; later < length; ++later) {
    for (const EventId earlier : history.predecessors(history[later])) {
      if (history[earlier].name.actor == history[later].name.actor ||
          !history.touches_conflict(earlier, later))
        continue;
      if (history.precedes_without(history[earlier].name, later, earlier)) continue;
      if (is_spawned_by(observation, later, earlier)) continue;
      // What made the later one possible must not follow from the earlier one.
      const std::uint32_t ready_at = history[later].ready_at;
      if (ready_at > 0 && history.precedes(earlier, ready_at - 1)) continue;
      races.push_back(order_race(observation, earlier, later));
    }
  }
}

// With which alternative the later operation can come first: its own, if there is that, or another one.
std::optional<std::uint32_t> alternative_if_first(const Observation& observation, const Race& race) {
  System& system = observation.system();
  system.reset();
  for (const EventId event : std::span(race.order).first(race.order.size() - 1)) {
    const Transition& transition = observation.events()[event].transition;
    if (std::ranges::find(system.enabled(), transition) == system.enabled().end()) return std::nullopt;
    system.step(transition);
  }
  std::optional<std::uint32_t> found;
  for (const Transition& transition : system.enabled()) {
    if (transition.actor != observation.history()[race.decided()].name.actor ||
        !happens_by_itself(transition.kind))
      continue;
    if (!found || transition.alternative == race.alternative) found = transition.alternative;
  }
  return found;
}

void find_orders_by_trial(const Observation& observation, std::vector<Race>& races) {
  const History& history = observation.history();
  std::map<ActorId, EventId> last_of;  // before the later one
  for (EventId later = 0; later < observation.length(); ++later) {
    const ActorId actor = history[later].name.actor;
    // What the later one needs in any case: what its actor did before, or who made that.
    EventId before = kNoEvent;
    if (const auto last = last_of.find(actor); last != last_of.end()) {
      before = last->second;
    } else {
      for (const EventId cause : history.predecessors(history[later]))
        if (history.creates(cause, later)) before = cause;
    }
    std::vector<EventId> found;
    for (EventId earlier = later; earlier-- > 0;) {
      if (history[earlier].name.actor == actor || !history.touches_conflict(earlier, later)) continue;
      if (before != kNoEvent && history.precedes(earlier, before)) continue;
      const bool is_behind =
          std::ranges::any_of(found, [&](EventId race) { return history.precedes(earlier, race); });
      if (is_behind) continue;
      Race race = order_race(observation, earlier, later);
      const auto alternative = alternative_if_first(observation, race);
      if (!alternative) continue;
      race.alternative = *alternative;
      found.push_back(earlier);
      races.push_back(std::move(race));
    }
    last_of[actor] = later;
  }
}

// Operations that could have gone another way, and what they do then.
void find_choices(const Observation& observation, std::vector<Race>& races) {
  System& system = observation.system();
  for (EventId event = 0; event < observation.length(); ++event)
    for (const std::uint32_t alternative : observation.other_alternatives(event)) {
      Race race{.kind = RaceKind::kChoice, .event = event, .alternative = alternative};
      for (EventId i = 0; i < observation.length(); ++i)
        if (!observation.history().precedes(event, i)) race.order.push_back(i);
      system.set_descriptions(Descriptions::kOn);
      system.reset();
      // The execution as far as it came before: what is after may have changed what there is to choose from.
      for (EventId i = 0; i < event; ++i) system.step(observation.events()[i].transition);
      Transition other = observation.events()[event].transition;
      other.alternative = alternative;
      system.step(other);
      race.instead = system.describe_last();
      system.set_descriptions(Descriptions::kOff);
      race.order.push_back(event);
      if (alternative_if_first(observation, race) == alternative) races.push_back(std::move(race));
    }
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
      auto order =
          messages.realise_most(messages.without_consequences(changes), messages.past_of(changes), changes);
      if (!order) continue;
      races.push_back({.kind = other.is_none() ? RaceKind::kExpiry : RaceKind::kMessage,
                       .event = i,
                       .message = other,
                       .order = {order->begin(), order->end()}});
    }
  }
  if (observation.system().operations_block()) {
    find_orders_by_trial(observation, races);
  } else {
    find_orders(observation, races);
  }
  find_choices(observation, races);
  return races;
}

std::vector<NamedStep> steps_of_variant(const Observation& observation, const Race& race) {
  std::vector<NamedStep> steps;
  for (const EventId event : race.order) steps.push_back(observation.step_of(event));
  if (race.kind == RaceKind::kOrder || race.kind == RaceKind::kChoice)
    steps.back().alternative = race.alternative;
  return steps;
}

namespace {

// What the later operation of a race comes after where it comes first: of what it conflicts with and is kept,
// the last.
std::vector<EventRef> causes_if_first(const Observation& observation, const Race& race) {
  const History& history = observation.history();
  std::vector<EventId> causes;
  for (const EventId event : race.order) {
    if (event >= race.later || history[event].name.actor == history[race.later].name.actor) continue;
    if (!history.touches_conflict(event, race.later) || history.creates(event, race.later)) continue;
    std::erase_if(causes, [&](EventId earlier) { return history.precedes(earlier, event); });
    causes.push_back(event);
  }
  std::vector<EventRef> refs;
  for (const EventId cause : causes) refs.push_back(observation.ref_of(cause));
  return refs;
}

}  // namespace

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
    if (race.kind == RaceKind::kChoice) {
      event.alternative = race.alternative;
      event.operation = race.instead.text;
      continue;
    }
    if (race.kind == RaceKind::kOrder) {
      std::erase_if(event.after, [&](const EventRef& other) { return other.ordinal > kept[other.actor]; });
      for (const EventRef& cause : causes_if_first(observation, race))
        if (std::ranges::find(event.after, cause) == event.after.end()) event.after.push_back(cause);
      std::ranges::sort(event.after);
      event.alternative = race.alternative;
      continue;
    }
    for (TraceAction& action : event.actions) {
      if (action.kind != TraceAction::Kind::kReceive && action.kind != TraceAction::Kind::kExpire) continue;
      action.kind = race.kind == RaceKind::kExpiry ? TraceAction::Kind::kExpire : TraceAction::Kind::kReceive;
      action.message =
          race.kind == RaceKind::kExpiry ? MessageName() : observation.name_of(sent_of(race.message));
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
  } else if (race.kind == RaceKind::kChoice) {
    description.other = description.event;
    description.other_did = race.instead;
  }
  return description;
}

std::vector<OrphanDescription> describe_orphans(const Observation& observation) {
  std::vector<OrphanDescription> orphans;
  for (const Sent& message : observation.orphans())
    orphans.push_back({.message = observation.name_of(message),
                       .value = observation.value_of(message),
                       .receiver = observation.receiver_of(message),
                       .sent = observation.events()[message.event].description});
  return orphans;
}

}  // namespace ravel
