// A step of an execution as the explorer keeps it.
#pragma once

#include <cstdint>

#include "engine/transition.h"

namespace ravel {

struct TakenStep {
  Transition transition;
  std::uint32_t index;        // in the enabled transitions
  std::uint32_t enabled;      // how many there were
  std::uint32_t preemptions;  // after this step, since the start
  std::int32_t unreceived;    // how many more messages lie in mailboxes after this step than at the start
};

}  // namespace ravel
