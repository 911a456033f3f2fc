// Races of an execution that has ended: which wakeup sequences they ask for.

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/hash.h"
#include "strategy/optimal_reduction.h"

namespace ravel {

namespace {

// A step that is tried takes as long as so many that are compared.
constexpr std::uint64_t kComparisonsPerTrial = 64;

// Of how many steps that were tried at a node it is remembered what they did.
constexpr std::size_t kTriedRemembered = std::size_t{1} << 14;

}  // namespace

void OptimalReduction::find_races() {
  // A step that turned out not to be possible has no event.
  executed_ = in_order_;
  while (executed_ < node_count_ && nodes_[executed_].event != kNoEvent) ++executed_;
  if (executed_ != history_.length()) return;
  // What is at the end of an execution makes a difference to races that are open; not to those before time passed.
  std::uint32_t over = std::min(first_new_, executed_);
  while (over > 0 && !history_[nodes_[over - 1].event].is_passing) --over;
  const auto begin = [&](std::uint32_t node) {
    is_open_ = false;
    return node >= first_new_ || (node >= over && open_nodes_[node] != 0);
  };
  open_now_.assign(executed_, 0);
  const auto end = [&](std::uint32_t node) { open_now_[node] |= is_open_ ? 1 : 0; };
  for (std::uint32_t later = over; later < executed_; ++later) {
    if (gives_up(1)) return;
    if (!begin(later)) continue;
    if (!nodes_[later].is_fixed) find_alternatives(later);
    reverse_conflicts(later);
    end(later);
  }
  for (const EventId send : late_sends_)
    for (const LateReceive& late : history_.late_receives(history_[send])) {
      if (gives_up(1)) return;
      const std::uint32_t later = std::max(node_of_[late.receive], node_of_[send]);
      if (!begin(later)) continue;
      take_message(node_of_[late.receive], {.event = send, .touch = late.touch});
      end(later);
    }
  if (reversals_ == Reversals::kReceives && (!stuck_.empty() || !prevented_.empty())) {
    has_left_races_ = true;
    stuck_.clear();
    prevented_.clear();
  }
  for (const Stuck& stuck : stuck_) {
    const bool is_at_end = stuck.length == executed_;
    if (!is_at_end && !begin(stuck.length)) continue;  // whatever the order, time passed as that event
    unblock(stuck);
    if (!is_at_end) end(stuck.length);
  }
  for (const Prevented& prevented : prevented_) {
    if (!begin(node_of_[prevented.by])) continue;
    prevent(prevented);
    end(node_of_[prevented.by]);
  }
  std::ranges::copy(open_now_, open_nodes_.begin());
}

// Puts the node's event before those with which it conflicts.
void OptimalReduction::reverse_conflicts(std::uint32_t later) {
  const EventId event = nodes_[later].event;
  const Occurrence& known = history_[event];
  if (known.is_passing) return;
  for (const EventId earlier : history_.predecessors(known)) {
    if (history_[earlier].name.actor == known.name.actor || nodes_[node_of_[earlier]].is_fixed || history_[earlier].is_passing) continue;
    const bool is_immediate = std::ranges::none_of(history_.predecessors(known), [&](EventId between) {
      return between != earlier && history_.precedes(earlier, between);
    });
    if (!is_immediate || known.taken.event == earlier || history_.creates(earlier, event)) continue;
    if (reversals_ == Reversals::kReceives)
      has_left_races_ = true;
    else if (has_let_happen(earlier, event) || !reverse(node_of_[earlier], event))
      reverse_past(earlier, event);
  }
}

// Whether it is known that the earlier event has made the later one possible.
bool OptimalReduction::has_let_happen(EventId earlier, EventId later) const {
  return history_[later].ready_at == history_[earlier].position + 1 || history_.acquires_from(later, earlier, Access::kRelease);
}

// The other decisions that the node's actor had.
void OptimalReduction::find_alternatives(std::uint32_t node) {
  const EventId event = nodes_[node].event;
  const Occurrence& known = history_[event];
  const std::uint32_t end = nodes_[node].first_alternative + nodes_[node].alternatives;
  for (std::uint32_t alternative = nodes_[node].first_alternative; alternative < end; ++alternative) {
    if (alternative == known.alternative) continue;
    if (reversals_ == Reversals::kReceives) {
      has_left_races_ = true;
      break;
    }
    collect_sequence(node, kNoEvent);
    StepName name = step_of(event);
    name.alternative = alternative;
    name.choice = Choice::kAny;
    try_step(node, name);
  }
  for (const Sent& rival : history_.rivals(known)) take_message(node, rival);
  if (known.receives() && history_.touches(known)[known.receive_touch].access == Access::kReceiveOrExpire) expire(node);
}

// What comes behind a node and depends neither on it nor on `last`, if that is an event.
void OptimalReduction::collect_sequence(std::uint32_t from, EventId last) {
  gives_up(executed_ - from);
  const EventName first_name = history_[nodes_[from].event].name;
  const EventName last_name = last == kNoEvent ? first_name : history_[last].name;
  const bool in_order = is_in_order();
  sequence_.resize(executed_ - from - 1);
  std::size_t collected = 0;
  for (std::uint32_t node = from + 1; node < executed_; ++node) {
    const EventId event = in_order ? node : nodes_[node].event;
    if (!history_.precedes(first_name, event) && !history_.precedes(last_name, event)) sequence_[collected++] = event;
  }
  sequence_.resize(collected);
}

// Puts the later event before what the node does now; false if it can't come there.
bool OptimalReduction::reverse(std::uint32_t node, EventId later) {
  const EventId earlier = nodes_[node].event;
  if (!history_.keeps_touches(later, earlier)) return reverse_unknown(node, later);
  collect_sequence(node, later);
  needs_.clear();
  Last last{.name = step_of(later),
            // What it would find before the other one follows from what both have found now.
            .close_key = std::ranges::any_of(history_.touches(history_[later]), &Touch::is_coarse) ? ~combine(history_[later].close_key, history_[earlier].close_key) : 0,
            .ends_all = later + 1 == history_.length() && has_stopped_others_,
            .touches = history_.touches(history_[later]),
            .event = later,
            .needs = needs_,
            .summary = history_[later].summary};
  for (const EventId cause : history_.predecessors(history_[later]))
    if (!history_.precedes(earlier, cause)) last.needs.push_back(cause);
  if (find_place(node, last)) attach(last, is_in_order() ? std::vector<EventName>() : order_as_executed(node, last));
  return true;
}

// The same with an event that may touch something else if it comes first.
bool OptimalReduction::reverse_unknown(std::uint32_t node, EventId later) {
  collect_sequence(node, later);
  StepName name = step_of(later);
  if (name.choice != Choice::kNothing) name.choice = Choice::kAny;
  return try_step(node, name);
}

// An event that can't come before `passed`, because that has given what it waited for, may be able to come before what had
// taken it, as one that locks before the one that had locked.
void OptimalReduction::reverse_past(EventId passed, EventId later) {
  // It comes after these in any case. What else comes before `passed` is tried as that is.
  std::vector<EventId> after;
  const Occurrence& known = history_[later];
  for (const EventId cause : history_.predecessors(known))
    if (history_[cause].name.actor == known.name.actor || cause == known.taken.event || !history_.precedes(cause, passed))
      after.push_back(cause);
  for (std::uint32_t node = node_of_[passed]; node-- > 0;) {
    if (has_given_up()) return;
    const EventId event = nodes_[node].event;
    if (history_[event].is_passing) break;  // it was stuck there
    if (nodes_[node].is_fixed || !history_.precedes(event, passed)) continue;
    if (std::ranges::any_of(after, [&](EventId one) { return history_.precedes(event, one); }) || !may_have_kept(event, later)) continue;
    if (history_.acquires_from(later, event, Access::kAcquire) ? reverse(node, later) : reverse_unknown(node, later)) after.push_back(event);
  }
}

// Whether the earlier event may have taken what the later one waits for.
bool OptimalReduction::may_have_kept(EventId earlier, EventId later) const {
  for (const Touch& own : history_.touches(history_[later]))
    for (const Touch& other : history_.touches(history_[earlier]))
      if (own.object == other.object && other.access != Access::kCreate && is_write(other.access)) return true;
  return false;
}

// An actor that can't go on where nobody can may be able to do so before what has taken what it waits for.
void OptimalReduction::unblock(const Stuck& stuck) {
  const ActorId actor = stuck.step.actor;
  std::vector<EventId> after;
  for (std::uint32_t node = stuck.length; node-- > 0;) {
    if (has_given_up()) return;
    const EventId event = nodes_[node].event;
    if (history_[event].is_passing) break;  // it was stuck there, too, or could not do this yet
    if (nodes_[node].is_fixed || std::ranges::any_of(after, [&](EventId known) { return history_.precedes(event, known); })) continue;
    if (history_[event].name.actor == actor) {
      after.push_back(event);
      continue;
    }
    collect_sequence(node, kNoEvent);
    if (try_step(node, {.event = stuck.step, .choice = Choice::kAny})) after.push_back(event);
  }
}

void OptimalReduction::prevent(const Prevented& prevented) {
  const std::uint32_t by = node_of_[prevented.by];
  if (nodes_[by].is_fixed) return;
  EventId later = kNoEvent;
  for (std::uint32_t node = by + 1; node < executed_; ++node)
    if (nodes_[node].step.event == prevented.step) later = nodes_[node].event;
  if (later != kNoEvent && history_.acquires_from(later, prevented.by, Access::kAcquire)) return;  // that is a race of the two
  collect_sequence(by, later);
  try_step(by, {.event = prevented.step, .choice = Choice::kAny});
}

// Calls `place`, which says whether it can be done, with the sequence; if trees are cut, also with each first part of
// it, since what it leads to is not run then as a whole, and steps may do something else where less has happened.
template <class Place>
bool OptimalReduction::for_sequences(Place place) {
  if (!is_cut_) return place();
  const std::vector<EventId> all = sequence_;
  bool is_possible = false;
  for (std::size_t length = all.size() + 1; length-- > 0;) {
    sequence_.assign(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(length));
    if (place()) is_possible = true;
  }
  return is_possible;
}

// Puts the sequence and a step into the tree of a node of which it is not known what it touches there. False if it can't
// be taken there, or does not depend on what the node does now.
bool OptimalReduction::try_step(std::uint32_t node, const StepName& name) {
  return for_sequences([&] { return try_behind_sequence(node, name); });
}

bool OptimalReduction::try_behind_sequence(std::uint32_t node, const StepName& name) {
  is_open_ = true;
  above_.clear();
  make_candidates();
  const std::uint64_t key = hash_of(name) + hash_of_sequence(sequence_.size());
  if (nodes_[node].tried.size() >= kTriedRemembered) nodes_[node].tried.clear();
  auto [place, is_new] = nodes_[node].tried.try_emplace(key);
  Tried& tried = place->second;
  const StepName steps[] = {name};
  if (is_new && try_steps(node, sequence_.size(), steps)) {
    const History& history = trial_.history();
    const auto event = static_cast<EventId>(history.length() - 1);
    const std::span<const Touch> touches = history.touches(history[event]);
    tried = {.is_possible = true, .ends_all = system_->stops_others(), .name = step_of(history, event),
             .close_key = history[event].close_key, .touches = {touches.begin(), touches.end()}, .causes = {}};
    for (const EventId cause : history.predecessors(history[event])) tried.causes.push_back(history[cause].name);
  }
  if (!tried.is_possible) return false;
  const Occurrence& now = history_[nodes_[node].event];
  const bool ends_all = tried.ends_all || (nodes_[node].event + 1 == history_.length() && has_stopped_others_);
  if (!ends_all && now.name.actor != name.event.actor && !touches_depend(tried.touches, history_.touches(now))) return false;
  needs_.clear();
  Last last{.name = tried.name, .close_key = tried.close_key, .ends_all = tried.ends_all, .touches = tried.touches, .event = kNoEvent,
            .needs = needs_, .is_tried = true};
  for (const EventId event : sequence_)
    if (std::ranges::find(tried.causes, history_[event].name) != tried.causes.end()) last.needs.push_back(event);
  if (find_place(node, last)) attach(last, is_in_order() ? std::vector<EventName>() : order_as_executed(node, last));
  return true;
}

std::uint64_t OptimalReduction::hash_of(const StepName& name) const {
  return combine(history_.name_hash(name.event.actor), std::uint64_t{name.event.ordinal} << 32 | name.alternative);
}

// Of the first events of the sequence, and of what is above in the tree, whatever the order.
std::uint64_t OptimalReduction::hash_of_sequence(std::size_t length) const {
  std::uint64_t hash = 0;
  for (std::size_t i = 0; i < sequence_.size(); ++i)
    if (i < length || candidates_[i].is_removed) hash += mix(history_[sequence_[i]].hash);
  for (const Above& above : above_)
    if (!above.is_known) hash += hash_of(above.step);
  return hash;
}

void OptimalReduction::take_message(std::uint32_t receive, Sent sent) {
  if (nodes_[receive].is_fixed) return;
  collect_sequence(receive, kNoEvent);
  const EventId event = nodes_[receive].event;
  StepName name = step_of(event);
  name.choice = Choice::kMessage;
  name.sender = history_[sent.event].name;
  name.touch = sent.touch;
  Last last = other_choice(event, name, Access::kReceiveOrExpire);
  if (node_of_[sent.event] > receive) last.needs.push_back(sent.event);
  if (!find_place(receive, last)) return;
  mark_config(receive);
  std::vector<EventName> order;
  if (order_for_message(event, sent, order)) attach(last, std::move(order));
}

void OptimalReduction::expire(std::uint32_t receive) {
  collect_sequence(receive, kNoEvent);
  const EventId event = nodes_[receive].event;
  StepName name = step_of(event);
  name.choice = Choice::kExpiry;
  name.sender = {};
  name.touch = 0;
  for_sequences([&] {
    const Last last = other_choice(event, name, Access::kExpire);
    if (!find_place(receive, last)) return true;
    mark_config(receive);
    std::vector<EventName> order;
    if (order_for_expiry(event, order)) attach(last, std::move(order));
    return true;
  });
}

// A receive that does something else with its mailbox, and what of the sequence that depends on.
OptimalReduction::Last OptimalReduction::other_choice(EventId receive, const StepName& name, Access access) {
  const Occurrence& known = history_[receive];
  const std::span<const Touch> touches = history_.touches(known);
  other_touches_.assign(touches.begin(), touches.end());
  Touch& taken = other_touches_[known.receive_touch];
  const bool is_other = (taken.access == Access::kExpire) != (access == Access::kExpire);
  if (is_other) taken.access = access;
  needs_.clear();
  Last last{.name = name, .close_key = known.close_key, .ends_all = false, .touches = other_touches_,
            .event = kNoEvent, .needs = needs_};
  if (!is_other) return last;
  is_open_ = true;
  for (const EventId event : sequence_)
    if (touches_depend(other_touches_, history_.touches(history_[event]))) last.needs.push_back(event);
  return last;
}

// Executes what comes before a node, the first events of the sequence, what is above in the tree, and these steps, to
// see what they do; false if they can't be taken. `trial_` has it all.
bool OptimalReduction::try_steps(std::uint32_t node, std::size_t length, std::span<const StepName> steps) {
  if (gives_up(kComparisonsPerTrial * history_.length())) return false;
  is_tried_.assign(history_.length(), 0);
  for (std::uint32_t before = 0; before < node; ++before) is_tried_[nodes_[before].event] = 1;
  for (std::size_t i = 0; i < sequence_.size(); ++i)
    if (i < length || candidates_[i].is_removed) is_tried_[sequence_[i]] = 1;
  to_try_.clear();
  for (EventId event = 0; event < history_.length(); ++event)
    if (is_tried_[event] != 0) to_try_.push_back({.actor = history_[event].name.actor, .alternative = history_[event].alternative});
  for (const Above& above : above_)
    if (!above.is_known) to_try_.push_back({.actor = above.step.event.actor, .alternative = above.step.alternative});
  for (const StepName& step : steps) to_try_.push_back({.actor = step.event.actor, .alternative = step.alternative});
  return trial_.run(*system_, to_try_, history_);
}

}  // namespace ravel
