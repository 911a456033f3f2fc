#include "strategy/random_walk.h"

#include <gtest/gtest.h>

#include <set>

#include "engine/explorer.h"
#include "tests/toy/reference.h"
#include "tests/toy/toy_system.h"

namespace ravel {
namespace {

using toy::Op;
using toy::ToySystem;

// The schedules of the first executions, as text.
std::vector<std::string> walk(std::uint64_t seed, std::uint64_t executions) {
  const std::vector<toy::Operation> writes(2, {Op::kWrite, 0});
  ToySystem system({writes, writes, writes});
  RandomWalk strategy(seed, executions);
  std::vector<std::string> schedules;
  while (strategy.next_execution()) {
    std::vector<Transition> schedule;
    system.reset();
    while (system.outcome() == Outcome::kRunning) {
      const Decision decision = strategy.choose({.enabled = system.enabled(),
                                                 .depth = schedule.size(),
                                                 .previous = {},
                                                 .preemptions = 0,
                                                 .system = &system});
      EXPECT_EQ(decision.may_return(), Return::kNever);
      schedule.push_back(system.enabled()[decision.index()]);
      system.step(schedule.back());
    }
    strategy.end_execution(system.outcome());
    schedules.push_back(to_string(system, schedule));
  }
  return schedules;
}

TEST(RandomWalk, GivesTheSameSchedulesForTheSameSeedAndOthersForAnother) {
  EXPECT_EQ(walk(7, 50), walk(7, 50));
  EXPECT_NE(walk(7, 50), walk(8, 50));
}

TEST(RandomWalk, ItsExecutionsDoNotDependOnHowManyThereAre) {
  std::vector<std::string> many = walk(7, 50);
  many.resize(20);
  EXPECT_EQ(walk(7, 20), many);
}

TEST(RandomWalk, ReachesEveryScheduleOfASmallProgram) {
  // 6! / (2! 2! 2!)
  const std::vector<std::string> schedules = walk(1, 3000);
  EXPECT_EQ(std::set(schedules.begin(), schedules.end()).size(), 90u);
}

TEST(RandomWalk, IsCompleteAfterItsNumberOfExecutions) {
  ToySystem system(toy::Program{{{Op::kWrite, 0}}, {{Op::kWrite, 0}}});
  RandomWalk strategy(3, 10);
  SteadyClock clock;
  const Exploration result = Explorer(system, strategy, {}, clock).run();
  EXPECT_EQ(result.stop, Stop::kComplete);
  EXPECT_EQ(result.counts.executions, 10u);
  EXPECT_EQ(system.snapshots_alive_max(), 0u);
  EXPECT_EQ(result.strategy, "random walk, seed 3");
}

}  // namespace
}  // namespace ravel
