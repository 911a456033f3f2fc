// What every System promises (engine/system.h), tried on one.
//
// Random executions look for broken promises: the same steps do the same again, after a reset and after other
// executions; who is enabled is told in the logical order, and the outcome fits; a saved state comes back, in
// whatever order snapshots are released; equal states have equal fingerprints; what an operation touches is
// told in advance where that is promised; events whose footprints do not conflict commute; and an operation
// becomes impossible only where that is announced. Where states are numbered, equal numbers mean that the
// same happens next, and whoever goes to a number finds the state as it was.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/system.h"

namespace ravel::contract {

struct Effort {
  std::uint64_t seed = 1;
  std::size_t executions = 30;
  std::size_t events_max = 80;  // of an execution
  // Of events that do not conflict, the one that comes first may take the name that is free: they do not
  // commute.
  bool names_recur = false;
};

// A sentence for each broken promise, the first one of each kind.
std::vector<std::string> broken_promises(System& system, const Effort& effort = {});

}  // namespace ravel::contract
