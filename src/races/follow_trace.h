// Running a trace: its actors do what it says, in any order that it allows.
//
// The idea: an actor may take its next event when that has its message and all that it comes after has
// happened. A trace does not say which other messages a receive could have taken, so that one may come too
// early and be taken instead. Then the right one has to be sent first: this is noted, and the execution
// begins again. Each attempt learns one order of two events, so there are at most as many attempts as pairs;
// mostly there are one or two.
//
// The program may have been edited since. Where an actor does something else than its trace says, or waits
// for what cannot come, the trace is left, with the reason.

#pragma once

#include <memory>
#include <optional>

#include "engine/replay.h"
#include "engine/trace.h"
#include "races/observation.h"

namespace ravel {

struct FollowedTrace {
  std::unique_ptr<Observation> observation;  // up to where the trace was followed; it may be running
  std::size_t events = 0;                    // of the trace that happened
  // Why not all; its step is the number of the next event of the execution
  std::optional<Difference> divergence;
};

// REQUIRES: as Observation.
FollowedTrace follow_trace(System& system, const Trace& trace, std::uint64_t events_max);

}  // namespace ravel
