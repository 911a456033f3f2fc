// The strategies that draw: what they promise, on programs small enough to know all schedules of.

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "engine/explorer.h"
#include "engine/strategy_wrapper.h"
#include "strategy/pct.h"
#include "strategy/pos.h"
#include "strategy/preemption_bounding.h"
#include "strategy/random_walk.h"
#include "strategy/surw.h"
#include "strategy/variable_thread_bounding.h"
#include "tests/toy/programs.h"
#include "tests/toy/reference.h"

namespace ravel {
namespace {

using toy::Op;
using toy::Operation;
using toy::Program;
using toy::ToySystem;

Exploration run(ToySystem& system, Strategy& strategy) {
  SteadyClock clock;
  Limits limits;
  limits.after_bug = AfterBug::kKeepGoing;
  return Explorer(system, strategy, limits, clock).run();
}

// Counts how often each schedule was executed.
class Tally final : public StrategyWrapper {
 public:
  using StrategyWrapper::StrategyWrapper;

  std::optional<Plan> next_execution() override {
    events_.clear();
    return StrategyWrapper::next_execution();
  }
  void observe(const Event& event) override {
    events_ += std::to_string(static_cast<std::uint32_t>(event.actor)) + " ";
    for (const Touch& touch : event.footprint)
      if (touch.object == 0) shared_ += std::to_string(static_cast<std::uint32_t>(event.actor)) + " ";
    StrategyWrapper::observe(event);
  }
  Novelty end_execution(Outcome outcome) override {
    ++schedules[events_];
    ++shared[shared_];
    shared_.clear();
    return StrategyWrapper::end_execution(outcome);
  }

  std::map<std::string, std::uint64_t> schedules, shared;  // shared: the order of operations on object 0

