// Runs one part of a search for a while in this process, which has nothing in common with whoever has the
// search: the part's position is read by taking its steps.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

#include "engine/part_source.h"
#include "parts/part_messages.h"
#include "parts/part_worker.h"

namespace ravel {

// How much of a part is run at a time.
struct PartBudget {
  std::optional<double> seconds = {};
  std::optional<std::uint64_t> executions = {};
};

struct PartRun {
  bool makes_sense = true;  // false: the part is none of a search of this program
  // Nothing: the run was ended where the part has no position, as in the middle of long work of the strategy,
  // so that nothing of the run counts.
  std::optional<PartSlice> slice = {};
};

// REQUIRES: the strategies of `running` are Divisible.
PartRun run_part(const PartRunning& running, const Part& part, const PartBudget& budget,
                 const std::atomic<bool>& interrupt);

}  // namespace ravel
