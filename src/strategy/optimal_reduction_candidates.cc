// Closing slots: which further decisions the events of a slot open, for earlier slots and for itself.

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/hash.h"
#include "strategy/optimal_reduction.h"

namespace ravel {

void OptimalReduction::close_last_slot() {
  Level& l = level();
  const auto last = static_cast<std::uint32_t>(l.slots.size() - 1);
  // Slots above the base have one event each, in their order.
  if (last > l.base) {
    while (!l.order.empty() && history_[l.order.back()].slot == last) l.order.pop_back();
  } else {
    std::erase_if(l.order, [&](EventId event) { return history_[event].slot == last; });
  }
  const EventId event = l.slots.back()->event;
  if (event != kNoEvent && !l.prevented.empty())
    std::erase_if(l.prevented, [&](const Prevented& entry) { return entry.by == event; });
  release_last_slot();
}

void OptimalReduction::collect_candidates() {
  Level& l = level();
  const auto j = static_cast<std::uint32_t>(l.slots.size() - 1);
  const Slot& slot = *l.slots[j];
  if (slot.event != kNoEvent) {
    const Occurrence& event = history_[slot.event];
    if ((slot.choice == Choice::kDefault || slot.choice == Choice::kAlternative) &&
        event.alternative + 1 < slot.alternatives)
      l.candidates.push_back({.kind = Candidate::Kind::kAlternative, .slot = j});
    if (slot.choice == Choice::kDefault) {
      for (const Sent& rival : history_.rivals(event))
        l.candidates.push_back(
            {.kind = Candidate::Kind::kMessage, .slot = j, .event = rival.event, .touch = rival.touch});
      if (event.receives() && history_.touches(event)[event.receive_touch].access == Access::kReceiveOrExpire)
        l.candidates.push_back({.kind = Candidate::Kind::kExpiry, .slot = j});
      for (const Prevented& prevented : l.prevented)
        if (prevented.by == slot.event && is_first_insertion(j, prevented.actor, last_of(prevented.actor), prevented.enabler, kNoEvent))
          l.candidates.push_back({.kind = Candidate::Kind::kInsertion, .slot = j, .event = last_of(prevented.actor),
                                  .touch = 0, .actor = prevented.actor, .enabler = prevented.enabler});
    }
    collect_from(slot.event, j);
  }
  // What was put into this slot is met here for the first time, too, if it was that alone, and if the slot would
  // have come to decide so by itself.
  if (slot.waits_for.size() == 1 && slot.choice != Choice::kAlternative) {
    for (const EventId event : l.order) {
      if (history_[event].slot != j || history_[event].name != slot.waits_for[0]) continue;
      if (slot.choice == Choice::kDefault || is_default_given(j, event)) collect_from(event, j);
      break;
    }
  }
  std::ranges::stable_sort(l.candidates, {}, &Candidate::slot);
}

void OptimalReduction::collect_from(EventId arrival, std::uint32_t at_slot) {
  Level& l = level();
  const Occurrence& event = history_[arrival];
  const auto decided_by_default = [&](EventId earlier) {
    const Occurrence& other = history_[earlier];
    return other.decides_slot && other.slot < at_slot && l.slots[other.slot]->choice == Choice::kDefault;
  };
  for (const EventId earlier : history_.predecessors(event)) {
    if (!decided_by_default(earlier) || history_[earlier].name.actor == event.name.actor) continue;
    const bool is_immediate = std::ranges::none_of(history_.predecessors(event), [&](EventId between) {
      return between != earlier && history_.precedes(earlier, between);
    });
    if (!is_immediate || !is_reversible(arrival, earlier)) continue;
    const std::uint32_t slot = history_[earlier].slot;
    if (disturbs_followers(slot, arrival)) continue;
    if (!history_.keeps_touches(arrival, earlier)) {
      const auto insert = [&](EventId enabler) {
        if (is_first_insertion(slot, event.name.actor, origin_of(arrival), enabler, arrival))
          l.candidates.push_back({.kind = Candidate::Kind::kInsertion, .slot = slot, .event = origin_of(arrival),
                                  .touch = 0, .actor = event.name.actor, .enabler = enabler});
      };
      insert(enabler_of(arrival));
      // The actor may have had another step to take before one of these came, as a process has that is killed.
      for (const EventId cause : history_.predecessors(event))
        if (cause != earlier && history_[cause].name.actor != event.name.actor && !history_.precedes(earlier, cause) &&
            diverts(cause, arrival))
          insert(cause);
    } else if (would_wait_last(earlier, arrival) && is_canonical(slot, at_slot, arrival)) {
      l.candidates.push_back({.kind = Candidate::Kind::kReversal, .slot = slot, .event = arrival});
    }
  }
  for (const LateReceive& late : history_.late_receives(event)) {
    if (!decided_by_default(late.receive)) continue;
    const std::uint32_t slot = history_[late.receive].slot;
    if (!disturbs_followers(slot, arrival) && is_canonical(slot, at_slot, arrival))
      l.candidates.push_back(
          {.kind = Candidate::Kind::kMessage, .slot = slot, .event = arrival, .touch = late.touch});
  }
}

// Whether the event comes after one that has to follow the slot's, or needs something that would be put before one of
// those by itself.
bool OptimalReduction::disturbs_followers(std::uint32_t number, EventId event) const {
  const Level& l = levels_.back();
  for (const Follower& wanted : l.slots[number]->followers) {
    const auto place = std::ranges::find_if(l.order, [&](EventId other) { return history_[other].name == wanted.event; });
    if (place == l.order.end()) continue;
    const EventId follower = *place;
    if (history_.precedes(follower, event)) return true;
    for (const EventId other : l.order) {
      const Occurrence& known = history_[other];
      const bool is_there = known.slot < number || (known.slot == number && !known.decides_slot);
      if (is_there || other == follower || other == l.slots[number]->event || !history_.precedes(other, event)) continue;
      if (!history_.conflict(other, follower) || history_.keeps_touches(other, follower)) continue;
      // Unless it is only behind the slot's event that it disturbs the follower: then nothing puts it there by itself.
      if (l.slots[number]->event != kNoEvent && !history_.keeps_touches(other, l.slots[number]->event)) continue;
      if (other == event || history_.comes_before(known.name.actor, l.slots[number]->actor)) return true;
    }
  }
  return false;
}

EventId OptimalReduction::origin_of(EventId event) const {
  for (const EventId cause : history_.predecessors(history_[event]))
    if (history_[cause].name.actor == history_[event].name.actor || history_.creates(cause, event)) return cause;
  return kNoEvent;
}

// Whether an event's actor would have done something else without `cause`, because that ends its life.
bool OptimalReduction::diverts(EventId cause, EventId event) const {
  if (history_.keeps_touches(event, cause)) return false;
  return std::ranges::any_of(history_.touches(history_[cause]), [&](const Touch& touch) {
    return touch.access == Access::kWrite && system_->owner_of(touch.object) == history_[event].name.actor;
  });
}

EventId OptimalReduction::enabler_of(EventId event) const {
  const std::uint32_t ready_at = history_[event].ready_at;
  const std::vector<EventId>& order = levels_.back().order;
  return ready_at == 0 || ready_at > order.size() ? kNoEvent : order[ready_at - 1];
}

bool OptimalReduction::is_first_insertion(std::uint32_t number, ActorId actor, EventId origin, EventId enabler, EventId arrival) {
  const Slot& slot = slot_at(number);
  // Before the slot's event waited it was in the same race, unless it is only what it waits for that makes it one.
  for (const EventName& name : slot.waits_for) {
    const bool is_needed = (origin != kNoEvent && history_.precedes(name, origin)) ||
                           (enabler != kNoEvent && history_.precedes(name, enabler));
    if (is_needed) continue;
    const EventId awaited = find_in_order(name);
    const bool is_steered = !history_.keeps_touches(slot.event, awaited) ||
                            (arrival != kNoEvent && !history_.keeps_touches(arrival, awaited));
    if (!is_steered) return false;
  }
  for (const Follower& follower : slot.followers)
    if (follower.event.actor == actor) return false;
  const std::pair key(history_.name_hash(actor), mix(origin == kNoEvent ? 0 : history_[origin].hash) +
                                 (enabler == kNoEvent ? 0 : history_[enabler].hash));
  auto& known = inserted_[slot.number];
  if (std::ranges::find(known, key) != known.end()) return false;
  known.push_back(key);
  return true;
}

// What a receive depends on if it goes on without a message: then it leaves its mailbox as it is.
std::vector<EventId> OptimalReduction::causes_without_message(EventId receive) const {
  const Occurrence& happened = history_[receive];
  std::vector<EventId> causes;
  for (const EventId cause : history_.predecessors(happened))
    if (history_[cause].name.actor == happened.name.actor || history_.conflicts_apart_from(receive, happened.receive_touch, cause))
      causes.push_back(cause);
  return causes;
}

bool OptimalReduction::is_reversible(EventId later, EventId earlier) const {
  if (history_[later].taken.event == earlier) return false;  // without the message, this receive is another event
  if (history_.creates(earlier, later)) return false;
  return history_[later].ready_at != history_[earlier].position + 1;  // else it has made it possible
}

// Whether the earlier event, if it waited for the later one too, would come to it last in its own order; true if that
// is not known before it is done.
bool OptimalReduction::would_wait_last(EventId earlier, EventId later) const {
  const Level& l = levels_.back();
  const Slot& slot = *l.slots[history_[earlier].slot];
  if (slot.waits_for.empty() || !history_.keeps_touches(earlier, later)) return true;
  return std::ranges::none_of(slot.waits_for, [&](const EventName& name) {
    const EventId other = find_in_order(name);
    if (!is_met_before(earlier, later, other)) return false;
    // Whether they commute on a closer look may be otherwise once the earlier event does not come first.
    return !history_.precedes_without(name, later, earlier) && !history_.may_conflict(other, later);
  });
}

// Whether an event comes to `one` before `other`, in the order of its touches, and of actors where that does not tell.
bool OptimalReduction::is_met_before(EventId event, EventId one, EventId other) const {
  const std::uint32_t first = history_.first_conflict(event, one), second = history_.first_conflict(event, other);
  return first != second ? first < second : history_.comes_before(history_[one].name.actor, history_[other].name.actor);
}

EventId OptimalReduction::last_of(ActorId actor) const {
  const std::vector<EventId>& order = levels_.back().order;
  for (std::size_t i = order.size(); i-- > 0;)
    if (history_[order[i]].name.actor == actor) return order[i];
  return kNoEvent;
}

EventId OptimalReduction::find_in_order(const EventName& name) const {
  for (const EventId event : levels_.back().order)
    if (history_[event].name == name) return event;
  CHECK(false);
}

bool OptimalReduction::is_canonical(std::uint32_t from, std::uint32_t to, EventId event) {
  for (std::uint32_t k = from + 1; k < to; ++k) {
    const Slot& slot = slot_at(k);
    if (slot.event != kNoEvent && history_.precedes(slot.event, event)) continue;
    if (!is_default_given(k, event)) return false;
  }
  return true;
}

bool OptimalReduction::is_default_given(std::uint32_t number, EventId event) {
  const Slot& slot = slot_at(number);
  for (const EventName& name : slot.waits_for)
    if (!history_.precedes(name, event)) return false;
  if (slot.choice == Choice::kAlternative || !slot.followers.empty()) return false;
  // An actor that can't move any more has decided nothing.
  if (slot.choice == Choice::kDefault || slot.event == kNoEvent) return true;
  // It did not do what it does by default. That is all the same the default if the message of the default can't be
  // the first one, given what the past of the event has observed.
  mark_config(number, event);
  find_takeable(slot.event, takeable_);
  std::vector<EventId> first;
  Sent preferred;
  if (slot.default_takes) {
    preferred = {.event = find_in_config(slot.default_sender), .touch = slot.default_touch};
    first.push_back(preferred.event);
  } else {
    first = causes_without_message(slot.event);
  }
  mark_before(first);
  const bool is_possible = std::ranges::none_of(
      takeable_, [&](const Sent& sent) { return sent.event != preferred.event && before_[sent.event] != 0; });
  if (is_possible) return false;
  const Sent wanted = first_in_canonical_order(takeable_);
  return slot.choice == Choice::kMessage && wanted == history_[slot.event].taken;
}

}  // namespace ravel
