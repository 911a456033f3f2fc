// The strongly connected components of an automaton, and which of them a run may stay in for ever.

#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "ltl/automaton.h"

namespace ravel::ltl {

struct Components {
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  // Of each state its component, from 0; kNone: state 0 does not reach it. A component has a greater number
  // than those that it reaches.
  std::vector<std::uint32_t> of;
  // Of each component whether it has a cycle through an edge of each acceptance set.
  std::vector<bool> is_accepting;

  explicit Components(const Automaton& automaton);
};

// Of each state whether no accepting component leads to it: a run passes such states only before it comes to
// the component in which it accepts.
std::vector<bool> states_before_accepting(const Automaton& automaton);

}  // namespace ravel::ltl
