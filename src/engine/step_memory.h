// Steps of which a System knows from before where they lead, so that a search by states need not take them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "engine/system.h"
#include "engine/transition.h"

namespace ravel {

class StepMemory {
 public:
  // What step(), number_state() and letter() would say, and how many transitions are enabled then: at least
  // one.
  struct Known {
    MetState met;
    std::uint32_t enabled = 0;
    Letter letter = {};
  };

  virtual ~StepMemory() = default;

  // Else nothing is known, nor will it be.
  virtual bool remembers_steps() const = 0;
  // Of a state's transition, by its place among the enabled ones. Nothing: who wants to know takes the step,
  // with go_to(), as always of a step that only looks (states/polling_loops.h). The present state of the
  // System is not known after that. REQUIRES: as for go_to(), and remembers_steps().
  virtual std::optional<Known> repeat(StateNumber from, std::uint32_t index) = 0;
  // What is enabled in a state, valid until the next call. Nothing: who wants to know goes there. The present
  // state is not known after that. REQUIRES: likewise.
  virtual std::span<const Transition> enabled_in(StateNumber state) {
    static_cast<void>(state);
    return {};
  }
};

}  // namespace ravel
