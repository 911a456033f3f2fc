// Samples by strata of delays: which executions they are, how often each is drawn, and what is promised.
#include "strategy/stratified_sampling.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "engine/explorer.h"
#include "engine/strategy_wrapper.h"
#include "explorers/built_in.h"
#include "tests/toy/delayed_executions.h"
#include "tests/toy/programs.h"
#include "tests/toy/reference.h"

namespace ravel {
namespace {

using toy::Op;
using toy::Program;
using toy::ToySystem;

class Schedules final : public StrategyWrapper {
 public:
  using StrategyWrapper::StrategyWrapper;

  std::optional<Plan> next_execution() override {
    const auto plan = StrategyWrapper::next_execution();
    if (plan) all.emplace_back();
    return plan;
  }
  void observe(const Event& event) override {
    all.back() += std::to_string(static_cast<std::uint32_t>(event.actor)) + ":" +
                  std::to_string(event.alternative) + " ";
    StrategyWrapper::observe(event);
  }

  std::vector<std::string> all;
};

std::vector<std::string> schedules(const Program& program, std::string_view explorer, std::uint64_t seed,
                                   std::optional<std::uint32_t> delays_max,
                                   std::optional<std::uint64_t> executions, std::string* promise = nullptr) {
  ToySystem system(program);
  StratifiedSampling strategy(built_in_explorer(explorer, seed), delays_max, seed, executions);
  Schedules noted(strategy);
  SteadyClock clock;
  Limits limits;
  limits.after_bug = AfterBug::kKeepGoing;
  const Exploration found = Explorer(system, noted, limits, clock).run();
  EXPECT_EQ(found.stop, Stop::kComplete);
  if (promise != nullptr) *promise = found.promise;
  return noted.all;
}

const Program kTwo(2, {{Op::kWrite, 0}, {Op::kWrite, 0}});

TEST(StratifiedSampling, RunsOneExecutionWithoutDelaysAndManyWithMore) {
  const auto none = schedules(kTwo, "rr", 3, 0, {});
  ASSERT_EQ(none.size(), 1u);
  // The ids of the toy system run against the names.
  EXPECT_EQ(none.front(), "1:0 1:0 0:0 0:0 ");
  EXPECT_EQ(schedules(kTwo, "rr", 3, 1, {}).size(), 301u);
  EXPECT_EQ(schedules(kTwo, "rr", 3, {}, 123).size(), 123u);
}

// One delay: before the first or the second step of P, as likely.
TEST(StratifiedSampling, DrawsThePlacesOfADelayAlike) {
  std::map<std::string, std::uint64_t> counts;
  const auto all = schedules(kTwo, "rr", 5, 1, {});
  for (std::size_t i = 1; i < all.size(); ++i) ++counts[all[i]];
  ASSERT_EQ(counts.size(), 2u);
  for (const std::string schedule : {"0:0 0:0 1:0 1:0 ", "1:0 0:0 0:0 1:0 "}) {
    // 150 expected, and a deviation of 8.7.
    EXPECT_GT(counts[schedule], 115u) << schedule;
    EXPECT_LT(counts[schedule], 185u) << schedule;
  }
}

TEST(StratifiedSampling, TheNthExecutionDependsOnTheSeedOnly) {
  const Program program(3, {{Op::kWrite, 0}, {Op::kChoose, 0}, {Op::kWrite, 0}});
  for (const std::string_view explorer : kDelayingExplorers) {
    const auto whole = schedules(program, explorer, 8, {}, 500);
    auto part = schedules(program, explorer, 8, {}, 200);
    EXPECT_TRUE(std::equal(part.begin(), part.end(), whole.begin()));
    EXPECT_NE(schedules(program, explorer, 9, {}, 500), whole);
  }
}

// And no others: a schedule that is missed has a chance of 1 - L^-2 in each of 900 samples, where L <= 5.
TEST(StratifiedSampling, RunsTheExecutionsOfTheFirstStrata) {
  const Program program = {
      {{Op::kGive, 0}, {Op::kChoose, 0}}, {{Op::kTake, 0}, {Op::kWrite, 0}}, {{Op::kWrite, 0}}};
  for (const std::string_view explorer : kDelayingExplorers) {
    ToySystem system(program);
    ExplorerDriver driver(built_in_explorer(explorer, 4));
    std::set<std::string> within;
    std::size_t beyond = 0;
    toy::all_delayed_executions(system, driver, [&](const auto& schedule, std::uint32_t delays) {
      std::string text;
      for (const Transition& transition : schedule)
        text += std::to_string(static_cast<std::uint32_t>(transition.actor)) + ":" +
                std::to_string(transition.alternative) + " ";
      if (delays > 2)
        ++beyond;
      else
        EXPECT_TRUE(within.insert(text).second);
    });
    const auto all = schedules(program, explorer, 4, 2, {});
    EXPECT_EQ(std::set<std::string>(all.begin(), all.end()), within) << explorer;
    EXPECT_GT(beyond, 0u);
    ToySystem other(program);
    EXPECT_EQ(within.size() + beyond, toy::all_executions(other).size());
  }
}

// The bug needs one delay at one of four places at least: it is found as often as promised.
TEST(StratifiedSampling, FindsWhatItPromises) {
  const Program program = {{{Op::kWrite, 0}, {Op::kWrite, 0}, {Op::kGive, 0}},
                           {{Op::kWrite, 0}, {Op::kRequire, 0}}};
  std::string promise;
  schedules(program, "rr", 1, 1, {}, &promise);
  EXPECT_EQ(
      promise,
      "what at most 1 delay of the explorer rr shows is found with a probability of at least 0.99 (L = 3)");
  std::size_t found = 0, samples = 0;
  ToySystem system(program);
  StratifiedSampling strategy(built_in_explorer("rr", 1), 1, 1, {});
  SteadyClock clock;
  Limits limits;
  limits.after_bug = AfterBug::kKeepGoing;
  const Exploration result = Explorer(system, strategy, limits, clock).run();
  samples = result.counts.executions - 1;
  ASSERT_EQ(result.bugs.size(), 1u);
  found = result.bugs.front().executions;
  // Any of the three places shows it.
  EXPECT_EQ(found, samples);
}

// A few samples, so that the promise is one of a chance: the share of seeds that find it is no less.
TEST(StratifiedSampling, IsAsGoodAsItsBoundWithFewSamples) {
  // P.1 has to move between the two operations of P on counter 0, which one delay of six does.
  const Program program = {
      {{Op::kWrite, 1}, {Op::kWrite, 1}, {Op::kWrite, 1}, {Op::kTake, 0}, {Op::kGive, 0}, {Op::kWrite, 1}},
      {{Op::kRequire, 0}, {Op::kWrite, 1}}};
  Program begun = program;
  begun[0].insert(begun[0].begin(), {Op::kGive, 0});
  std::size_t found = 0;
  constexpr std::uint64_t kSeeds = 2'000;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    ToySystem system(begun);
    StratifiedSampling strategy(built_in_explorer("rr", seed), 1, seed, 2);
    SteadyClock clock;
    Limits limits;
    limits.after_bug = AfterBug::kKeepGoing;
    found += Explorer(system, strategy, limits, clock).run().bugs.empty() ? 0 : 1;
  }
  // Two of seven places: before the first step, and between taking and giving.
  const double share = static_cast<double>(found) / kSeeds;
  EXPECT_GT(share, 2.0 / 7 - 0.04);
  EXPECT_LT(share, 2.0 / 7 + 0.04);
}

}  // namespace
}  // namespace ravel
