// A passing execution near to a failing one, in which another actor gets a head start: before some step of
// the failing execution it goes on by itself, and after that everything goes on as it did.
//
// The idea: a race is seen between two steps that have happened. Where a bug ends an execution, or where it
// depends on what an actor has not come to yet, the step that decides is one that the actor would have taken
// earlier; none of the races of the failing execution needs to tell of it. Head starts find it without
// knowing what conflicts with what.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/race.h"
#include "races/observation.h"

namespace ravel {

struct HeadStart {
  RaceDescription change;  // the step before which the other actor comes, and the last that this one takes
  std::vector<NamedStep> passing = {};  // the whole execution
};

// Looks from the end of the failing execution to its beginning, for the fewest steps of one actor. Adds the
// executions that were run to `tried`. Nothing: none passes, or so many were run. REQUIRES: `failing` is
// finished; as Observation.
std::optional<HeadStart> find_head_start(const Observation& failing, std::uint64_t events_max,
                                         std::size_t executions_max, std::size_t& tried);

}  // namespace ravel
