#include "races/nearest_variants.h"

#include <algorithm>
#include <span>

#include "base/check.h"

namespace ravel {

namespace {

// Longer executions than this have their turning point looked for.
constexpr std::size_t kShortMax = 200;

// How many events on each side of the turning point are looked at closely.
constexpr EventId kAroundTurningPoint = 5;

// How many operations that were yet to come are looked at after each event.
constexpr std::size_t kUnfinishedMax = 50;

bool creates_actor(const Observation& observation, EventId event, ActorId actor) {
  const History& history = observation.history();
  return std::ranges::any_of(history.touches(history[event]), [&](const Touch& touch) {
    return touch.access == Access::kCreate && observation.system().owner_of(touch.object) == actor;
  });
}

// The last event of the actor, or the event that made it.
EventId last_before(const Observation& observation, ActorId actor) {
  for (auto event = static_cast<EventId>(observation.length()); event-- > 0;)
    if (observation.history()[event].name.actor == actor || creates_actor(observation, event, actor))
      return event;
  return kNoEvent;
}

std::size_t events_of(const Observation& observation, ActorId actor) {
  std::size_t count = 0;
  for (EventId event = 0; event < observation.length(); ++event)
    count += observation.history()[event].name.actor == actor ? 1 : 0;
  return count;
}

std::optional<Transition> enabled_of(System& system, ActorId actor,
                                     std::optional<std::uint32_t> alternative = {}) {
  std::optional<Transition> found;
  for (const Transition& transition : system.enabled())
    if (transition.actor == actor && happens_by_itself(transition.kind) &&
        (!found || transition.alternative == alternative))
      found = transition;
  return found;
}

}  // namespace

NearestVariants::NearestVariants(const Observation& failing, std::uint64_t events_max, Effort& effort)
    : failing_(failing), system_(failing.system()), events_max_(events_max), effort_(effort) {
  const auto length = static_cast<EventId>(failing_.length());
  const bool is_stopped = system_.stops_others();
  const std::vector<ActorId> stuck = is_stopped ? std::vector<ActorId>() : system_.blocked();
  system_.set_descriptions(Descriptions::kOff);
  for (EventId event = 0; event < length; ++event) {
    for (const Touch& touch : failing_.history().touches(failing_.history()[event])) {
      std::vector<EventId>& events = touching_[touch.object];
      if (events.empty() || events.back() != event) events.push_back(event);
    }
  }
  for (const GoOn how : {GoOn::kWithLast, GoOn::kWithYoungest})
    if (length > kShortMax && !turning_point_) turning_point_ = find_turning_point(how);
  for (const ActorId actor : stuck) {
    sources_.push_back({.stuck = actor, .needs = last_before(failing_, actor), .at = length});
    add_next_of(sources_.size() - 1);
  }
  for (EventId event = length; is_stopped && event-- > 0;)
    add({.kind = Variant::Kind::kUnfinished, .event = event});
  add_sources();
  if (turning_point_) add_around_turning_point();
  for (EventId event = 0; event < length; ++event)
    for (const std::uint32_t alternative : failing_.other_alternatives(event))
      add({.kind = Variant::Kind::kChoice, .event = event, .alternative = alternative});
}

// The number of a step: the execution with those before it passes if it goes on so, that with it fails.
std::optional<std::uint64_t> NearestVariants::find_turning_point(GoOn how) {
  const auto passes = [&](std::uint64_t steps) {
    std::vector<Transition> kept;
    for (std::uint64_t i = 0; i < steps; ++i) kept.push_back(failing_.events()[i].transition);
    system_.reset();
    system_.follow(kept);
    system_.run_on(kept.empty() ? std::nullopt : std::optional(kept.back().actor), how, events_max_);
    effort_.spend(failing_.length());
    return system_.outcome() == Outcome::kFinished;
  };
  std::uint64_t passing = 0, failing = failing_.length();
  if (!passes(passing)) return std::nullopt;
  while (failing - passing > 1) {
    const std::uint64_t middle = passing + (failing - passing) / 2;
    (passes(middle) ? passing : failing) = middle;
  }
  return passing;
}

std::uint64_t NearestVariants::distance_of(EventId event) {
  if (turning_point_) return event < *turning_point_ ? *turning_point_ - event : event - *turning_point_;
  const auto [place, is_new] = distances_.try_emplace(event, 0);
  for (EventId i = event; is_new && i < failing_.length(); ++i)
    place->second += failing_.history().precedes(event, i) ? 1 : 0;
  return place->second;
}

void NearestVariants::add(Candidate candidate) {
  candidate.distance = distance_of(candidate.event);
  candidate.number = candidates_count_++;
  candidates_.push(candidate);
}

// For each event there, what each other actor does first that conflicts with it and does not need it.
void NearestVariants::add_around_turning_point() {
  const History& history = failing_.history();
  const auto length = static_cast<EventId>(failing_.length());
  const auto turn = static_cast<EventId>(*turning_point_);
  const std::size_t first_source = sources_.size() - length;
  const EventId begin = turn - std::min(turn, kAroundTurningPoint),
                end = std::min(length, turn + kAroundTurningPoint + 1);
  for (EventId event = begin; event < end; ++event) {
    std::vector<ActorId> known = {history[event].name.actor};
    for (EventId later = event + 1; later < length; ++later) {
      const ActorId actor = history[later].name.actor;
      if (std::ranges::count(known, actor) > 0 || !history.touches_conflict(event, later)) continue;
      known.push_back(actor);
      const EventId needs = sources_[first_source + later].needs;
      if (needs != kNoEvent && history.precedes(event, needs)) continue;
      add({.kind = Variant::Kind::kOrder, .event = event, .later = later});
    }
  }
}

// Each operation that has happened, with what it needs in any case: what its actor did before, or what made
// the actor.
void NearestVariants::add_sources() {
  const History& history = failing_.history();
  std::unordered_map<ActorId, EventId> last_of;
  for (EventId later = 0; later < failing_.length(); ++later) {
    const ActorId actor = history[later].name.actor;
    EventId needs = kNoEvent;
    if (const auto last = last_of.find(actor); last != last_of.end()) {
      needs = last->second;
    } else {
      for (const EventId cause : history.predecessors(history[later]))
        if (history.creates(cause, later)) needs = cause;
    }
    last_of[actor] = later;
    sources_.push_back({.later = later, .needs = needs, .at = later});
    add_next_of(sources_.size() - 1);
  }
}

// The last event before source.at that touches an object which the operation touches.
std::optional<EventId> NearestVariants::next_conflicting(const Source& source) const {
  if (source.stuck) return source.at == 0 ? std::nullopt : std::optional(source.at - 1);
  std::optional<EventId> last;
  for (const Touch& touch : failing_.history().touches(failing_.history()[source.later])) {
    const std::vector<EventId>& events = touching_.at(touch.object);
    const auto behind = std::ranges::lower_bound(events, source.at);
    if (behind != events.begin() && (!last || *std::prev(behind) > *last)) last = *std::prev(behind);
  }
  return last;
}

void NearestVariants::add_next_of(std::size_t number) {
  Source& source = sources_[number];
  const History& history = failing_.history();
  const ActorId actor = source.stuck ? *source.stuck : history[source.later].name.actor;
  while (const auto event = next_conflicting(source)) {
    source.at = *event;
    if (history[*event].name.actor == actor) continue;
    if (!source.stuck && !history.touches_conflict(*event, source.later)) continue;
    if (source.needs != kNoEvent && history.precedes(*event, source.needs)) continue;
    if (std::ranges::any_of(source.found, [&](EventId found) { return history.precedes(*event, found); }))
      continue;
    return add({.kind = source.stuck ? Variant::Kind::kUnfinished : Variant::Kind::kOrder,
                .event = *event,
                .source = number});
  }
}

std::optional<Variant> NearestVariants::next() {
  while (!candidates_.empty() && effort_.steps > 0) {
    const Candidate candidate = candidates_.top();
    candidates_.pop();
    Variant variant{.kind = candidate.kind, .event = candidate.event};
    effort_.spend(failing_.length());
    const bool is_possible = try_candidate(candidate, variant);
    if (candidate.source != kNone) {
      if (is_possible) sources_[candidate.source].found.push_back(candidate.event);
      add_next_of(candidate.source);
    }
    if (!is_possible) continue;
    system_.run_on(variant.steps.back().actor, GoOn::kWithLast, events_max_);
    effort_.spend(failing_.length());
    variant.outcome = system_.outcome();
    return variant;
  }
  return std::nullopt;
}

// The execution without an event and what follows from it. Whether it was possible as a whole.
bool NearestVariants::take_without(EventId event, Variant& variant) {
  for (EventId i = 0; i < failing_.length(); ++i)
    if (!failing_.history().precedes(event, i)) variant.steps.push_back(failing_.events()[i].transition);
  system_.reset();
  const std::size_t taken = system_.follow(variant.steps);
  const bool is_whole = taken == variant.steps.size();
  variant.steps.resize(taken);
  return is_whole;
}

bool NearestVariants::try_candidate(const Candidate& candidate, Variant& variant) {
  const bool is_whole = take_without(candidate.event, variant);
  const History& history = failing_.history();
  std::optional<Transition> first;
  switch (candidate.kind) {
    case Variant::Kind::kUnfinished:
      if (candidate.source == kNone) return come_to_conflict(variant);
      first = enabled_of(system_, *sources_[candidate.source].stuck);
      break;
    case Variant::Kind::kOrder: {
      variant.later = candidate.source == kNone ? candidate.later : sources_[candidate.source].later;
      const Transition& later = failing_.events()[variant.later].transition;
      if (is_whole) first = enabled_of(system_, history[variant.later].name.actor, later.alternative);
      break;
    }
    case Variant::Kind::kChoice:
      if (is_whole) first = enabled_of(system_, history[candidate.event].name.actor, candidate.alternative);
      if (first && first->alternative != candidate.alternative) first.reset();
      break;
  }
  if (!first) return false;
  variant.steps.push_back(*first);
  system_.step(*first);
  return true;
}

// Goes on without the actor of the event, to an operation that conflicts with it and that has not happened.
bool NearestVariants::come_to_conflict(Variant& variant) {
  const History& history = failing_.history();
  const ActorId moved = history[variant.event].name.actor;
  const std::span<const Touch> touches = history.touches(history[variant.event]);
  // The execution was looked at closely, and so must be what is compared with it.
  system_.set_descriptions(Descriptions::kOn);
  bool is_found = false;
  for (std::size_t i = 0; i < kUnfinishedMax && !is_found; ++i) {
    const auto next = std::ranges::find_if(system_.enabled(), [&](const Transition& each) {
      return each.actor != moved && happens_by_itself(each.kind);
    });
    if (next == system_.enabled().end()) break;
    variant.steps.push_back(*next);
    const Footprint footprint = system_.step(variant.steps.back()).footprint;
    const bool is_conflict = std::ranges::any_of(footprint, [&](const Touch& touch) {
      return std::ranges::any_of(touches, [&](const Touch& other) {
        return touch.object == other.object && conflicts(touch.access, other.access);
      });
    });
    if (!is_conflict) continue;
    const ActorId actor = variant.steps.back().actor;
    const auto count = static_cast<std::size_t>(std::ranges::count(variant.steps, actor, &Transition::actor));
    if (count <= events_of(failing_, actor)) break;
    is_found = true;
  }
  system_.set_descriptions(Descriptions::kOff);
  return is_found;
}

RaceDescription NearestVariants::describe(const Variant& variant) const {
  RaceDescription description;
  description.kind = variant.kind == Variant::Kind::kChoice ? RaceKind::kChoice : RaceKind::kOrder;
  description.event = failing_.ref_of(variant.event);
  description.did = failing_.events()[variant.event].description;
  description.kept = variant.steps.size() - 1;
  if (variant.kind == Variant::Kind::kOrder) {
    description.other = failing_.ref_of(variant.later);
    description.other_did = failing_.events()[variant.later].description;
    return description;
  }
  // What it does differently was not seen.
  std::vector<Transition> before(variant.steps.begin(), variant.steps.end() - 1);
  if (variant.kind == Variant::Kind::kChoice) {
    before.clear();
    // The execution as far as it came before: what is after may have changed what there is to choose from.
    for (EventId event = 0; event < variant.event; ++event)
      before.push_back(failing_.events()[event].transition);
  }
  system_.set_descriptions(Descriptions::kOn);
  system_.reset();
  system_.follow(before);
  const Transition& last = variant.steps.back();
  if (std::ranges::find(system_.enabled(), last) != system_.enabled().end()) {
    system_.step(last);
    description.other_did = system_.describe_last();
  }
  system_.set_descriptions(Descriptions::kOff);
  const auto ordinal =
      static_cast<std::uint32_t>(std::ranges::count(variant.steps, last.actor, &Transition::actor));
  description.other = variant.kind == Variant::Kind::kChoice
                          ? description.event
                          : EventRef{.actor = system_.actor_name(last.actor), .ordinal = ordinal};
  return description;
}

}  // namespace ravel
