#include "races/message_races.h"

#include <algorithm>
#include <functional>
#include <queue>

#include "base/check.h"

namespace ravel {

MessageRaces::MessageRaces(const History& history, std::span<const EventId> order)
    : history_(&history), order_(order.begin(), order.end()), takeable_(order.size()) {
  for (std::uint32_t i = 0; i < order_.size(); ++i) position_of_[order_[i]] = i;
  for (std::uint32_t i = 0; i < order_.size(); ++i) {
    const Occurrence& happened = history[order_[i]];
    if (happened.receives()) {
      if (happened.taken.event != kNoEvent) takeable_[i].push_back(message_of(happened.taken));
      for (const Sent& rival : history.rivals(happened)) takeable_[i].push_back(message_of(rival));
    }
    for (const LateReceive& late : history.late_receives(happened)) {
      const auto receive = position_of_.find(late.receive);
      if (receive != position_of_.end())
        takeable_[receive->second].push_back({.event = i, .touch = late.touch});
    }
  }
}

std::vector<MessageRaces::Message> MessageRaces::alternatives(std::uint32_t receive) const {
  std::vector<Message> found;
  const Message own = taken(receive);
  const std::vector<Message>& all = takeable_[receive];
  for (const Message& message : all) {
    if (message == own) continue;
    const bool comes_later = std::ranges::any_of(all, [&](const Message& other) {
      const History::Precedence needed = needed_to_take(message, other);
      if (other == message || needed == History::Precedence::kNothing) return false;
      if (other.event != message.event) return precedes(other.event, message.event);
      return needed == History::Precedence::kReceive || other.touch < message.touch;
    });
    if (!comes_later) found.push_back(message);
  }
  std::ranges::sort(found, {},
                    [](const Message& message) { return std::pair(message.event, message.touch); });
  const Occurrence& happened = (*history_)[order_[receive]];
  if (history_->touches(happened)[happened.receive_touch].access == Access::kReceiveOrExpire)
    found.push_back({});
  return found;
}

MessageRaces::Message MessageRaces::taken_with(std::uint32_t receive, std::span<const Change> changes) const {
  const auto change = std::ranges::find(changes, receive, &Change::receive);
  return change == changes.end() ? taken(receive) : change->message;
}

bool MessageRaces::is_message_only(std::uint32_t cause, std::uint32_t receive) const {
  const Occurrence &sender = (*history_)[order_[cause]], &receiver = (*history_)[order_[receive]];
  return receiver.taken.event == order_[cause] && sender.name.actor != receiver.name.actor &&
         !history_->touches_conflict(order_[cause], order_[receive]);
}

bool MessageRaces::order_events(const std::vector<bool>& kept, std::span<const Change> changes,
                                std::vector<std::vector<std::uint32_t>>& next) const {
  next.assign(order_.size(), {});
  for (std::uint32_t i = 0; i < order_.size(); ++i) {
    if (!kept[i]) continue;
    const Occurrence& happened = (*history_)[order_[i]];
    const bool is_changed = std::ranges::find(changes, i, &Change::receive) != changes.end();
    for (const EventId cause : history_->predecessors(happened)) {
      const std::uint32_t before = position_of_.at(cause);
      if (is_changed && is_message_only(before, i)) continue;
      CHECK(kept[before]);
      next[before].push_back(i);
    }
    if (!happened.receives()) continue;
    const Message own = taken_with(i, changes);
    if (is_changed && !own.is_none() && own.event != i) {
      CHECK(kept[own.event]);
      next[own.event].push_back(i);
    }
    for (const Message& other : takeable_[i]) {
      if (other == own || !kept[other.event]) continue;
      const History::Precedence needed =
          own.is_none() ? History::Precedence::kReceive : needed_to_take(own, other);
      if (needed == History::Precedence::kReceive) {
        next[i].push_back(other.event);
      } else if (needed == History::Precedence::kNothing) {
        continue;
      } else if (own.event != other.event) {
        next[own.event].push_back(other.event);
      } else if (other.touch < own.touch) {
        return false;
      }
    }
  }
  return true;
}

std::vector<std::vector<std::uint32_t>> MessageRaces::successors() const {
  std::vector<std::vector<std::uint32_t>> next;
  CHECK(order_events(std::vector<bool>(order_.size(), true), {}, next));
  return next;
}

std::optional<std::vector<std::uint32_t>> MessageRaces::realise(const std::vector<bool>& kept,
                                                                std::span<const Change> changes) const {
  std::vector<std::vector<std::uint32_t>> next;
  if (!order_events(kept, changes, next)) return std::nullopt;
  std::vector<std::uint32_t> awaited(order_.size(), 0);
  for (const auto& later : next)
    for (const std::uint32_t event : later) ++awaited[event];
  // Events that can come first do so in the order in which they happened: then most of the beginning stays.
  std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> ready;
  for (std::uint32_t i = 0; i < order_.size(); ++i)
    if (kept[i] && awaited[i] == 0) ready.push(i);
  std::vector<std::uint32_t> order;
  order.reserve(order_.size());
  while (!ready.empty()) {
    const std::uint32_t i = ready.top();
    ready.pop();
    order.push_back(i);
    for (const std::uint32_t other : next[i])
      if (--awaited[other] == 0) ready.push(other);
  }
  if (static_cast<std::ptrdiff_t>(order.size()) < std::ranges::count(kept, true)) return std::nullopt;
  return order;
}

std::optional<std::vector<std::uint32_t>> MessageRaces::realise_most(std::vector<bool> kept,
                                                                     const std::vector<bool>& needed,
                                                                     std::span<const Change> changes) const {
  if (auto order = realise(kept, changes)) return order;
  if (!realise(needed, changes)) return std::nullopt;
  // From the beginning on, each further receive stays if it can, with all that is before it.
  std::vector<bool> stays = needed;
  for (std::uint32_t i = 0; i < order_.size(); ++i) {
    if (!kept[i] || stays[i]) continue;
    bool can_stay = true;
    for (const EventId cause : history_->predecessors((*history_)[order_[i]]))
      can_stay = can_stay && stays[position_of_.at(cause)];
    if (!can_stay) continue;
    stays[i] = true;
    if (realise(stays, changes)) continue;
    stays[i] = false;
  }
  return realise(stays, changes);
}

std::vector<bool> MessageRaces::without_consequences(std::span<const Change> changes) const {
  std::vector<bool> kept(order_.size(), true);
  for (std::uint32_t i = 0; i < order_.size(); ++i)
    for (const Change& change : changes)
      if (i != change.receive && precedes(change.receive, i)) kept[i] = false;
  return kept;
}

std::vector<bool> MessageRaces::past_of(std::span<const Change> changes) const {
  std::vector<bool> past(order_.size(), false);
  for (const Change& change : changes) {
    past[change.receive] = true;
    const auto add = [&](std::uint32_t event) {
      for (std::uint32_t i = 0; i <= event; ++i)
        if (i == event || precedes(i, event)) past[i] = true;
    };
    for (const EventId cause : history_->predecessors((*history_)[order_[change.receive]])) {
      const std::uint32_t before = position_of_.at(cause);
      if (!is_message_only(before, change.receive)) add(before);
    }
    if (!change.message.is_none() && change.message.event != change.receive) add(change.message.event);
  }
  return past;
}

}  // namespace ravel
