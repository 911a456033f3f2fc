// What a bug needs: preemptions at how many objects, and an order of how many actors.
//
// The idea: a schedule is taken for one of a scheduler with priorities, as variable and thread bounding runs
// them. An actor that moves has a higher priority than all others that could; an actor for which that cannot
// hold any longer has been preempted, and what is left of it is another fragment with a priority of its own.
// An actor is not needed if the bug stays however the priorities of its fragments are drawn, while those of
// the needed ones keep their order. Actors are taken out of the needed ones by halves, by quarters, and one
// by one, as long as the bug stays. So the number is the t of S. Bindal, S. Bansal, A. Lal, "Variable and
// thread bounding for systematic testing of multithreaded programs" (ISSTA 2013), for this schedule: as there
// at least 2.
//
// Actors count as if all were there from the beginning: one that is not needed goes first as long as it has
// to make one that is.
//
// Where it can be wrong: that the bug stays is tried with a number of random orders only, so an actor that
// matters in few of them is missed; and another schedule of the same bug may need less.
//
// Cost: some executions for each halving, more where more actors are needed.

#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "engine/strategy.h"
#include "engine/system.h"
#include "engine/transition.h"
#include "strategy/variables.h"

namespace ravel {

// Nothing if the schedule does not end in a bug, or not when it is run by priorities. Leaves the System
// somewhere else.
std::optional<BugBounds> measure_bounds(System& system, std::span<const Transition> schedule,
                                        const VariableOf& variables = {});

}  // namespace ravel
