// A naive explorer to compare with: it goes through every schedule by recursion, starting each prefix anew.
//
// It uses nothing of the engine but the System, and nothing of that but reset, enabled, step and outcome.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
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

// What there is to find for a search by states.
struct ReferenceStates {
  std::size_t states = 0;
  std::size_t transitions = 0;
  std::size_t ends = 0;                     // states in which nothing can move, and steps that lead to none
  std::size_t depth = 0;                    // the most steps that a state is away from the initial one
  std::map<std::string, std::size_t> bugs;  // by key: the fewest events with which it happens
};

// Every state, breadth first, with a schedule for each. `text_of` tells the present state from others; empty:
// it is none, as the execution has ended by its last step's fault. Nothing: there are more than `states_max`.
std::optional<ReferenceStates> all_states(System& system, const std::function<std::string()>& text_of,
                                          std::size_t states_max);

// How many of these preemptions a schedule has, by the definition: the actor of the step before could have
// gone on.
std::uint32_t count_preemptions(System& system, const std::vector<Transition>& schedule);

// "P:0 P.1:0 P:1" - the schedule by logical names.
std::string to_string(const System& system, const std::vector<Transition>& schedule);

}  // namespace ravel::toy
