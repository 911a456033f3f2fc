// Why a bug happens: the nearest execution without it, and where the two part.
//
// The idea: a bug that depends on the schedule is decided by a race. So the variants of the failing execution
// are run, those that have most in common with it first, each to its end without further preemptions; then
// the variants of these, and so on, until one ends without a bug or the budget is spent; then as many
// executions in which another actor gets a head start (head_start.h). Where a bug ends an execution at once
// the other side of a race may be yet to come: so each event is put after what others would have done next,
// too. What is found is one execution that passes, and that no variant nearer to the failing one passes in
// the same way; it says nothing about others. In long executions whose operations block, what is near is what
// is near to a step that decides (nearest_variants.h).

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/race.h"
#include "races/nearest_variants.h"
#include "races/observation.h"

namespace ravel {

// `steps` lead to the bug. REQUIRES: as Observation.
Explanation explain_bug(System& system, std::span<const NamedStep> steps, std::uint64_t events_max,
                        std::size_t executions_max);

// As explain_bug(), where operations block (System::operations_block).
Explanation explain_blocking(System& system, std::span<const NamedStep> steps, std::uint64_t events_max,
                             std::size_t executions_max, Effort effort);

}  // namespace ravel