 private:
  std::string events_, shared_;
};

constexpr std::uint64_t kExecutions = 20'000;

TEST(Pct, FindsABugOfItsDepthAsOftenAsPromised) {
  // The assertion needs P.1 between the two operations of P: depth 2, n = 2, k = 6.
  const Program program = {{{Op::kWrite, 1}, {Op::kTake, 0}, {Op::kGive, 0}}, {{Op::kGive, 0}, {Op::kWrite, 1}, {Op::kRequire, 0}}};
  for (const std::uint32_t variables : {0u, 1u}) {
    ToySystem system(program);
    ProbabilisticTesting strategy({.depth = 2, .variables = variables}, 7, kExecutions);
    const Exploration found = run(system, strategy);
    ASSERT_EQ(found.bugs.size(), 1u);
    const double share = static_cast<double>(found.bugs[0].executions) / kExecutions;
    const double promised = variables == 0 ? 1.0 / (2 * 6) : 1.0 / 2 / (2 * 4);
    EXPECT_GT(share, promised * 0.9) << variables;
    EXPECT_NE(found.promise.find(variables == 0 ? "k = 6" : "Q = 2, v = 1, k = 4"), std::string::npos) << found.promise;
  }
}

TEST(Pct, WithoutChangePointsNobodyIsPreempted) {
  ToySystem system({{{Op::kWrite, 0}, {Op::kWrite, 0}}, {{Op::kWrite, 0}, {Op::kWrite, 0}}, {{Op::kWrite, 0}, {Op::kWrite, 0}}});
  ProbabilisticTesting strategy({.depth = 1}, 3, 500);
  Tally tally(strategy);
  run(system, tally);
  EXPECT_EQ(tally.schedules.size(), 6u);
}

// Every order of the interesting events is as likely as the others, although one actor has many more events.
TEST(Surw, OrdersOfTheEventsOnOneObjectAreUniform) {
  Program program = {{}, {{Op::kWrite, 0}, {Op::kWrite, 0}}};
  for (std::uint32_t i = 0; i < 20; ++i) program[0].push_back({Op::kWrite, i == 4 || i == 15 ? 0u : 1u});
  ToySystem system(program);
  SelectivelyUniform strategy(11, kExecutions);
  Tally tally(strategy);
  run(system, tally);
  ASSERT_EQ(tally.shared.size(), 6u);  // 4! / (2! 2!)
  for (const auto& [order, times] : tally.shared) EXPECT_NEAR(static_cast<double>(times), kExecutions / 6.0, kExecutions * 0.02) << order;
  // A random walk is far from that.
  RandomWalk walk(11, kExecutions);
  Tally other(walk);
  run(system, other);
  std::uint64_t least = kExecutions;
  for (const auto& [order, times] : other.shared) least = std::min(least, times);
  EXPECT_LT(other.shared.size() < 6 ? 0 : least, kExecutions / 40);
}

// Two actors with n independent events each and one that races: the race goes either way with the same probability.
TEST(Pos, ARaceGoesEitherWayHoweverManyEventsComeBefore) {
  Program program = {{}, {{Op::kWrite, 0}}};
  for (int i = 0; i < 12; ++i) program[0].push_back({Op::kWrite, 1});
  program[0].push_back({Op::kWrite, 0});
  ToySystem system(program);
  PartialOrderSampling strategy(5, kExecutions);
  Tally tally(strategy);
  run(system, tally);
  ASSERT_EQ(tally.shared.size(), 2u);
  std::uint64_t least = kExecutions;
  for (const auto& [order, times] : tally.shared) least = std::min(least, times);
  RandomWalk walk(5, kExecutions);
  Tally other(walk);
  run(system, other);
  std::uint64_t least_by_walking = kExecutions;
  for (const auto& [order, times] : other.shared) least_by_walking = std::min(least_by_walking, other.shared.size() < 2 ? 0 : times);
  EXPECT_GT(least, 10 * (least_by_walking + 1));
}

TEST(Sampling, TheSameSeedGivesTheSameExecutions) {
  const auto schedules = [](Strategy&& strategy) {
    ToySystem system({{{Op::kWrite, 0}, {Op::kGive, 1}}, {{Op::kTake, 1}, {Op::kWrite, 0}}, {{Op::kGive, 1}, {Op::kWrite, 0}}});
    Tally tally(strategy);
    run(system, tally);
    return tally.schedules;
  };
  EXPECT_EQ(schedules(PartialOrderSampling(3, 50)), schedules(PartialOrderSampling(3, 50)));
  EXPECT_EQ(schedules(SelectivelyUniform(3, 50)), schedules(SelectivelyUniform(3, 50)));
  EXPECT_EQ(schedules(ProbabilisticTesting({}, 3, 50)), schedules(ProbabilisticTesting({}, 3, 50)));
  EXPECT_NE(schedules(PartialOrderSampling(3, 50)), schedules(PartialOrderSampling(4, 50)));
}

// The naive reference: bugs with at most so many preemptions, whatever the variables.
std::set<std::string> bugs_within(ToySystem& system, std::uint32_t preemptions) {
  std::set<std::string> bugs;
  for (const auto& execution : toy::all_executions(system))
    if (execution.outcome == Outcome::kBug && execution.preemptions <= preemptions) bugs.insert(execution.bug);
  return bugs;
}

TEST(VariableThreadBounding, WithAllVariablesAndThreadsFindsWhatPreemptionBoundingFinds) {
  const std::vector<Operation> alphabet = {{Op::kGive, 0}, {Op::kTake, 0}, {Op::kGive, 1}, {Op::kRequire, 0}, {Op::kRequire, 1}};
  std::size_t bugs = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    ToySystem system(toy::random_program(random, alphabet, 3, 3));
    VariableThreadBounding strategy({.variables = 2, .threads = 3, .preemptions = 1, .miss = 1e-6, .seed = seed});
    const Exploration found = run(system, strategy);
    std::set<std::string> keys;
    for (const FoundBug& bug : found.bugs) {
      keys.insert(bug.bug.key());
      ASSERT_TRUE(bug.bounds);
      EXPECT_LE(bug.bounds->variables, 2u);
    }
    for (const std::string& bug : bugs_within(system, 1)) {
      EXPECT_TRUE(keys.contains(bug)) << bug;
      ++bugs;
    }
  }
  EXPECT_GT(bugs, 30u);
}

TEST(VariableThreadBounding, PreemptsOnlyBeforeTheVariablesOfASet) {
  // P has to be preempted between its operations on objects 1 and 2, both of which only it touches.
  ToySystem system({{{Op::kGive, 1}, {Op::kTake, 0}, {Op::kWrite, 2}, {Op::kGive, 0}}, {{Op::kGive, 0}, {Op::kRequire, 0}}});
  VariableThreadBounding none({.variables = 0, .threads = 2, .preemptions = 1, .miss = 1e-6, .seed = 1});
  EXPECT_EQ(run(system, none).bugs.size(), 0u);
  VariableThreadBounding one({.variables = 1, .threads = 2, .preemptions = 1, .miss = 1e-6, .seed = 1});
  const Exploration found = run(system, one);
  ASSERT_EQ(found.bugs.size(), 1u);
  EXPECT_EQ(found.bugs[0].bounds->variables, 1u);
}

TEST(VariableThreadBounding, DrawsAsManyPermutationsAsTheLemmaSays) {
  // (t + 1)! (ln(n t) + ln(1 / e))
  EXPECT_EQ(VariableThreadBounding::permutations_needed(2, 10, 0.05), static_cast<std::uint64_t>(std::ceil(6 * (std::log(20) + std::log(20)))));
  EXPECT_EQ(VariableThreadBounding::permutations_needed(3, 600, 0.01), static_cast<std::uint64_t>(std::ceil(24 * (std::log(1800) + std::log(100)))));
}

TEST(PreemptionBounding, WithAtMostVVariablesPreemptsOnlyBeforeSoMany) {
  const Program program = {{{Op::kWrite, 0}, {Op::kWrite, 1}, {Op::kWrite, 2}, {Op::kWrite, 3}},
                           {{Op::kWrite, 0}, {Op::kWrite, 1}, {Op::kWrite, 2}}};
  ToySystem system(program);
  std::map<std::uint32_t, std::uint64_t> schedules;
  for (const std::uint32_t variables : {1u, 2u, 4u}) {
    PreemptionBounding strategy({.bound_max = {}, .variables_max = variables});
    const Exploration found = run(system, strategy);
    EXPECT_EQ(found.counts.coverage.kind, Coverage::Kind::kVariableBound);
    schedules[variables] = found.counts.executions;
  }
  EXPECT_LT(schedules[1], schedules[2]);
  PreemptionBounding all({});
  EXPECT_EQ(schedules[4], run(system, all).counts.executions);
}

}  // namespace
}  // namespace ravel
