// An event of an execution, with its causal past.

#pragma once

#include <cstdint>

#include "engine/actor.h"
#include "strategy/history/touch_summary.h"

namespace ravel {

// Number of an occurrence in the pool.
using EventId = std::uint32_t;
inline constexpr EventId kNoEvent = ~EventId{0};

// Names an event in all executions that contain it: the how-many-th of its actor.
struct EventName {
  ActorId actor{};
  std::uint32_t ordinal = 0;  // from 0

  friend bool operator==(const EventName&, const EventName&) = default;
};

// Both parts of a name in one number, for hashes.
constexpr std::uint64_t number_of(const EventName& name) {
  return std::uint64_t{static_cast<std::uint32_t>(name.actor)} << 32 | name.ordinal;
}

// A message: which touch of which event sent it.
struct Sent {
  EventId event = kNoEvent;
  std::uint32_t touch = 0;

  friend bool operator==(const Sent&, const Sent&) = default;
};

struct Occurrence {
  EventName name;
  std::uint32_t alternative = 0;
  std::uint32_t position = 0;              // in the execution in which it was recorded
  std::uint32_t ready_at = 0;              // the first position at which its actor could take this step
  std::uint32_t receive_touch = kNoTouch;  // the touch with which it takes a message, or goes on without one
  Sent taken;                              // the message that it takes

  struct Range {
    std::uint32_t begin = 0, end = 0;
  };
  std::uint64_t hash = 0;       // of its causal past: equal events have equal hashes
  std::uint64_t close_key = 0;  // of its coarse touches (System::close_key)
  TouchSummary summary;         // of its touches
  Range touches, clock, predecessors, rivals, late_receives;
  Range commuting;  // earlier events with which its coarse touches do not conflict on a closer look
  std::uint32_t passings = 0;  // how often time has passed before it
  // Time passes with it (Access::kPass): all events before it are in its past, and it is in that of all later
  // ones.
  bool is_passing = false;
  static constexpr std::uint32_t kNoTouch = ~std::uint32_t{0};

  bool receives() const { return receive_touch != kNoTouch; }
};

// A receive before this event, but not in its past, that could have taken one of its messages instead of what
// it did.
struct LateReceive {
  EventId receive;
  std::uint32_t touch;  // of the send
};

}  // namespace ravel
