// The simplest schedule of a trace that ends in a bug: the one with the fewest preemptions.
//
// The idea: orders of the trace's events, up to the bug, are searched by the number of switches away from an
// actor that could have gone on. An actor goes on as long as the trace lets it, which is never worse; where
// it cannot, each other one is tried, the fewest preemptions first, up to `nodes_max` places. Whether an
// actor could go on is known only roughly (another message may do for a receive), so the result is run and
// counted.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "races/observation.h"

namespace ravel {

// A schedule of the same trace with fewer preemptions than this execution of a bug has, and with the same
// bug; or nothing.
std::optional<std::vector<NamedStep>> with_fewer_preemptions(const Observation& failing,
                                                             std::uint64_t events_max, std::size_t nodes_max);

}  // namespace ravel
