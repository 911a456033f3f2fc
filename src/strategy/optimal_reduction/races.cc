// Waiting. An event g may be possible only because of e, as a lock is after an unlock. Then it is put not
// before e but before what had taken it away, the last event in e's past that conflicts with g and before
// which g is possible: tried, or known if it acquires what g acquires. Of an actor that is stuck at the end
// of an execution all events are tried that may have kept it.
//
// Time. An event with which time passes (Access::kPass) was possible only because nobody could go on. So it
// is in the past of all that comes later, and all that came before is in its own: it has no races, nothing
// sleeps after it, and what comes before it is explored as an execution of its own. The actors that are stuck
// there are those that are stuck at the end of that execution.

#include "strategy/optimal_reduction/races.h"

#include <algorithm>

#include "base/hash.h"

namespace ravel::reduction {

void Races::reverse_all() {
  const bool was_cut = search_.is_cut;
  reverse_new_ones();
  if (search_.is_cut && !was_cut) reverse_new_ones();  // the search looks closer now
}

void Races::reverse_new_ones() {
  if (!execution_.fills_first_nodes()) return;
  const auto length = static_cast<std::uint32_t>(history_.length());
  const std::uint32_t first_new = nodes_.first_new();
  // What is at the end of an execution makes a difference to races that are open; not to those before time
  // passed.
  std::uint32_t over = std::min(first_new, length);
  while (over > 0 && !history_[nodes_[over - 1].event].is_passing) --over;
  const auto begin = [&](std::uint32_t node) {
    is_open_ = false;
    return node >= first_new || (node >= over && nodes_.is_open(node));
  };
  open_now_.assign(length, 0);
  const auto end = [&](std::uint32_t node) { open_now_[node] |= is_open_ ? 1 : 0; };
  for (std::uint32_t later = over; later < length; ++later) {
    if (patience_.ends_after(1)) return;
    if (!begin(later)) continue;
    if (!nodes_[later].is_fixed) find_alternatives(later);
    reverse_conflicts(later);
    end(later);
  }
  for (const EventId send : execution_.late_sends())
    for (const LateReceive& late : history_.late_receives(history_[send])) {
      if (patience_.ends_after(1)) return;
      const std::uint32_t receive = execution_.node_of(late.receive);
      const std::uint32_t later = std::max(receive, execution_.node_of(send));
      if (!begin(later)) continue;
      take_message(receive, {.event = send, .touch = late.touch});
      end(later);
    }
  if (reversals_ == Reversals::kReceives &&
      (!execution_.stuck().empty() || !execution_.prevented().empty())) {
    search_.has_left_races = true;
    execution_.forget_who_waits();
  }
  for (const Stuck& stuck : execution_.stuck()) {
    const bool is_at_end = stuck.length == length;
    if (!is_at_end && !begin(stuck.length)) continue;  // whatever the order, time passed as that event
    unblock(stuck);
    if (!is_at_end) end(stuck.length);
  }
  for (const Prevented& prevented : execution_.prevented()) {
    const std::uint32_t by = execution_.node_of(prevented.by);
    if (!begin(by)) continue;
    prevent(prevented);
    end(by);
  }
  nodes_.set_open(open_now_);
}

// ---- What there is to be decided otherwise ---------------------------------------------------------------

// Puts the node's event before those with which it conflicts.
void Races::reverse_conflicts(std::uint32_t later) {
  const EventId event = nodes_[later].event;
  const Occurrence& known = history_[event];
  if (known.is_passing) return;
  for (const EventId earlier : history_.predecessors(known)) {
    const std::uint32_t node = execution_.node_of(earlier);
    if (history_[earlier].name.actor == known.name.actor || nodes_[node].is_fixed ||
        history_[earlier].is_passing)
      continue;
    const bool is_immediate = std::ranges::none_of(history_.predecessors(known), [&](EventId between) {
      return between != earlier && history_.precedes(earlier, between);
    });
    if (!is_immediate || history_.creates(earlier, event)) continue;
    // What a receive takes instead is decided by find_alternatives(), unless the two are ordered by something
    // else, too.
    const bool is_taken = known.taken.event == earlier;
    if (is_taken && !history_.conflicts_apart_from(event, known.receive_touch, earlier)) continue;
    if (reversals_ == Reversals::kReceives)
      search_.has_left_races = true;
    else if (is_taken)
      reverse_unknown(node, event);
    else if (has_let_happen(earlier, event) || !reverse(node, event))
      reverse_past(earlier, event);
  }
}

// Whether it is known that the earlier event has made the later one possible.
bool Races::has_let_happen(EventId earlier, EventId later) const {
  return history_[later].ready_at == history_[earlier].position + 1 ||
         history_.acquires_from(later, earlier, Access::kRelease);
}

// The other decisions that the node's actor had.
void Races::find_alternatives(std::uint32_t node) {
  const EventId event = nodes_[node].event;
  const Occurrence& known = history_[event];
  const std::uint32_t end = nodes_[node].first_alternative + nodes_[node].alternatives;
  for (std::uint32_t alternative = nodes_[node].first_alternative; alternative < end; ++alternative) {
    if (alternative == known.alternative || node >= search_.places_before) continue;
    if (reversals_ == Reversals::kReceives) {
      search_.has_left_races = true;
      break;
    }
    collect(node, kNoEvent);
    StepName name = execution_.step_of(event);
    name.alternative = alternative;
    name.choice = Choice::kAny;
    try_step(node, name);
  }
  for (const Sent& rival : history_.rivals(known)) take_message(node, rival);
  if (known.receives() && history_.touches(known)[known.receive_touch].access == Access::kReceiveOrExpire)
    expire(node);
}

// An event that can't come before `passed`, because that has given what it waited for, may be able to come
// before what had taken it, as one that locks before the one that had locked.
void Races::reverse_past(EventId passed, EventId later) {
  // Events that `later` comes after in any case. What else comes before `passed` is tried as `passed` is.
  std::vector<EventId> after;
  const Occurrence& known = history_[later];
  for (const EventId cause : history_.predecessors(known))
    if (history_[cause].name.actor == known.name.actor || cause == known.taken.event ||
        !history_.precedes(cause, passed))
      after.push_back(cause);
  const auto comes_after = [&](EventId event) {
    return std::ranges::any_of(after, [&](EventId one) { return history_.precedes(event, one); });
  };
  for (std::uint32_t node = execution_.node_of(passed); node-- > 0;) {
    if (patience_.has_ended()) return;
    const EventId event = nodes_[node].event;
    if (history_[event].is_passing) break;  // the actor was stuck there
    if (nodes_[node].is_fixed || !history_.precedes(event, passed)) continue;
    if (comes_after(event) || !may_have_kept(event, later)) continue;
    const bool has_taken = history_.acquires_from(later, event, Access::kAcquire);
    if (has_taken ? reverse(node, later) : reverse_unknown(node, later)) after.push_back(event);
  }
}

// Whether the earlier event may have taken what the later one waits for.
bool Races::may_have_kept(EventId earlier, EventId later) const {
  for (const Touch& own : history_.touches(history_[later]))
    for (const Touch& other : history_.touches(history_[earlier]))
      if (own.object == other.object && other.access != Access::kCreate && is_write(other.access))
        return true;
  return false;
}

// An actor that can't go on where nobody can may be able to do so before what has taken what it waits for.
void Races::unblock(const Stuck& stuck) {
  const ActorId actor = stuck.step.actor;
  std::vector<EventId> after;
  const auto comes_after = [&](EventId event) {
    return std::ranges::any_of(after, [&](EventId known) { return history_.precedes(event, known); });
  };
  for (std::uint32_t node = stuck.length; node-- > 0;) {
    if (patience_.has_ended()) return;
    const EventId event = nodes_[node].event;
    if (history_[event].is_passing) break;  // the actor was stuck there, too, or could not do this yet
    if (nodes_[node].is_fixed || comes_after(event)) continue;
    if (history_[event].name.actor == actor) {
      after.push_back(event);
      continue;
    }
    collect(node, kNoEvent);
    if (try_step(node, {.event = stuck.step, .choice = Choice::kAny})) after.push_back(event);
  }
}

// Lets an actor take the step from which an event has kept it, before that event.
void Races::prevent(const Prevented& prevented) {
  const std::uint32_t by = execution_.node_of(prevented.by);
  if (nodes_[by].is_fixed || by >= search_.places_before) return;
  EventId later = kNoEvent;
  for (std::uint32_t node = by + 1; node < history_.length(); ++node)
    if (nodes_[node].step.event == prevented.step) later = nodes_[node].event;
  // A race of the two events.
  if (later != kNoEvent && history_.acquires_from(later, prevented.by, Access::kAcquire)) return;
  collect(by, later);
  try_step(by, {.event = prevented.step, .choice = Choice::kAny});
}

// ---- One other decision ----------------------------------------------------------------------------------

// Puts the later event before what the node does now; false if it can't come there.
bool Races::reverse(std::uint32_t node, EventId later) {
  const EventId earlier = nodes_[node].event;
  if (!history_.keeps_touches(later, earlier)) return reverse_unknown(node, later);
  if (node >= search_.places_before) return true;
  collect(node, later);
  const Occurrence& known = history_[later];
  const std::span<const Touch> touches = history_.touches(known);
  // What it would find before the other one follows from what both have found now.
  const bool is_coarse = std::ranges::any_of(touches, &Touch::is_coarse);
  sequence_.set_last({.name = execution_.step_of(later),
                      .close_key = is_coarse ? ~combine(known.close_key, history_[earlier].close_key) : 0,
                      .ends_all = execution_.ends_all(later),
                      .touches = touches,
                      .event = later});
  for (const EventId cause : history_.predecessors(known))
    if (!history_.precedes(earlier, cause)) sequence_.add_need(cause);
  if (has_place(node)) attach_as_executed(node);
  return true;
}

// Reverses a race with an event that may touch something else if it comes first.
bool Races::reverse_unknown(std::uint32_t node, EventId later) {
  collect(node, later);
  StepName name = execution_.step_of(later);
  if (name.choice != Choice::kNothing) name.choice = Choice::kAny;
  return try_step(node, name);
}

void Races::take_message(std::uint32_t receive, Sent sent) {
  if (nodes_[receive].is_fixed || receive >= search_.places_before) return;
  collect(receive, kNoEvent);
  const EventId event = nodes_[receive].event;
  StepName name = execution_.step_of(event);
  name.choice = Choice::kMessage;
  name.sender = history_[sent.event].name;
  name.touch = sent.touch;
  choose_otherwise(event, name, Access::kReceiveOrExpire);
  if (execution_.node_of(sent.event) > receive) sequence_.add_need(sent.event);
  if (!has_place(receive)) return;
  order_.choose(receive, sequence_.events());
  if (auto order = order_.for_message(event, sent)) placer_.attach(std::move(*order));
}

void Races::expire(std::uint32_t receive) {
  if (receive >= search_.places_before) return;
  collect(receive, kNoEvent);
  const EventId event = nodes_[receive].event;
  StepName name = execution_.step_of(event);
  name.choice = Choice::kExpiry;
  name.sender = {};
  name.touch = 0;
  for_first_parts([&] {
    choose_otherwise(event, name, Access::kExpire);
    if (!has_place(receive)) return true;
    order_.choose(receive, sequence_.events());
    if (auto order = order_.for_expiry(event)) placer_.attach(std::move(*order));
    return true;
  });
}

// The sequence ends with a receive that does something else with its mailbox.
void Races::choose_otherwise(EventId receive, const StepName& name, Access access) {
  const Occurrence& known = history_[receive];
  const std::span<const Touch> touches = history_.touches(known);
  other_touches_.assign(touches.begin(), touches.end());
  Touch& taken = other_touches_[known.receive_touch];
  const bool is_other = (taken.access == Access::kExpire) != (access == Access::kExpire);
  if (is_other) taken.access = access;
  sequence_.set_last({.name = name, .close_key = known.close_key, .touches = other_touches_});
  if (!is_other) return;
  is_open_ = true;
  for (const EventId event : sequence_.events())
    if (touches_depend(other_touches_, history_.touches(history_[event]))) sequence_.add_need(event);
}

// Puts the sequence and a step into the tree of a node of which it is not known what it touches there. False
// if it can't be taken there, or does not depend on what the node does now.
bool Races::try_step(std::uint32_t node, const StepName& name) {
  return for_first_parts([&] { return try_after_sequence(node, name); });
}

bool Races::try_after_sequence(std::uint32_t node, const StepName& name) {
  is_open_ = true;
  const TriedStep& tried = trials_.take_after_sequence(node, name);
  if (!tried.is_possible) return false;
  const Occurrence& now = history_[nodes_[node].event];
  const bool ends_all = tried.ends_all || execution_.ends_all(nodes_[node].event);
  if (!ends_all && now.name.actor != name.event.actor &&
      !touches_depend(tried.touches, history_.touches(now)))
    return false;
  sequence_.set_last({.name = tried.name,
                      .close_key = tried.close_key,
                      .ends_all = tried.ends_all,
                      .touches = tried.touches,
                      .is_tried = true});
  for (const EventId event : sequence_.events())
    if (std::ranges::find(tried.causes, history_[event].name) != tried.causes.end())
      sequence_.add_need(event);
  if (has_place(node)) attach_as_executed(node);
  return true;
}

// ---- The wakeup sequence ---------------------------------------------------------------------------------

// What comes after a node and depends neither on it nor on `last`, if that is an event.
void Races::collect(std::uint32_t from, EventId last) {
  patience_.ends_after(history_.length() - from);
  sequence_.collect(from, last);
}

// Calls `try_one`, which says whether it can be done, with the sequence; if trees are cut, also with each
// first part of it, since what it leads to is not run then as a whole, and steps may do something else where
// less has happened.
template <class Try>
bool Races::for_first_parts(Try try_one) {
  if (!search_.is_cut) return try_one();
  const std::vector<EventId> all(sequence_.events().begin(), sequence_.events().end());
  bool is_possible = false;
  for (std::size_t length = all.size() + 1; length-- > 0;) {
    sequence_.assign(std::span(all).first(length));
    if (try_one()) is_possible = true;
  }
  return is_possible;
}

bool Races::has_place(std::uint32_t node) {
  if (node >= search_.places_before) return false;
  const Place place = placer_.find(node);
  if (place == Place::kKnownByLuck) is_open_ = true;
  return place == Place::kInTree;
}

void Races::attach_as_executed(std::uint32_t node) {
  if (execution_.is_in_order()) return placer_.attach({});
  order_.choose(node, sequence_.events());
  placer_.attach(order_.as_executed(sequence_.last()));
}

}  // namespace ravel::reduction
