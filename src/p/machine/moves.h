// What a machine at rest may do next. That follows from the machine itself and from the program: what others
// are doing changes it only by what they put into its queue.
#pragma once

#include <cstdint>
#include <optional>

#include "p/machine/live_machine.h"
#include "p/machine/steps.h"
#include "p/program/timers.h"

namespace ravel::p {

class Moves {
 public:
  // `code` must outlive this object.
  Moves(const Code& code, Steps steps, TimersFire timers);

  // How many alternatives its next step has; 0: it waits, or has halted.
  std::uint32_t alternatives(const LiveMachine& live) const;
  // Whether its next operation belongs to the same step as the one before.
  bool is_in_same_step(const LiveMachine& live) const;

  // Which events it takes, whatever is in its queue. REQUIRES: it is idle, or waits in a `receive`.
  Takes takes(const LiveMachine& live) const;
  bool would_take(const Takes& takes, Value event) const;
  // The place in the queue of the first event that it takes.
  std::optional<std::size_t> first_taken(const LiveMachine& live, const Takes& takes) const;
  // Whether its state has a handler for the case that there is no event to take.
  bool has_null_handler(const LiveMachine& live) const {
    return code_.reaction(live.state, kNullEvent) != nullptr;
  }

  // Null unless it is the state of a timer that is started, and timers are no machines like others.
  const Timer* timer_of(StateId state) const {
    return timers_.known.empty() ? nullptr : timers_.of_state(state);
  }
  // Whether it is a timer that was started, not cancelled, and may fire as far as it is asked.
  bool is_armed(const LiveMachine& live) const {
    return live.phase == Phase::kIdle && timer_of(live.state) != nullptr;
  }

 private:
  const Code& code_;
  const Steps steps_;
  const Timers timers_;  // none, if they are machines like others
};

}  // namespace ravel::p
