// Messages. A receive that can take several messages decides among them, as it does whether to go on without
// one, and sends do not depend on each other: as if a mailbox had no order (after Aronis, Jonsson, Lang,
// Sagonas, "Optimal dynamic partial order reduction with observers", TACAS 2018, where sends depend on each
// other if a receive tells them apart). That it has one is left to the order of execution, which is another
// one than that of the nodes then: each receive finds its message first. A step of the script that finds
// another message is a reason to put the script in a better order and to begin again; if there is no order,
// there is no such trace.

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
  for (const EventId event : chosen_) {
    const Occurrence& known = history_[event];
    for (const Sent& rival : history_.rivals(known))
      if (is_chosen(rival.event)) observed.emplace_back(known.taken.event, rival.event);
    for (const LateReceive& late : history_.late_receives(known)) {
      if (!is_chosen(late.receive)) continue;
      const EventId taken = history_[late.receive].taken.event;
      observed.emplace_back(taken == kNoEvent ? late.receive : taken, event);
    }
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

// As far as it is known which ones these are.
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
  const EventId first[] = {message.event};
  mark_before(first);
  for (const Sent& rival : takeable_) {
    const bool is_earlier =
        rival.event == message.event ? rival.touch < message.touch : is_before_[rival.event] != 0;
    if (is_earlier) return std::nullopt;
  }
  Order order;
  put_before_rivals(message.event, order);
  order.push_back(history_[receive].name);
  return order;
}

std::optional<ExecutionOrder::Order> ExecutionOrder::for_expiry(EventId receive) {
  find_takeable(receive);
  const Occurrence& known = history_[receive];
  // What it depends on if it goes on without a message: then it leaves its mailbox as it is.
  std::vector<EventId> causes;
  for (const EventId cause : history_.predecessors(known))
    if (history_[cause].name.actor == known.name.actor ||
        history_.conflicts_apart_from(receive, known.receive_touch, cause))
      causes.push_back(cause);
  mark_before(causes);
  for (const Sent& rival : takeable_)
    if (is_before_[rival.event] != 0) return std::nullopt;
  Order order;
  const std::size_t place = put_before_rivals(kNoEvent, order);
  order.insert(order.begin() + static_cast<std::ptrdiff_t>(place), known.name);
  return order;
}

// Everything up to the first message that the receive could take instead stays, then comes what was marked,
// then the rest. Returns where the rest begins.
std::size_t ExecutionOrder::put_before_rivals(EventId wanted, Order& order) const {
  const auto is_rival = [&](EventId event) {
    return event != wanted && std::ranges::find(takeable_, event, &Sent::event) != takeable_.end();
  };
  std::size_t stays = 0;
  while (stays < chosen_.size() && !is_rival(chosen_[stays])) ++stays;
  for (std::size_t i = 0; i < stays; ++i) order.push_back(history_[chosen_[i]].name);
  for (std::size_t i = stays; i < chosen_.size(); ++i)
    if (is_before_[chosen_[i]] != 0) order.push_back(history_[chosen_[i]].name);
  const std::size_t place = order.size();
  for (std::size_t i = stays; i < chosen_.size(); ++i)
    if (is_before_[chosen_[i]] == 0) order.push_back(history_[chosen_[i]].name);
  return place;
}

}  // namespace ravel::reduction
