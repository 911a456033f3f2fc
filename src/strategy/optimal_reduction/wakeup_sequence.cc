#include "strategy/optimal_reduction/wakeup_sequence.h"

#include <algorithm>

#include "base/hash.h"

namespace ravel::reduction {

void WakeupSequence::collect(std::uint32_t from, EventId last) {
  const EventName first_name = history_[execution_.event_of(from)].name;
  const EventName last_name = last == kNoEvent ? first_name : history_[last].name;
  const bool in_order = execution_.is_in_order();
  const auto length = static_cast<std::uint32_t>(history_.length());
  events_.resize(length - from - 1);
  std::size_t collected = 0;
  for (std::uint32_t node = from + 1; node < length; ++node) {
    const EventId event = in_order ? node : execution_.event_of(node);
    if (!history_.precedes(first_name, event) && !history_.precedes(last_name, event))
      events_[collected++] = event;
  }
  events_.resize(collected);
}

std::uint64_t WakeupSequence::hash() const {
  std::uint64_t hash = 0;
  for (const EventId event : events_) hash += mix(history_[event].hash);
  return hash;
}

bool WakeupSequence::needs(const StepName& step) const {
  if (step.event == last_.name.event) return true;
  return std::ranges::any_of(events_, [&](EventId event) {
    return history_[event].name == step.event && std::ranges::any_of(needs_, [&](EventId need) {
             return need == event || history_.precedes(event, need);
           });
  });
}

void WakeupSequence::begin_comparison() {
  candidates_.clear();
  above_.clear();
  is_last_removed_ = false;
  place_of_.resize(std::max(place_of_.size(), history_.length()));
  summary_ = {};
  for (const EventId event : events_) {
    const Occurrence& known = history_[event];
    place_of_[event] = static_cast<std::uint32_t>(candidates_.size());
    summary_.add(known.summary);
    candidates_.push_back({.summary = known.summary, .actor = static_cast<std::uint32_t>(known.name.actor)});
  }
}

bool WakeupSequence::remove(const StepName& step) {
  bool is_known = false;
  for (std::uint32_t i = 0; i < size(); ++i) {
    Candidate& candidate = candidates_[i];
    if (candidate.actor != static_cast<std::uint32_t>(step.event.actor)) continue;
    if (history_[events_[i]].name != step.event) continue;
    candidate = {.summary = {}, .actor = kNone, .is_removed = true, .is_needed = candidate.is_needed};
    is_known = true;
  }
  if (is_known || step.event != last_.name.event) return is_known;
  is_last_removed_ = true;
  return true;
}

void WakeupSequence::mark_needs() {
  for (const EventId need : needs_) mark_needed(need);
  for (std::size_t i = events_.size(); i-- > 0;)
    if (candidates_[i].is_needed)
      for (const EventId cause : history_.predecessors(history_[events_[i]])) mark_needed(cause);
}

bool WakeupSequence::leave_out_others() {
  bool is_left = !is_last_removed_;
  std::size_t kept = 0;
  for (std::uint32_t i = 0; i < size(); ++i) {
    if (!is_kept(i)) continue;
    if (!candidates_[i].is_removed) is_left = true;
    candidates_[kept] = candidates_[i];
    events_[kept++] = events_[i];
  }
  events_.resize(kept);
  candidates_.resize(kept);
  return is_left;
}

}  // namespace ravel::reduction
