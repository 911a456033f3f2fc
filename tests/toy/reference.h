// A naive explorer to compare with: it goes through every schedule by recursion, starting each prefix anew.
//
// It uses nothing of the engine but the System, and nothing of that but reset, enabled, step and outcome.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/system.h"

namespace ravel::toy {

struct ReferenceExecution {
  std::vector<Transition> schedule;
  Outcome outcome = Outcome::kRunning;
  std::string bug;  // its key, if there is one
  std::uint32_t preemptions = 0;
};

// Every maximal execution, in the order of enabled().
std::vector<ReferenceExecution> all_executions(System& system);

// How many of these preemptions a schedule has, by the definition: the actor of the step before could have
// gone on.
std::uint32_t count_preemptions(System& system, const std::vector<Transition>& schedule);

// "P:0 P.1:0 P:1" - the schedule by logical names.
std::string to_string(const System& system, const std::vector<Transition>& schedule);

}  // namespace ravel::toy
