// What the explorer does for a strategy.

#pragma once

#include "engine/trials.h"

namespace ravel {

// A state that the explorer keeps for a strategy.
enum class KeptState : std::uint32_t {};

class SearchServices {
 public:
  virtual ~SearchServices() = default;

  // REQUIRES: called between two executions.
  virtual Trials& trials() = 0;

  // Keeps the state at the point at hand, so that a Plan can begin there. It costs a snapshot, if the System
  // has them, and the steps that lead there. REQUIRES: called by Strategy::choose().
  virtual KeptState keep_state() = 0;
  virtual void forget_state(KeptState state) = 0;
};

}  // namespace ravel
