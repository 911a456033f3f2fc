#include "strategy/catalogue.h"

#include <array>
#include <utility>

#include "strategy/after_prefix.h"
#include "strategy/delay_bounding.h"
#include "strategy/depth_first.h"
#include "strategy/optimal_reduction.h"
#include "strategy/preemption_bounding.h"
#include "strategy/race_variants.h"
#include "strategy/random_walk.h"

namespace ravel {

namespace {

// Makes a strategy that knows nothing of prefixes begin behind one.
std::unique_ptr<Strategy> behind_prefix(const StrategyOptions& options, std::unique_ptr<Strategy> strategy) {
  if (options.prefix.empty()) return strategy;
  return std::make_unique<AfterPrefix>(options.prefix, std::move(strategy));
}

std::unique_ptr<Strategy> make_depth_first(const StrategyOptions& options) {
  return behind_prefix(options, std::make_unique<DepthFirst>());
}

std::unique_ptr<Strategy> make_preemption_bounding(const StrategyOptions& options) {
  return behind_prefix(
      options, std::make_unique<PreemptionBounding>(PreemptionBounding::Options{.bound_max = options.bound}));
}

std::unique_ptr<Strategy> make_delay_bounding(const StrategyOptions& options) {
  return behind_prefix(options, std::make_unique<DelayBounding>(options.bound));
}

std::unique_ptr<Strategy> make_random_walk(const StrategyOptions& options) {
  return behind_prefix(options, std::make_unique<RandomWalk>(options.seed, options.executions));
}

std::unique_ptr<Strategy> make_race_variants(const StrategyOptions& options) {
  return std::make_unique<RaceVariants>(options.prefix);
}

// Within a bound the reduction that is optimal without one would miss traces: what leads from one trace to another may lie
// beyond it.
std::unique_ptr<Strategy> make_optimal_reduction(const StrategyOptions& options) {
  if (options.bound)
    return behind_prefix(options, std::make_unique<PreemptionBounding>(PreemptionBounding::Options{
                                      .bound_max = options.bound, .runs_traces_once = true}));
  return std::make_unique<OptimalReduction>(options.prefix);
}

constexpr auto kStrategies = std::to_array<StrategyEntry>({
    {"dpor", "every trace once: schedules that differ in the order of independent events count as one; with --preemptions "
             "those traces that need no more",
     make_optimal_reduction},
    {"preemption", "all schedules with at most 0, 1, 2, ... preemptions, up to --preemptions",
     make_preemption_bounding},
    {"delay", "all schedules with at most 0, 1, 2, ... delays of a round-robin scheduler, up to --delays",
     make_delay_bounding},
    {"variants", "every trace that differs in which messages receives take, by race variants; no other races",
     make_race_variants},
    {"dfs", "all schedules, depth first", make_depth_first},
    {"random", "a uniform choice at every point, from --seed", make_random_walk},
});

}  // namespace

std::span<const StrategyEntry> strategies() { return kStrategies; }

Result<std::unique_ptr<Strategy>> make_strategy(std::string_view name, const StrategyOptions& options) {
  std::string names;
  for (const StrategyEntry& entry : kStrategies) {
    if (entry.name == name) return entry.make(options);
    names += (names.empty() ? "" : ", ") + std::string(entry.name);
  }
  return Error{"there is no strategy '" + std::string(name) + "'; choose one of: " + names};
}

}  // namespace ravel
