// Random walks by strata: how long they may be, and that they are those of a random walk.
#include "strategy/random_strata.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "engine/explorer.h"
#include "engine/strategy_wrapper.h"
#include "strategy/random_walk.h"
#include "tests/toy/programs.h"

namespace ravel {
namespace {

using toy::Op;
using toy::Program;
using toy::ToySystem;

using Schedule = std::vector<std::uint32_t>;

class Schedules final : public StrategyWrapper {
 public:
  using StrategyWrapper::StrategyWrapper;

  std::optional<Plan> next_execution() override {
    const auto plan = StrategyWrapper::next_execution();
    if (plan) all.emplace_back();
    return plan;
  }
  void observe(const Event& event) override {
    all.back().push_back(static_cast<std::uint32_t>(event.actor));
    StrategyWrapper::observe(event);
  }

  std::vector<Schedule> all;
};

std::vector<Schedule> schedules(const Program& program, Strategy& strategy, Exploration* found = nullptr) {
  ToySystem system(program);
  Schedules noted(strategy);
  SteadyClock clock;
  Limits limits;
  limits.after_bug = AfterBug::kKeepGoing;
  const Exploration exploration = Explorer(system, noted, limits, clock).run();
  if (found != nullptr) *found = exploration;
  return noted.all;
}

// Three actors with four events each.
const Program kTwelveEvents(3, {{Op::kWrite, 0}, {Op::kWrite, 1}, {Op::kWrite, 0}, {Op::kWrite, 1}});

TEST(RandomStrata, AreBeginningsOfRandomWalksThreeTimesAsManyOfEachFurtherStratum) {
  RandomWalk walk(7, 150);
  RandomStrata strata(5, 7, 150);
  Exploration found;
  const std::vector<Schedule> whole = schedules(kTwelveEvents, walk);
  const std::vector<Schedule> parts = schedules(kTwelveEvents, strata, &found);
  ASSERT_EQ(whole.size(), 150u);
  ASSERT_EQ(parts.size(), 150u);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::size_t events = i < 3 ? 5 : i < 3 + 9 ? 10 : 12;
    ASSERT_EQ(parts[i].size(), events) << i;
    EXPECT_TRUE(std::equal(parts[i].begin(), parts[i].end(), whole[i].begin())) << i;
  }
  EXPECT_EQ(found.counts.abandoned, 12u);
  EXPECT_EQ(found.counts.executions, 138u);
  EXPECT_FALSE(found.counts.coverage.is_complete);
}

TEST(RandomStrata, AnExecutionOfJustSoManyStepsIsNotGivenUp) {
  RandomStrata strata(12, 1, 20);
  Exploration found;
  schedules(kTwelveEvents, strata, &found);
  EXPECT_EQ(found.counts.abandoned, 0u);
  EXPECT_EQ(found.counts.executions, 20u);
}

// The requirement fails in the first two events or never.
TEST(RandomStrata, FindABugInAnExecutionThatIsGivenUpLater) {
  const Program program = {{{Op::kRequire, 0}, {Op::kWrite, 1}, {Op::kWrite, 1}},
                           {{Op::kGive, 0}, {Op::kWrite, 1}, {Op::kWrite, 1}}};
  RandomStrata strata(2, 3, 3);
  Exploration found;
  schedules(program, strata, &found);
  EXPECT_EQ(found.bugs.size(), 1u);
}

}  // namespace
}  // namespace ravel
