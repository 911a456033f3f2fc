// What the receives of one execution could have taken instead, and the partial executions in which they do.
//
// Race set (G. Vidal, "Computing Race Variants in Message-Passing Concurrent Programming with Selective
// Receives", 2022, definition 8): a message races with the one that a receive took if it was sent to the same
// mailbox, the receive could have taken it, it was not sent because of that receive, and no other message
// that the receive could have taken is always sent before it. The last condition is wider than the paper's,
// which asks only for messages of the same sender: here a message arrives when it is sent, so that whatever
// was sent in the causal past of another message arrives before it. But a priority message races with any
// that has none, although that was sent before it. A receive that would go on without a message after some
// time may also do that.
//
// Race variant (definition 9): the execution without all that follows from the receive, and the receive takes
// the other message. Several receives, none of which follows from another, may be changed at once.
//
// Not every choice of messages can happen: a receive that takes a message although another one would do wants
// it to be sent first, or to come before the other one, if that has priority, and these wishes may contradict
// each other. realise() finds an order, or that there is none.
//
// Positions are those of the execution's events. Cost: O(n) memory and time for the events and their
// predecessors, times the number of messages that each receive could have taken.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "strategy/history/history.h"

namespace ravel {

class MessageRaces {
 public:
  // A message: position of the event and number of its touch; or none.
  struct Message {
    std::uint32_t event = kNone;
    std::uint32_t touch = 0;
    bool is_none() const { return event == kNone; }
    friend bool operator==(const Message&, const Message&) = default;
  };
  struct Change {
    std::uint32_t receive;
    Message message;  // none: the receive goes on without one
    friend bool operator==(const Change&, const Change&) = default;
  };
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  // `order` are the events of an execution from its beginning. The history must outlive this, and keep them.
  MessageRaces(const History& history, std::span<const EventId> order);

  std::uint32_t length() const { return static_cast<std::uint32_t>(order_.size()); }
  EventId at(std::uint32_t position) const { return order_[position]; }
  bool precedes(std::uint32_t a, std::uint32_t b) const { return history_->precedes(order_[a], order_[b]); }
  bool is_receive(std::uint32_t position) const { return (*history_)[order_[position]].receives(); }
  Message taken(std::uint32_t receive) const { return message_of((*history_)[order_[receive]].taken); }

  // The race set of a receive, in the order of sending; after it that it goes on without a message, if it
  // could.
  std::vector<Message> alternatives(std::uint32_t receive) const;

  // An order of the events in `kept` (by position; closed under causes, except for what changes) in which
  // they all happen again, with the changes; or none. The changed receives are kept, too.
  std::optional<std::vector<std::uint32_t>> realise(const std::vector<bool>& kept,
                                                    std::span<const Change> changes) const;
  // Does what realise() does, but leaves out as few receives as are needed, with all that follows from them,
  // and none of `needed`.
  std::optional<std::vector<std::uint32_t>> realise_most(std::vector<bool> kept,
                                                         const std::vector<bool>& needed,
                                                         std::span<const Change> changes) const;

  // By event: events that have to come later than it in every order of this execution's events that leaves
  // all messages as they are taken; the direct ones.
  std::vector<std::vector<std::uint32_t>> successors() const;
  // By receive: the messages that it took or could have taken, wherever they come. Empty for other events.
  std::span<const Message> takeable(std::uint32_t receive) const { return takeable_[receive]; }

  // Everything but what follows from the changed receives, which stay (definition 9).
  std::vector<bool> without_consequences(std::span<const Change> changes) const;
  // The causal past of the changed receives as they are then, and these.
  std::vector<bool> past_of(std::span<const Change> changes) const;

 private:
  Message message_of(const Sent& sent) const {
    return sent.event == kNoEvent ? Message{}
                                  : Message{.event = position_of_.at(sent.event), .touch = sent.touch};
  }
  // REQUIRES: neither is none.
  History::Precedence needed_to_take(const Message& own, const Message& other) const {
    return history_->needed_to_take({.event = order_[own.event], .touch = own.touch},
                                    {.event = order_[other.event], .touch = other.touch});
  }
  // What has to come after what, among the events in `kept` with the changes; false if that cannot be.
  bool order_events(const std::vector<bool>& kept, std::span<const Change> changes,
                    std::vector<std::vector<std::uint32_t>>& next) const;
  // The message that the receive takes, with the changes.
  Message taken_with(std::uint32_t receive, std::span<const Change> changes) const;
  // A cause of a receive for no other reason than that it took its message.
  bool is_message_only(std::uint32_t cause, std::uint32_t receive) const;

  const History* history_;
  std::vector<EventId> order_;
  std::unordered_map<EventId, std::uint32_t> position_of_;
  std::vector<std::vector<Message>> takeable_;  // by receive: what it took, and could have taken
};

}  // namespace ravel
