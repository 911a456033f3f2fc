// What a step has changed in what actors have at hand: the differences between one inspection and the next.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "engine/inspecting.h"

namespace ravel {

// A part as it is now. No lines: it is gone.
struct StateChange {
  std::optional<ActorId> actor = {};  // none: of what all share
  StatePart part = {};

  friend bool operator==(const StateChange&, const StateChange&) = default;
};

// In the order of `after`; what is gone follows. An actor that was not there before has all its parts.
std::vector<StateChange> state_changes(std::span<const ActorState> before, std::span<const ActorState> after);

// Follows one execution: called after each step, it says what the step has changed.
class StateFollower {
 public:
  // Begins with nothing, so that the first changes() gives the initial state. `system` must outlive this.
  explicit StateFollower(Inspecting& system) : system_(system) {}

  std::vector<StateChange> changes();
  // As it was at the last changes().
  const std::vector<ActorState>& present() const { return present_; }

 private:
  Inspecting& system_;
  std::vector<ActorState> present_;
};

}  // namespace ravel
