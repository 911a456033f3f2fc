#include "parts/run_part.h"

#include <memory>
#include <utility>

#include "base/clock.h"
#include "engine/divisible.h"
#include "engine/explorer.h"
#include "engine/named_step.h"
#include "engine/position.h"
#include "engine/trials.h"

namespace ravel {

PartRun run_part(const PartRunning& running, const Part& part, const PartBudget& budget,
                 const std::atomic<bool>& interrupt) {
  const std::unique_ptr<Strategy> strategy = running.make_strategy();
  Divisible& divisible = *as_divisible(strategy.get());
  PositionReader reader(part.position);
  Trials trials(running.system);
  if (!strategy->read_position(reader, trials) || !reader.is_complete()) return {.makes_sense = false};
  divisible.become_part(part.from_level);
  Limits limits = running.limits;
  limits.seconds = budget.seconds;
  limits.executions = budget.executions;
  SteadyClock clock;
  const std::unique_ptr<Explorer> explorer = running.explorer_of(
      *strategy, limits, clock,
      {.listener = running.listener, .interrupt = &interrupt, .held_memory = running.held_memory});
  const Exploration found = explorer->run();
  const bool has_discovered = running.listener != nullptr && running.listener->ends_search();
  if (!has_discovered && is_interruption(found.stop) && !found.position) return {};
  PartSlice slice;
  slice.kind = has_discovered                ? PartSlice::Kind::kDiscovered
               : is_interruption(found.stop) ? PartSlice::Kind::kGoesOn
                                             : PartSlice::Kind::kEnded;
  slice.part = part.number;
  slice.notes = divisible.take_notes();
  slice.found = running.save(found);
  if (has_discovered || found.refusal) slice.last = name_steps(explorer->schedule(), running.system);
  return {.slice = std::move(slice)};
}

}  // namespace ravel
