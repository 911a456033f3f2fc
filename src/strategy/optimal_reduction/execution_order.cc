// Messages. A receive that can take several messages decides among them, as it does whether to go on without
// one, and sends do not depend on each other: as if a mailbox had no order (after Aronis, Jonsson, Lang,
// Sagonas, "Optimal dynamic partial order reduction with observers", TACAS 2018, where sends depend on each
// other if a receive tells them apart). That it has one is left to the order of execution, which is another
// one than that of the nodes then: each receive finds its message first. A step of the script that finds
// another message is a reason to put the script in a better order and to begin again; if there is no order,
// there is no such trace.
//
// A receive that takes a message although priority messages would do comes before these, as one that goes on
// without a message comes before all that it could take. As a priority message may be sent because of others
// that the receive could have taken, orders that contradict each other show in what sleeps, too: a sequence
// is not covered by a sleeping receive that cannot come first (can_come_first).

#include "strategy/optimal_reduction/execution_order.h"

#include <algorithm>
#include <utility>

namespace ravel::reduction {

void ExecutionOrder::choose(std::uint32_t nodes, std::span<const EventId> sequence) {
  is_chosen_.assign(history_.length(), 0);
  for (std::uint32_t node = 0; node < nodes; ++node)
    if (execution_.event_of(node) != kNoEvent) is_chosen_[execution_.event_of(node)] = 1;
  for (const EventId event : sequence) is_chosen_[event] = 1;
  note_chosen();
}

void ExecutionOrder::choose_before(EventId last) {
  is_chosen_.assign(history_.length(), 1);
  is_chosen_[last] = 0;
  note_chosen();
}

void ExecutionOrder::note_chosen() {
  is_before_.assign(history_.length(), 0);
  chosen_.clear();
  for (EventId event = 0; event < history_.length(); ++event)
    if (is_chosen(event)) chosen_.push_back(event);
}

ExecutionOrder::Order ExecutionOrder::as_executed(const LastStep& last) const {
  Order order;
  bool has_last = false;
  for (EventId event = 0; event < history_.length(); ++event) {
    if (event == last.event) has_last = true;
    if (event == last.event || is_chosen(event)) order.push_back(history_[event].name);
  }
  if (!has_last) order.push_back(last.name.event);
  return order;
}

// All that has to be executed before some events, by causality and by what receives observe; marks them in
// is_before_.
void ExecutionOrder::mark_before(std::span<const EventId> events) {
  // What receives observe: the first has to come before the second.
  std::vector<std::pair<EventId, EventId>> observed;
  const auto observe = [&](EventId receive, const Sent& other) {
    const Sent& taken = history_[receive].taken;
    const Precedence needed = history_.needed_to_take(taken, other);
    if (needed != Precedence::kNothing)
      observed.emplace_back(needed == Precedence::kReceive ? receive : taken.event, other.event);
  };
  for (const EventId event : chosen_) {
    const Occurrence& known = history_[event];
    for (const Sent& rival : history_.rivals(known))
      if (is_chosen(rival.event)) observe(event, rival);
    for (const LateReceive& late : history_.late_receives(known))
      if (is_chosen(late.receive)) observe(late.receive, {.event = event, .touch = late.touch});
  }
  for (const EventId event : events)
    if (is_chosen(event)) is_before_[event] = 1;
  for (std::size_t i = chosen_.size(); i-- > 0;) {
    const EventId event = chosen_[i];
    if (is_before_[event] == 0) continue;
    for (const EventId cause : history_.predecessors(history_[event]))
      if (is_chosen(cause)) is_before_[cause] = 1;
    for (const auto& [earlier, later] : observed)
      if (later == event) is_before_[earlier] = 1;
  }
}

// Finds the messages that a receive could take, as far as they are known.
void ExecutionOrder::find_takeable(EventId receive) {
  takeable_.clear();
  const Occurrence& known = history_[receive];
  if (known.taken.event != kNoEvent) takeable_.push_back(known.taken);
  for (const Sent& rival : history_.rivals(known)) takeable_.push_back(rival);
  for (const EventId event : chosen_)
    for (const LateReceive& late : history_.late_receives(history_[event]))
      if (late.receive == receive) takeable_.push_back({.event = event, .touch = late.touch});
  std::erase_if(takeable_, [&](const Sent& sent) { return !is_chosen(sent.event); });
}

std::optional<ExecutionOrder::Order> ExecutionOrder::for_message(EventId receive, Sent message) {
  find_takeable(receive);
  std::erase(takeable_, message);
  const EventId first[] = {message.event};
  mark_before(first);
  bool is_urgent = false;  // there are messages that the receive must not find
  for (const Sent& rival : takeable_) {
    const Precedence needed = history_.needed_to_take(message, rival);
    const bool is_earlier =
        rival.event == message.event ? rival.touch < message.touch : is_before_[rival.event] != 0;
    if (needed == Precedence::kSend && is_earlier) return std::nullopt;
    is_urgent = is_urgent || needed == Precedence::kReceive;
  }
  is_before_message_ = is_before_;
  if (is_urgent) {
    mark_causes(receive);
    for (const Sent& rival : takeable_)
      if (history_.needed_to_take(message, rival) == Precedence::kReceive && is_before_[rival.event] != 0)
        return std::nullopt;
  }
  Order order;
  const std::size_t place = put_before_rivals(message.event, order);
  order.insert(is_urgent ? order.begin() + static_cast<std::ptrdiff_t>(place) : order.end(),
               history_[receive].name);
  return order;
}

// What a receive that takes a message depends on, except the message.
void ExecutionOrder::mark_causes(EventId receive) {
  const Occurrence& known = history_[receive];
  const std::span<const Touch> own = history_.touches(known);
  std::vector<Touch> touches(own.begin(), own.end());
  touches[known.receive_touch].access = Access::kReceiveOrExpire;
  std::vector<EventId> causes;
  for (const EventId cause : history_.predecessors(known))
    if (history_[cause].name.actor == known.name.actor || history_[cause].is_passing) causes.push_back(cause);
  for (const EventId event : chosen_)
    if (touches_depend(touches, history_.touches(history_[event]))) causes.push_back(event);
  mark_before(causes);
}

// Whether a receive depends on an event whatever it does with its mailbox.
bool ExecutionOrder::is_cause_but_message(EventId receive, EventId cause) const {
  const Occurrence& known = history_[receive];
  return history_[cause].name.actor == known.name.actor ||
         history_.conflicts_apart_from(receive, known.receive_touch, cause);
}

std::optional<ExecutionOrder::Order> ExecutionOrder::for_expiry(EventId receive) {
  find_takeable(receive);
  const Occurrence& known = history_[receive];
  // What it depends on if it goes on without a message: then it leaves its mailbox as it is.
  std::vector<EventId> causes;
  for (const EventId cause : history_.predecessors(known))
    if (is_cause_but_message(receive, cause)) causes.push_back(cause);
  is_before_message_ = is_before_;
  mark_before(causes);
  for (const Sent& rival : takeable_)
    if (is_before_[rival.event] != 0) return std::nullopt;
  Order order;
  const std::size_t place = put_before_rivals(kNoEvent, order);
  order.insert(order.begin() + static_cast<std::ptrdiff_t>(place), known.name);
  return order;
}

// Everything up to the first message that the receive could take instead stays, then comes what was marked,
// first what the wanted message needs, then the rest. Returns where the rest begins.
std::size_t ExecutionOrder::put_before_rivals(EventId wanted, Order& order) const {
  const auto is_rival = [&](EventId event) {
    return event != wanted && std::ranges::find(takeable_, event, &Sent::event) != takeable_.end();
  };
  std::size_t stays = 0;
  while (stays < chosen_.size() && !is_rival(chosen_[stays])) ++stays;
  for (std::size_t i = 0; i < stays; ++i) order.push_back(history_[chosen_[i]].name);
  const auto add = [&](auto belongs_here) {
    for (std::size_t i = stays; i < chosen_.size(); ++i)
      if (belongs_here(chosen_[i])) order.push_back(history_[chosen_[i]].name);
  };
  add([&](EventId event) { return is_before_message_[event] != 0; });
  add([&](EventId event) { return is_before_message_[event] == 0 && is_before_[event] != 0; });
  const std::size_t place = order.size();
  add([&](EventId event) { return is_before_[event] == 0; });
  return place;
}

EventId ExecutionOrder::event_named(const EventName& name) const {
  for (EventId event = 0; event < history_.length(); ++event)
    if (history_[event].name == name) return event;
  return kNoEvent;
}

bool ExecutionOrder::can_come_first(const StepName& step, std::uint32_t nodes,
                                    const WakeupSequence& sequence) {
  const auto is_receive = [](const StepName& name) {
    return name.choice == Choice::kMessage || name.choice == Choice::kExpiry;
  };
  if (!history_.has_priority_messages() || !is_receive(step)) return true;
  const EventId first = event_named(step.event);
  if (first == kNoEvent || !history_[first].receives()) return true;  // nobody knows what it could take
  choose(nodes, sequence.events());
  if (is_chosen(first)) return true;
  const LastStep& last = sequence.last();
  if (last.event != kNoEvent && !is_chosen(last.event)) {
    is_chosen_[last.event] = 1;
    chosen_.push_back(last.event);
  }
  // By event, what has to come later; then of the last step, if it is no event.
  const auto end = static_cast<EventId>(history_.length());
  after_.assign(end + 1, {});
  const auto put = [&](EventId one, EventId other) { after_[one].push_back(other); };
  const auto put_after_causes = [&](EventId event, EventId place, const StepName& name) {
    for (const EventId cause : history_.predecessors(history_[event]))
      if (is_chosen(cause) && (is_cause_but_message(event, cause) ||
                               (name.choice == Choice::kMessage && history_.touches_conflict(event, cause))))
        put(cause, place);
  };
  const auto take = [&](EventId receive, EventId place, const StepName& name) {
    find_takeable(receive);
    const Sent taken = {.event = name.choice == Choice::kMessage ? event_named(name.sender) : kNoEvent,
                        .touch = name.touch};
    if (taken.event != kNoEvent) put(taken.event, place);
    for (const Sent& other : takeable_) {
      if (other == taken) continue;
      const Precedence needed = history_.needed_to_take(taken, other);
      if (needed != Precedence::kNothing)
        put(needed == Precedence::kReceive ? place : taken.event, other.event);
    }
  };
  for (const EventId event : chosen_) {
    for (const EventId cause : history_.predecessors(history_[event]))
      if (is_chosen(cause)) put(cause, event);
    if (history_[event].receives()) take(event, event, execution_.step_of(event));
  }
  put_after_causes(first, first, step);
  take(first, first, step);
  if (last.event == kNoEvent && !sequence.is_last_removed()) {
    for (const EventId need : sequence.needs())
      if (is_chosen(need)) put(need, end);
    const EventId now = event_named(last.name.event);
    if (now != kNoEvent && history_[now].receives() && is_receive(last.name)) {
      if (!last.is_tried) put_after_causes(now, end, last.name);
      take(now, end, last.name);
    }
  }
  chosen_.push_back(first);
  chosen_.push_back(end);
  return has_order();
}

// Whether nothing that is chosen has to come after itself.
bool ExecutionOrder::has_order() const {
  std::vector<std::uint32_t> awaited(after_.size(), 0);
  for (const EventId event : chosen_)
    for (const EventId later : after_[event]) ++awaited[later];
  std::vector<EventId> ready;
  for (const EventId event : chosen_)
    if (awaited[event] == 0) ready.push_back(event);
  std::size_t placed = 0;
  while (!ready.empty()) {
    const EventId event = ready.back();
    ready.pop_back();
    ++placed;
    for (const EventId later : after_[event])
      if (--awaited[later] == 0) ready.push_back(later);
  }
  return placed == chosen_.size();
}

}  // namespace ravel::reduction
