// Delay bounding against the definition, on all schedules of small programs.

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "engine/explorer.h"
#include "strategy/delay_bounding.h"
#include "tests/toy/programs.h"
#include "tests/toy/reference.h"

namespace ravel {
namespace {

using toy::Op;
using toy::ToySystem;

// How many actors the round-robin scheduler has to pass over for this schedule.
std::uint32_t count_delays(ToySystem& system, const std::vector<Transition>& schedule) {
  std::uint32_t delays = 0;
  std::optional<ActorName> previous;
  system.reset();
  for (const Transition& step : schedule) {
    std::set<ActorName> round;  // who is enabled, in logical order
    for (const Transition& transition : system.enabled()) round.insert(system.actor_name(transition.actor));
    auto next = previous ? round.lower_bound(*previous) : round.begin();
    if (next == round.end()) next = round.begin();
    const ActorName chosen = system.actor_name(step.actor);
    while (*next != chosen) {
      ++delays;
      if (++next == round.end()) next = round.begin();
    }
    previous = chosen;
    system.step(step);
  }
  return delays;
}

TEST(DelayBounding, RunsExactlyTheSchedulesWithAtMostThatManyDelaysInTheirOrder) {
  const std::vector<toy::Operation> alphabet = {
      {Op::kWrite, 0}, {Op::kGive, 0}, {Op::kTake, 0}, {Op::kChoose, 0}, {Op::kRequire, 1}};
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Random random(seed);
    ToySystem system(toy::random_program(random, alphabet, 3, 3));
    std::map<std::uint32_t, std::uint64_t> by_delays;
    std::map<std::string, std::uint32_t> bugs;
    for (const auto& execution : toy::all_executions(system)) {
      const std::uint32_t delays = count_delays(system, execution.schedule);
      ++by_delays[delays];
      if (execution.outcome != Outcome::kBug) continue;
      const auto [place, is_new] = bugs.try_emplace(execution.bug, delays);
      if (!is_new) place->second = std::min(place->second, delays);
    }
    for (std::uint32_t bound = 0; bound <= by_delays.rbegin()->first + 1; ++bound) {
      SCOPED_TRACE("seed " + std::to_string(seed) + ", bound " + std::to_string(bound));
      DelayBounding strategy(bound);
      SteadyClock clock;
      Limits limits;
      limits.after_bug = AfterBug::kKeepGoing;
      const Exploration exploration = Explorer(system, strategy, limits, clock).run();
      std::uint64_t expected = 0, found = 0;
      for (const auto& [delays, schedules] : by_delays)
        if (delays <= bound) expected += schedules;
      for (const auto& [key, delays] : bugs)
        if (delays <= bound) ++found;
      EXPECT_EQ(exploration.counts.executions, expected);
      EXPECT_EQ(exploration.bugs.size(), found);
      const bool is_all = bound >= by_delays.rbegin()->first;
      EXPECT_EQ(exploration.counts.coverage.bound(BoundOn::kDelays)->is_exhausted, is_all);
      if (::testing::Test::HasFailure()) return;
    }
  }
}

}  // namespace
}  // namespace ravel
