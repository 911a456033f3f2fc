#include "story/story_races.h"

#include <algorithm>
#include <map>
#include <utility>

#include "engine/round_finder.h"

namespace ravel {

namespace {

// Looking for all races takes time that grows with the square of the execution's length; where operations
// block it runs a part of the execution for each pair, and in any case for each alternative.
constexpr std::size_t kEventsMax = 1'000, kBlockingEventsMax = 300, kAlternativesMax = 200;

// Of one step. More make no picture.
constexpr std::size_t kRacesMax = 10;

bool is_lock(Access access) { return access == Access::kAcquire || access == Access::kRelease; }

bool touches_lock(const Observation& observation, EventId event) {
  const std::span<const Touch> touches = observation.history().touches(observation.history()[event]);
  return std::ranges::any_of(touches, [](const Touch& touch) { return is_lock(touch.access); });
}

std::vector<Race> races_of_neighbours(const Observation& observation, const Causality& causality) {
  const History& history = observation.history();
  std::vector<Race> races;
  for (EventId later = 0; later < observation.length(); ++later) {
    if (touches_lock(observation, later)) continue;
    for (const std::size_t cause : causality.after(later)) {
      const auto earlier = static_cast<EventId>(cause);
      if (!history.touches_conflict(earlier, later) || touches_lock(observation, earlier) ||
          history.creates(earlier, later) || history.creates(later, earlier))
        continue;
      // What made the later one possible must not follow from the earlier one.
      const std::uint32_t ready_at = history[later].ready_at;
      if (ready_at > 0 && history.precedes(earlier, ready_at - 1)) continue;
      races.push_back({.kind = RaceKind::kOrder, .event = earlier, .later = later});
    }
  }
  return races;
}

// The steps of a race, the earlier one first; nothing if it is about one step.
std::optional<std::pair<std::size_t, std::size_t>> steps_of(const Race& race) {
  if (race.kind == RaceKind::kOrder) return std::pair<std::size_t, std::size_t>{race.event, race.later};
  if (race.kind != RaceKind::kMessage) return std::nullopt;
  return std::pair<std::size_t, std::size_t>{std::minmax(race.event, race.message.event)};
}

void add_race(std::size_t earlier, std::optional<std::size_t> later, bool decides,
              StoryExecution& execution) {
  std::vector<StoryRace>& races = execution.steps[earlier].races;
  const auto same = [&](const StoryRace& race) { return race.with == later; };
  if (const auto known = std::ranges::find_if(races, same); known != races.end()) {
    known->decides = known->decides || decides;
  } else if (decides || races.size() < kRacesMax) {
    races.push_back({.with = later, .decides = decides});
  }
}

class EventsByName {
 public:
  explicit EventsByName(const Observation& observation) {
    for (EventId event = 0; event < observation.length(); ++event) events_[observation.ref_of(event)] = event;
  }
  std::optional<std::size_t> find(const EventRef& ref) const {
    const auto known = events_.find(ref);
    return known == events_.end() ? std::nullopt : std::optional<std::size_t>(known->second);
  }

