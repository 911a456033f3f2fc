// Why a bug happens: the nearest execution without it, and where the two part.
//
// The idea: a bug that depends on the schedule is decided by a race. So the variants of the failing execution are run, those
// that have most in common with it first, each to its end without further preemptions; then the variants of these,
// and so on, until one ends without a bug or the budget is spent. What is found is one execution that passes, and
// that no variant nearer to the failing one passes in the same way; it says nothing about others.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/race.h"
#include "races/observation.h"

namespace ravel {

// `steps` lead to the bug. REQUIRES: as Observation.
Explanation explain_bug(System& system, std::span<const NamedStep> steps, std::uint64_t events_max,
                        std::size_t executions_max);

// A schedule of the same trace with fewer preemptions than this execution of a bug has, and with the same bug; or nothing.
//
// The idea: orders of the trace's events, up to the bug, are searched by the number of switches away from an actor that could have
// gone on. An actor goes on as long as the trace lets it, which is never worse; where it cannot, each other one is tried, the
// fewest preemptions first, up to `nodes_max` places. Whether an actor could go on is known only roughly (another
// message may do for a receive), so the result is run and counted.
std::optional<std::vector<NamedStep>> with_fewer_preemptions(const Observation& failing, std::uint64_t events_max,
                                                             std::size_t nodes_max);

}  // namespace ravel
