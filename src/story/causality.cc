#include "story/causality.h"

#include <algorithm>
#include <map>

namespace ravel {

Causality::Causality(const Observation& observation, LastEvent last) : observation_(observation) {
  const History& history = observation.history();
  const auto length = static_cast<EventId>(observation.length());
  causes_.resize(length);
  for (EventId event = 0; event < length; ++event) {
    if (event + 1 == length && last == LastEvent::kStopsOthers) {
      add_causes_of_end(event);
      continue;
    }
    const std::span<const EventId> direct = history.predecessors(history[event]);
    causes_[event].assign(direct.begin(), direct.end());
  }
}

// What the event comes after by what it touches: found from the end, without what follows.
void Causality::add_causes_of_end(EventId event) {
  const History& history = observation_.history();
  const Occurrence& happened = history[event];
  std::vector<EventId>& causes = causes_[event];
  for (EventId earlier = event; earlier-- > 0;) {
    const bool is_direct = history[earlier].name.actor == happened.name.actor ||
                           happened.taken.event == earlier || history[earlier].is_passing ||
                           history.creates(earlier, event) || history.touches_conflict(earlier, event);
    if (!is_direct) continue;
    const bool follows =
        std::ranges::any_of(causes, [&](EventId later) { return history.precedes(earlier, later); });
    if (!follows) causes.push_back(earlier);
  }
}

std::vector<std::size_t> Causality::after(EventId event) const {
  const History& history = observation_.history();
  const ActorId itself = history[event].name.actor;
  std::map<ActorId, EventId> last_of;  // an actor's earlier events follow from its last one
  for (const EventId cause : causes_[event]) {
    EventId& last = last_of.try_emplace(history[cause].name.actor, cause).first->second;
    last = std::max(last, cause);
  }
  std::vector<std::size_t> after;
  for (const auto& [actor, cause] : last_of) {
    if (actor == itself) continue;
    const bool follows = std::ranges::any_of(last_of, [&, cause = cause](const auto& other) {
      return other.second != cause && history.precedes(cause, other.second);
    });
    if (!follows) after.push_back(cause);
  }
  std::ranges::sort(after);
  return after;
}

std::vector<bool> Causality::past_of(std::span<const EventId> events) const {
  std::vector<bool> is_past(causes_.size(), false);
  for (const EventId event : events) is_past[event] = true;
  for (std::size_t event = causes_.size(); event-- > 0;) {
    if (!is_past[event]) continue;
    for (const EventId cause : causes_[event]) is_past[cause] = true;
  }
  return is_past;
}

}  // namespace ravel