 private:
  std::map<EventRef, EventId> events_;
};

// The pair that makes the difference. It may name an event that comes only after the bug.
void add_difference(const Observation& observation, const RaceDescription& difference,
                    StoryExecution& execution) {
  const EventsByName events(observation);
  const auto event = events.find(difference.event);
  const bool is_pair = difference.kind == RaceKind::kOrder || difference.kind == RaceKind::kMessage;
  const auto other = is_pair ? events.find(difference.other) : std::nullopt;
  if (!event && !other) return;
  if (event && other) {
    add_race(std::min(*event, *other), std::max(*event, *other), true, execution);
  } else {
    add_race(event ? *event : *other, std::nullopt, true, execution);
  }
}

void tell_choice(const Race& race, StoryExecution& execution) {
  for (StoryChoice& choice : execution.steps[race.event].choices)
    if (choice.actor == execution.steps[race.event].actor && choice.alternative == race.alternative)
      choice.text = race.instead.text;
}

// The events that are the bug.
std::vector<EventId> events_of_bug(const Observation& observation, const StoryBug& bug,
                                   const StoryExecution& execution) {
  std::vector<EventId> events;
  const auto length = static_cast<EventId>(observation.length());
  if (execution.loop) {
    for (auto event = static_cast<EventId>(*execution.loop); event < length; ++event) events.push_back(event);
    return events;
  }
  if (const auto event = observation.bug_event()) return {*event};
  if (bug.kind == "event_bound" || bug.kind == kLivelock) return {};
  std::map<std::size_t, EventId> last;
  for (EventId event = 0; event < length; ++event) last[execution.steps[event].actor] = event;
  const auto add_last_of = [&](std::size_t actor) {
    if (const auto known = last.find(actor); known != last.end()) events.push_back(known->second);
  };
  if (bug.kind == "deadlock") {
    for (const StoryWaiting& waiting : execution.waiting) add_last_of(waiting.actor);
  } else if (bug.actor) {
    add_last_of(*bug.actor);
  }
  return events;
}

}  // namespace

std::vector<Race> races_to_tell(const Observation& observation, const Causality& causality) {
  std::size_t alternatives = 0;
  for (EventId event = 0; event < observation.length(); ++event)
    alternatives += observation.other_alternatives(event).size();
  const std::size_t most = observation.system().operations_block() ? kBlockingEventsMax : kEventsMax;
  if (observation.length() > most || alternatives > kAlternativesMax)
    return races_of_neighbours(observation, causality);
  return find_races(observation);
}

void add_races(const Observation& observation, std::span<const Race> races, const RaceDescription* difference,
               StoryExecution& execution) {
  if (difference != nullptr) add_difference(observation, *difference, execution);
  for (const Race& race : races) {
    if (race.kind == RaceKind::kChoice) tell_choice(race, execution);
    const auto pair = steps_of(race);
    // An actor's message to itself may race with another one that it takes: that is no edge of two lanes.
    if (pair && execution.steps[pair->first].actor != execution.steps[pair->second].actor)
      add_race(pair->first, pair->second, false, execution);
  }
}

void mark_relevant(const Observation& observation, const Causality& causality, const StoryBug* bug,
                   StoryExecution& execution) {
  if (bug == nullptr) return;
  std::vector<EventId> events = events_of_bug(observation, *bug, execution);
  if (events.empty()) return;
  std::vector<bool> is_of_bug(execution.steps.size(), false);
  for (const EventId event : events) is_of_bug[event] = true;
  for (std::size_t i = 0; i < execution.steps.size(); ++i) {
    for (const StoryRace& race : execution.steps[i].races) {
      const bool is_near = is_of_bug[i] || (race.with && is_of_bug[*race.with]);
      if (!race.decides && !is_near) continue;
      events.push_back(static_cast<EventId>(i));
      if (race.with) events.push_back(static_cast<EventId>(*race.with));
    }
  }
  const std::vector<bool> is_past = causality.past_of(events);
  for (std::size_t i = 0; i < execution.steps.size(); ++i) execution.steps[i].is_relevant = is_past[i];
}

namespace {

// With whom a step has to do: those to whom it sends, who has sent what it takes, whom it makes.
bool deals_with_program(const StoryStep& step, const StoryExecution& execution,
                        const std::vector<StoryActor>& actors) {
  const auto is_program = [&](std::size_t actor) { return !actors[actor].is_inner; };
  return (step.receives && is_program(execution.steps[*step.receives].actor)) ||
         (step.spawns && is_program(*step.spawns)) ||
         std::ranges::any_of(step.sends, [&](const StoryMessage& sent) { return is_program(sent.to); });
}

void mark_inner_steps(const std::vector<StoryActor>& actors, StoryExecution& execution) {
  for (StoryStep& step : execution.steps) {
    if (actors[step.actor].is_inner) {
      step.is_inner = true;
    } else if (step.is_inner) {
      step.is_inner = !deals_with_program(step, execution, actors);
    }
  }
}

}  // namespace

void mark_inner(Story& story) {
  std::vector<bool> is_of_program(story.actors.size(), false), is_of_library(story.actors.size(), false);
  std::vector<StoryExecution*> executions = {&story.failing};
  if (story.passing) executions.push_back(&*story.passing);
  for (const StoryExecution* const execution : executions)
    for (const StoryStep& step : execution->steps)
      if (step.source || step.is_inner) (step.is_inner ? is_of_library : is_of_program)[step.actor] = true;
  // Where no step has a source, nothing tells the program from its libraries.
  const bool is_told = std::ranges::find(is_of_program, true) != is_of_program.end();
  // What an actor of the program has made is of the program, whatever code it runs. It appears after its
  // maker.
  for (StoryActor& actor : story.actors) {
    const auto index = static_cast<std::size_t>(&actor - story.actors.data());
    const bool is_made_by_program =
        actor.parent && is_of_program[*actor.parent] && !story.actors[*actor.parent].is_inner;
    if (is_made_by_program) is_of_program[index] = true;
    actor.is_inner = is_told && is_of_library[index] && !is_of_program[index];
  }
  for (StoryExecution* const execution : executions) {
    if (is_told) {
      mark_inner_steps(story.actors, *execution);
    } else {
      for (StoryStep& step : execution->steps) step.is_inner = false;
    }
  }
}

}  // namespace ravel
