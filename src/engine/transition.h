// Transitions (what could happen next) and events (what happened).
//
// Plain data that the explorer handles millions of times a second: nothing here allocates.

#pragma once

#include <cstdint>
#include <span>

#include "engine/actor.h"

namespace ravel {

enum class TransitionKind : std::uint8_t {
  kOperation,  // executes the actor's pending operation
  kBlocks,     // the actor finds that it can't go on, which nobody notices; listed only without blocking
               // avoidance
};

// An enabled move of one actor. An actor with a data choice has several, told apart by `alternative`.
struct Transition {
  ActorId actor{};
  std::uint32_t alternative = 0;
  TransitionKind kind = TransitionKind::kOperation;

  friend bool operator==(const Transition&, const Transition&) = default;
};

// How an operation touches an object.
enum class Access : std::uint8_t {
  kRead,     // commutes with other reads
  kWrite,    // commutes with nothing
  kSend,     // adds a message to a mailbox: ordered with other sends as far as a receive can tell
  kReceive,  // takes a message from a mailbox, or finds that there is none
};

// An object is a mailbox, a name in a registry, a key of a table, a lock, a location, an actor's life: the
// System numbers them so that the same object has the same number in every execution.
struct Touch {
  std::uint64_t object = 0;
  Access access = Access::kRead;

  friend bool operator==(const Touch&, const Touch&) = default;
};

// What one operation touched. Whether two events commute is a function of their footprints alone.
using Footprint = std::span<const Touch>;

// An operation that was executed. The footprint is the System's storage, valid until its next step,
// restore or reset.
struct Event {
  ActorId actor{};
  std::uint32_t alternative = 0;
  Footprint footprint;
};

}  // namespace ravel
