// A delaying explorer: in which order the actors of a program move, and what one delay changes in that order
// (A. Desai, S. Qadeer, S. A. Seshia, "Systematic testing of asynchronous reactive programs", FSE 2015,
// section 2).
//
// The idea: an explorer prescribes at each point who moves. A delay makes it prescribe somebody else. So the
// executions of a program fall into strata: those without a delay, with one delay, with two. Which executions
// are in the low strata is what an explorer is for.
//
// Explorers are without a state of their own: what one has to remember it keeps in words, mostly the numbers
// of actors, which a search copies and compares. It knows actors by numbers, which mean nothing but who it
// is, and by names.
//
// Different from the paper: it has no calls for actors that start or end. One that starts is told when it can
// move for the first time, and one that has ended as one that can't move.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/actor.h"

namespace ravel {

using ExplorerState = std::vector<std::uint32_t>;

// How actors are called.
class ActorNames {
 public:
  virtual ~ActorNames() = default;
  virtual std::string name_of(ActorId actor) const = 0;
};

// What the program has told its explorer, in the last step (explorer_messages.h).
struct ExplorerMessage {
  ActorId from{};
  std::string text = {};   // as the program's language prints it
  std::size_t number = 0;  // among those of the step: for explorers that know the program's language
};

// What the transitions of a point cost, in the order of the explorer (explorer_driver.h).
enum class DelayCosts : std::uint8_t {
  kPlaces,  // the one at place i costs i delays
  // Those of the actor that moved last cost none, and those of others one. If that actor can't move, nobody's
  // costs any. So a delay is a preemption.
  kPreemptions,
};

class DelayingExplorer {
 public:
  virtual ~DelayingExplorer() = default;

  // As the user has named it.
  virtual std::string name() const = 0;
  // Of its code, if that is neither Ravel's nor the program's, so that nobody else knows whether it has
  // changed. A search goes on later with the same code only. 0: there is none.
  virtual std::uint64_t checksum() const { return 0; }

  virtual DelayCosts costs() const { return DelayCosts::kPlaces; }

  // This actor takes the next step.
  virtual void note_move(ExplorerState& state, ActorId actor) const {
    static_cast<void>(state), static_cast<void>(actor);
  }
  // The actor can move now, and could not before the step of `by`. Nothing: nobody has moved.
  virtual void note_enabled(ExplorerState& state, ActorId actor, std::optional<ActorId> by,
                            const ActorNames& names) const = 0;
  // The actor can't move any more, and could before the last step. At one step these come before those who
  // can move now, and both in the order of names.
  virtual void note_blocked(ExplorerState& state, ActorId actor) const = 0;
  // These come last at a step, in the order in which the program has told them.
  virtual void note_message(ExplorerState& state, const ExplorerMessage& message) const {
    static_cast<void>(state), static_cast<void>(message);
  }

  // Who moves. `enabled`: those who can, in the order of names; never empty.
  virtual ActorId next(const ExplorerState& state, std::span<const ActorId> enabled) const = 0;
  // One delay. An explorer is sound if with as many delays as there are enabled actors, but for one, next()
  // has named each of them.
  virtual void delay(ExplorerState& state, std::span<const ActorId> enabled) const = 0;
};

}  // namespace ravel
