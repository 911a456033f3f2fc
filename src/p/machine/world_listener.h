// Hears what machines and monitors do inside of steps.
#pragma once

#include "p/machine/live_machine.h"

namespace ravel::p {

enum class Reaction : std::uint8_t { kFunction, kTransition, kIgnored, kInReceive, kHalts };

class WorldListener {
 public:
  virtual ~WorldListener() = default;

  // A state is entered, or left for `target`. Going on, the machine or monitor still has what it had before.
  virtual void note_entered(const LiveMachine& live, StateId state) = 0;
  virtual void note_left(const LiveMachine& live, StateId target) = 0;
  // In `live.state`, whether the event was taken, raised or observed.
  virtual void note_reaction(const LiveMachine& live, EventId event, Reaction how) = 0;
  virtual void note_raised(const LiveMachine& live, const Message& message) = 0;
  // A machine sends or announces it; after that monitors see it.
  virtual void note_told(const LiveMachine& live, EventId event) = 0;
  virtual void note_observed(const LiveMachine& monitor, const LiveMachine& by, const Message& message) = 0;
};

}  // namespace ravel::p
