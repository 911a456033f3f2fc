// The strategies that draw: what they promise, on programs small enough to know all schedules of.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <string_view>

#include "engine/explorer.h"
#include "engine/strategy_wrapper.h"
#include "strategy/bug_bounds.h"
#include "strategy/catalogue.h"
#include "strategy/depth_first.h"
#include "strategy/order_cover.h"
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

// Notes the schedules, one behind the other.
class Log final : public StrategyWrapper {
 public:
  using StrategyWrapper::StrategyWrapper;

  std::optional<Plan> next_execution() override {
    const std::optional<Plan> plan = StrategyWrapper::next_execution();
    if (plan) {
      schedules.emplace_back();
      objects.emplace_back();
    }
    return plan;
  }
  void observe(const Event& event) override {
    schedules.back().push_back(static_cast<std::uint32_t>(event.actor));
    objects.back().push_back(event.footprint.front().object);
    StrategyWrapper::observe(event);
  }

  std::vector<std::vector<std::uint32_t>> schedules;
  std::vector<std::vector<std::uint64_t>> objects;  // that the steps touched first
};

constexpr std::uint64_t kExecutions = 20'000;

TEST(Pct, FindsABugOfItsDepthAsOftenAsPromised) {
  // The assertion needs P.1 between the two operations of P: depth 2, n = 2, and before 5 of the 6 events
  // both can go on.
  const Program program = {{{Op::kWrite, 1}, {Op::kTake, 0}, {Op::kGive, 0}},
                           {{Op::kGive, 0}, {Op::kWrite, 1}, {Op::kRequire, 0}}};
  for (const std::uint32_t variables : {0u, 1u}) {
    ToySystem system(program);
    ProbabilisticTesting strategy({.depth = 2, .variables = variables}, 7, kExecutions);
    const Exploration found = run(system, strategy);
    ASSERT_EQ(found.bugs.size(), 1u);
    const double share = static_cast<double>(found.bugs[0].executions) / kExecutions;
    const double promised = variables == 0 ? 1.0 / (2 * 5) : 1.0 / 2 / (2 * 4);
    EXPECT_GT(share, promised * 0.9) << variables;
    EXPECT_NE(found.promise.find(variables == 0 ? "k = 5" : "Q = 2, v = 1, k = 4"), std::string::npos)
        << found.promise;
  }
}

// The naive reference: the schedule that these priorities give, where before event number changes[i] who is
// about to move gets the priority i.
std::string schedule_of(ToySystem& system, std::vector<std::uint32_t> priorities,
                        const std::vector<std::size_t>& changes) {
  std::string events;
  system.reset();
  for (std::size_t number = 1; system.outcome() == Outcome::kRunning; ++number) {
    const auto highest = [&] {
      return *std::ranges::max_element(system.enabled(), {}, [&](const Transition& t) {
        return priorities[static_cast<std::size_t>(t.actor)];
      });
    };
    for (std::uint32_t i = 0; i < changes.size(); ++i)
      if (changes[i] == number) priorities[static_cast<std::size_t>(highest().actor)] = i;
    const Transition next = highest();
    events += std::to_string(static_cast<std::uint32_t>(next.actor)) + " ";
    system.step(next);
  }
  return events;
}

// The draws that are left out lead nowhere else.
TEST(Pct, ReachesAllSchedulesThatPrioritiesAndTwoChangesGive) {
  const std::vector<Operation> alphabet = {{Op::kGive, 0}, {Op::kTake, 0}, {Op::kWrite, 1},
                                           {Op::kTake, 1}, {Op::kGive, 1}, {Op::kRequire, 0}};
  std::size_t schedules = 0;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    ToySystem system(toy::random_program(random, alphabet, 3, 3));
    ProbabilisticTesting strategy({.depth = 3}, seed, kExecutions);
    Tally tally(strategy);
    run(system, tally);
    std::vector<std::uint32_t> order = {2, 3, 4};
    do {
      for (std::size_t first = 1; first <= 9; ++first)
        for (std::size_t second = 1; second <= 9; ++second) {
          if (first == second) continue;
          const std::string schedule = schedule_of(system, order, {first, second});
          EXPECT_TRUE(tally.schedules.contains(schedule)) << schedule;
        }
    } while (std::next_permutation(order.begin(), order.end()));
    schedules += tally.schedules.size();
  }
  EXPECT_GT(schedules, 1000u);
}

TEST(Pct, WithoutChangePointsNobodyIsPreempted) {
  ToySystem system({{{Op::kWrite, 0}, {Op::kWrite, 0}},
                    {{Op::kWrite, 0}, {Op::kWrite, 0}},
                    {{Op::kWrite, 0}, {Op::kWrite, 0}}});
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
  for (const auto& [order, times] : tally.shared)
    EXPECT_NEAR(static_cast<double>(times), kExecutions / 6.0, kExecutions * 0.02) << order;
  // A random walk is far from that.
  RandomWalk walk(11, kExecutions);
  Tally other(walk);
  run(system, other);
  std::uint64_t least = kExecutions;
  for (const auto& [order, times] : other.shared) least = std::min(least, times);
  EXPECT_LT(other.shared.size() < 6 ? 0 : least, kExecutions / 40);
}

// Also of actors that are started one after the other, whose share their parent has until then, while it does
// much else.
TEST(Surw, OrdersOfTheEventsOfChildrenAreUniform) {
  Program program = {
      {{Op::kSpawn, 1}, {Op::kWrite, 5}, {Op::kWrite, 5}, {Op::kWrite, 5}, {Op::kSpawn, 2}, {Op::kSpawn, 3}},
      {{Op::kWrite, 0}},
      {{Op::kWrite, 4}, {Op::kWrite, 0}},
      {{Op::kWrite, 0}}};
  ToySystem system(program);
  SelectivelyUniform strategy(11, kExecutions);
  Tally tally(strategy);
  run(system, tally);
  ASSERT_EQ(tally.shared.size(), 6u);
  for (const auto& [order, times] : tally.shared)
    EXPECT_NEAR(static_cast<double>(times), kExecutions / 6.0, kExecutions * 0.02) << order;
}

// The first execution may be any. Only if it was cut off the second one lets those that were started last go
// first.
TEST(Surw, TakesACensusOfWhoWasCutOff) {
  const Program fails = {{{Op::kRequire, 0}}, {{Op::kWrite, 1}}, {{Op::kWrite, 1}, {Op::kWrite, 1}}};
  const Program ends = {{{Op::kWrite, 0}}, {{Op::kWrite, 1}}, {{Op::kWrite, 1}, {Op::kWrite, 1}}};
  for (const bool is_cut_off : {true, false}) {
    std::set<std::string> first, second;
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
      ToySystem system(is_cut_off ? fails : ends);
      SelectivelyUniform one(seed, 1), two(seed, 2);
      Tally tally_one(one), tally_two(two);
      run(system, tally_one);
      const std::string schedule = tally_one.schedules.begin()->first;
      first.insert(schedule);
      if (is_cut_off && schedule.size() == 8) continue;  // nobody was
      run(system, tally_two);
      if (--tally_two.schedules[schedule] == 0) tally_two.schedules.erase(schedule);
      second.insert(tally_two.schedules.begin()->first);
    }
    EXPECT_GE(first.size(), 6u);
    if (is_cut_off) {
      EXPECT_EQ(second, std::set<std::string>{"0 0 1 2 "});  // ToySystem numbers the last one 0
    } else {
      EXPECT_GE(second.size(), 6u);
    }
  }
}

// An actor of which nothing is known may take its turn although others are expected to have more.
TEST(Surw, WhoWasNotSeenAtFirstIsNotStarved) {
  // With some seeds the last actor's write is not reached at first: it waits for a gift that comes only if
  // the first takes its time.
  const Program program = {
      {{Op::kChoose, 1}, {Op::kWrite, 0}}, {{Op::kWrite, 0}}, {{Op::kTake, 1}, {Op::kWrite, 0}}};
  ToySystem system(program);
  SelectivelyUniform strategy(5, 2000);
  Tally tally(strategy);
  run(system, tally);
  EXPECT_GT(tally.shared.size(), 6u);
}

// Where the end of one is the end of all, early ends have the chance of one execution each, not of one event.
TEST(Surw, ExecutionsThatAreCutOffAreAsLikelyAsOthers) {
  const Program program = {
      {{Op::kEnd, 1}}, {{Op::kWrite, 0}, {Op::kWrite, 0}}, {{Op::kWrite, 0}, {Op::kWrite, 0}}};
  ToySystem system(program);
  SelectivelyUniform strategy(11, kExecutions);
  Tally tally(strategy);
  run(system, tally);
  ASSERT_EQ(tally.schedules.size(), 19u);  // 1 + 2 + 4 + 6 without all of the four writes, 6 with them
  for (const auto& [schedule, times] : tally.schedules) {
    EXPECT_GT(times * 19, kExecutions / 2) << schedule;
    EXPECT_LT(times * 19, kExecutions * 2) << schedule;
  }
}

TEST(Surw, GoesOnWithWhatItHasLearned) {
  const Program program = {{{Op::kWrite, 2}, {Op::kEnd, 1}},
                           {{Op::kWrite, 0}, {Op::kWrite, 0}, {Op::kWrite, 3}},
                           {{Op::kWrite, 0}, {Op::kWrite, 3}, {Op::kWrite, 2}}};
  ToySystem system(program), other_system(program);
  const WholeOf whole_of = [](std::uint64_t object) {
    return object != 1 ? std::optional<std::uint64_t>(0) : std::nullopt;
  };
  SelectivelyUniform whole(11, 400, whole_of), first(11, 400, whole_of), second(11, 400);
  Tally tally(whole), tally_first(first), tally_second(second);
  run(system, tally);
  SteadyClock clock;
  Limits limits;
  limits.executions = 100;
  Exploration so_far = Explorer(system, tally_first, limits, clock).run();
  ASSERT_TRUE(so_far.position);
  PositionReader reader(*so_far.position);
  Trials trials(other_system);
  ASSERT_TRUE(second.read_position(reader, trials));
  ASSERT_TRUE(reader.is_complete());
  limits.executions.reset();
  Explorer(other_system, tally_second, limits, clock).run(std::move(so_far));
  for (const auto& [schedule, times] : tally_first.schedules) tally_second.schedules[schedule] += times;
  EXPECT_EQ(tally_second.schedules, tally.schedules);
}

// Objects 0 and 1 are the parts of one: in half of the executions the orders of the events on both are alike.
TEST(Surw, OrdersOfTheEventsOnAWholeAreUniform) {
  Program program = {{}, {{Op::kWrite, 1}, {Op::kWrite, 0}, {Op::kWrite, 1}}};
  for (std::uint32_t i = 0; i < 30; ++i)
    program[0].push_back({Op::kWrite, i == 4 || i == 25 ? 0u : i == 15 ? 1u : 5u});
  const WholeOf whole_of = [](std::uint64_t object) {
    return object < 2 ? std::optional<std::uint64_t>(0) : std::nullopt;
  };
  const auto least = [&](SelectivelyUniform&& strategy) {
    ToySystem system(program);
    Log log(strategy);
    run(system, log);
    std::map<std::string, std::uint64_t> orders;
    for (std::size_t i = 0; i < log.schedules.size(); ++i) {
      std::string order;
      for (std::size_t step = 0; step < log.schedules[i].size(); ++step)
        if (log.objects[i][step] < 2) order += std::to_string(log.schedules[i][step]);
      ++orders[order];
    }
    std::uint64_t rarest = orders.size() < 20 ? 0 : kExecutions;  // 6! / (3! 3!)
    for (const auto& [order, times] : orders) rarest = std::min(rarest, times);
    return rarest;
  };
  EXPECT_GT(least(SelectivelyUniform(11, kExecutions, whole_of)), kExecutions / 2 / 20 * 0.8);
  EXPECT_LT(least(SelectivelyUniform(11, kExecutions)), kExecutions / 2 / 20 * 0.5);
}

// Where several can end it nobody is held back for that.
TEST(Surw, WhoIsNotTheOnlyOneToEndIsNotHeldBack) {
  const Program program = {{{Op::kEnd, 1}},
                           {{Op::kWrite, 1}, {Op::kEnd, 1}},
                           {{Op::kWrite, 0}, {Op::kWrite, 0}, {Op::kWrite, 0}, {Op::kWrite, 0}}};
  ToySystem system(program);
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    SelectivelyUniform strategy(seed, 1000);
    Tally tally(strategy);
    run(system, tally);
    EXPECT_GT(tally.schedules["2 "], 80u) << seed;  // P begins: one of seven events
  }
}

// Two actors with n independent events each and one that races: the race goes either way with the same
// probability.
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
  for (const auto& [order, times] : other.shared)
    least_by_walking = std::min(least_by_walking, other.shared.size() < 2 ? 0 : times);
  EXPECT_GT(least, 10 * (least_by_walking + 1));
}

TEST(Sampling, TheSameSeedGivesTheSameExecutions) {
  const auto schedules = [](Strategy&& strategy) {
    ToySystem system({{{Op::kWrite, 0}, {Op::kGive, 1}},
                      {{Op::kTake, 1}, {Op::kWrite, 0}},
                      {{Op::kGive, 1}, {Op::kWrite, 0}}});
    Tally tally(strategy);
    run(system, tally);
    return tally.schedules;
  };
  EXPECT_EQ(schedules(PartialOrderSampling(3, 50)), schedules(PartialOrderSampling(3, 50)));
  EXPECT_EQ(schedules(SelectivelyUniform(3, 50)), schedules(SelectivelyUniform(3, 50)));
  EXPECT_EQ(schedules(ProbabilisticTesting({}, 3, 50)), schedules(ProbabilisticTesting({}, 3, 50)));
  EXPECT_NE(schedules(PartialOrderSampling(3, 50)), schedules(PartialOrderSampling(4, 50)));
}

// Each execution is drawn from its number alone.
TEST(Sampling, PartsOfASampleAreTogetherTheWholeOne) {
  const Program program = {{{Op::kWrite, 0}, {Op::kWrite, 1}},
                           {{Op::kWrite, 1}, {Op::kWrite, 0}},
                           {{Op::kWrite, 0}, {Op::kWrite, 1}}};
  for (const StrategyEntry& entry : strategies()) {
    if (!entry.traits.has_shards) continue;
    SCOPED_TRACE(entry.name);
    const auto schedules = [&](std::uint64_t first, std::uint64_t count) {
      ToySystem system(program);
      const auto strategy =
          make_strategy(entry.name, {.seed = 3, .executions = count, .first_execution = first});
      Log log(**strategy);
      run(system, log);
      return log.schedules;
    };
    const auto whole = schedules(0, 60);
    ASSERT_EQ(whole.size(), 60u);
    auto together = schedules(0, 17);
    for (const auto& [first, count] : {std::pair(17, 1), {18, 0}, {18, 42}}) {
      const auto part = schedules(static_cast<std::uint64_t>(first), static_cast<std::uint64_t>(count));
      together.insert(together.end(), part.begin(), part.end());
    }
    EXPECT_EQ(together, whole);
  }
}

TEST(Sampling, SomeExecutionsBeginWithGivenStepsAndTheOthersAreAsTheyWouldBe) {
  const Program program = {{{Op::kWrite, 0}, {Op::kWrite, 1}},
                           {{Op::kWrite, 1}, {Op::kWrite, 0}},
                           {{Op::kWrite, 0}, {Op::kWrite, 1}}};
  for (const char* const name : {"random", "irs", "pct", "pos", "surw", "ss"}) {
    SCOPED_TRACE(name);
    ToySystem system(program), followed_system(program);
    const auto whole = make_strategy(name, {.seed = 3, .executions = 60});
    Log log(**whole);
    run(system, log);
    followed_system.reset();
    std::vector<Transition> steps;
    for (const std::size_t index : {2u, 2u, 0u}) {
      steps.push_back(followed_system.enabled()[std::min(index, followed_system.enabled().size() - 1)]);
      followed_system.step(steps.back());
    }
    const auto followed = make_strategy(name, {.seed = 3, .executions = 60});
    Log followed_log(**followed);
    SteadyClock clock;
    Limits limits;
    limits.executions = 40;
    Explorer(followed_system, followed_log, limits, clock).run();
    dynamic_cast<Sampling&>(**followed).follow({.steps = steps, .executions = 5});
    run(followed_system, followed_log);
    std::erase_if(followed_log.schedules,
                  [](const auto& schedule) { return schedule.empty(); });  // planned, and not begun
    ASSERT_EQ(log.schedules.size(), 60u);
    ASSERT_EQ(followed_log.schedules.size(), 60u);
    std::set<std::vector<std::uint32_t>> behind;
    for (std::size_t i = 0; i < 60; ++i) {
      const std::vector<std::uint32_t>& schedule = followed_log.schedules[i];
      if (i < 40 || i >= 45) {
        // Whose executions belong to samples goes on with the next one.
        const bool is_later = i >= 45 && std::string_view(name) == "ss";
        EXPECT_EQ(schedule, log.schedules[is_later ? i - 5 : i]) << i;
        continue;
      }
      for (std::size_t step = 0; step < steps.size(); ++step)
        EXPECT_EQ(schedule[step], static_cast<std::uint32_t>(steps[step].actor)) << i;
      behind.insert(schedule);
    }
    EXPECT_GT(behind.size(), 1u);
  }
}

TEST(Sampling, IsCompleteAfterAnExecutionThatHadNothingToChoose) {
  ToySystem system(toy::Program{{{Op::kWrite, 0}, {Op::kWrite, 0}}});
  SteadyClock clock;
  for (const char* const name : {"random", "irs", "pct", "pos", "surw", "ss"}) {
    const auto strategy = make_strategy(name, {.seed = 3, .executions = 10});
    ASSERT_TRUE(strategy.ok());
    const Exploration result = Explorer(system, **strategy, {}, clock).run();
    EXPECT_EQ(result.stop, Stop::kComplete) << name;
    EXPECT_EQ(result.counts.executions, 1u) << name;
    EXPECT_EQ(result.counts.coverage, all_of(CoverageUnit::kSchedules)) << name;
  }
}

TEST(Sampling, AnExecutionThatWasGivenUpIsNotTheOnlyOne) {
  RandomWalk strategy(3, std::nullopt);
  ASSERT_TRUE(strategy.next_execution());
  strategy.end_execution(Outcome::kRunning);
  EXPECT_TRUE(strategy.next_execution());
  EXPECT_EQ(strategy.coverage(), Coverage{});
}

// The naive reference: bugs with at most so many preemptions, whatever the variables.
std::set<std::string> bugs_within(ToySystem& system, std::uint32_t preemptions) {
  std::set<std::string> bugs;
  for (const auto& execution : toy::all_executions(system))
    if (execution.outcome == Outcome::kBug && execution.preemptions <= preemptions)
      bugs.insert(execution.bug);
  return bugs;
}

TEST(VariableThreadBounding, WithAllVariablesAndThreadsFindsWhatPreemptionBoundingFinds) {
  const std::vector<Operation> alphabet = {
      {Op::kGive, 0}, {Op::kTake, 0}, {Op::kGive, 1}, {Op::kRequire, 0}, {Op::kRequire, 1}};
  std::size_t bugs = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    ToySystem system(toy::random_program(random, alphabet, 3, 3));
    VariableThreadBounding strategy(
        {.variables = 2, .threads = 3, .preemptions = 1, .miss = 1e-6, .seed = seed});
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

// With as many variables, threads and preemptions as there can be, nothing is left out: neither by the orders
// that are tried, nor by taking executions for repeated ones, nor by giving up those that go on as others
// did.
TEST(VariableThreadBounding, WithoutABoundFindsWhatDepthFirstSearchFinds) {
  const std::vector<Operation> alphabet = {{Op::kGive, 0}, {Op::kTake, 0},    {Op::kGive, 1},
                                           {Op::kTake, 1}, {Op::kRequire, 0}, {Op::kRequire, 1}};
  std::size_t bugs = 0, given_up = 0;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    // Two actors with three operations each can be preempted four times at most, three with two three times.
    const bool has_two = seed % 2 == 0;
    ToySystem system(toy::random_program(random, alphabet, has_two ? 2 : 3, has_two ? 3 : 2));
    VariableThreadBounding strategy(
        {.variables = 2, .threads = 3, .preemptions = has_two ? 4u : 3u, .seed = seed});
    std::set<std::string> keys;
    const Exploration found = run(system, strategy);
    for (const FoundBug& bug : found.bugs) keys.insert(bug.bug.key());
    given_up += found.counts.abandoned;
    DepthFirst depth_first;
    const Exploration all = run(system, depth_first);
    EXPECT_EQ(keys.size(), all.bugs.size());
    for (const FoundBug& bug : all.bugs) EXPECT_TRUE(keys.contains(bug.bug.key())) << bug.bug.key();
    bugs += all.bugs.size();
    // The reduction that programs of C and C++ get.
    PreemptionBounding reduction({.bound_max = {}, .runs_traces_once = true});
    EXPECT_EQ(run(system, reduction).bugs.size(), all.bugs.size());
  }
  EXPECT_GT(bugs, 60u);
  EXPECT_GT(given_up, 1000u);
}

TEST(VariableThreadBounding, PreemptsOnlyBeforeTheVariablesOfASet) {
  // P has to be preempted between its operations on objects 1 and 2, both of which only it touches.
  ToySystem system({{{Op::kGive, 1}, {Op::kTake, 0}, {Op::kWrite, 2}, {Op::kGive, 0}},
                    {{Op::kGive, 0}, {Op::kRequire, 0}}});
  VariableThreadBounding none({.variables = 0, .threads = 2, .preemptions = 1, .miss = 1e-6, .seed = 1});
  EXPECT_EQ(run(system, none).bugs.size(), 0u);
  VariableThreadBounding one({.variables = 1, .threads = 2, .preemptions = 1, .miss = 1e-6, .seed = 1});
  const Exploration found = run(system, one);
  ASSERT_EQ(found.bugs.size(), 1u);
  EXPECT_EQ(found.bugs[0].bounds->variables, 1u);
}

// Objects as variables that the same calls have made, one after the other.
const VariableOf made_in_a_loop = [](std::uint64_t object) -> Variable {
  return {.name = object + 100, .iteration = static_cast<std::uint32_t>(object)};
};

// The naive reference: bugs with at most so many preemptions, each before an operation on a variable of such
// an iteration number.
std::set<std::string> bugs_of_iterations(ToySystem& system, std::uint32_t preemptions,
                                         std::uint32_t iterations) {
  std::set<std::string> bugs;
  for (const auto& execution : toy::all_executions(system)) {
    if (execution.outcome != Outcome::kBug || execution.preemptions > preemptions) continue;
    bool is_within = true;
    system.reset();
    for (std::size_t i = 0; i < execution.schedule.size(); ++i) {
      for (const Transition& transition : system.enabled())
        if (i > 0 && transition.actor == execution.schedule[i - 1].actor &&
            transition.actor != execution.schedule[i].actor)
          is_within = is_within && made_in_a_loop(system.pending(transition)->object).iteration <= iterations;
      system.step(execution.schedule[i]);
    }
    if (is_within) bugs.insert(execution.bug);
  }
  return bugs;
}

const std::vector<Operation> kThreeObjects = {{Op::kGive, 0},    {Op::kTake, 0},   {Op::kGive, 1},
                                              {Op::kTake, 1},    {Op::kGive, 2},   {Op::kRequire, 0},
                                              {Op::kRequire, 1}, {Op::kRequire, 2}};

TEST(VariableThreadBounding, WithABoundOfIterationsFindsWhatEarlyVariablesShow) {
  std::size_t bugs = 0, left_out = 0;
  for (std::uint64_t seed = 0; seed < 90; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    ToySystem system(toy::random_program(random, kThreeObjects, 3, 3));
    for (const std::uint32_t iterations : {0u, 1u}) {
      VariableThreadBounding strategy({.variables = 1,
                                       .threads = 3,
                                       .preemptions = 1,
                                       .iterations = iterations,
                                       .miss = 1e-6,
                                       .seed = seed,
                                       .variable_of = made_in_a_loop});
      std::set<std::string> keys;
      for (const FoundBug& bug : run(system, strategy).bugs) {
        keys.insert(bug.bug.key());
        EXPECT_LE(bug.bounds->iterations, iterations);
      }
      const std::set<std::string> expected = bugs_of_iterations(system, 1, iterations);
      for (const std::string& bug : expected) EXPECT_TRUE(keys.contains(bug)) << bug;
      bugs += expected.size();
      left_out += bugs_within(system, 1).size() - expected.size();
    }
  }
  EXPECT_GT(bugs, 50u);
  EXPECT_GT(left_out, 5u);
}

TEST(PreemptionBounding, WithABoundOfIterationsFindsExactlyWhatEarlyVariablesShow) {
  std::size_t bugs = 0, left_out = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    ToySystem system(toy::random_program(random, kThreeObjects, 3, 3));
    for (const std::uint32_t iterations : {0u, 1u}) {
      PreemptionBounding strategy(
          {.bound_max = 2, .variables_max = 3, .iterations_max = iterations, .variable_of = made_in_a_loop});
      std::set<std::string> keys;
      for (const FoundBug& bug : run(system, strategy).bugs) keys.insert(bug.bug.key());
      EXPECT_EQ(keys, bugs_of_iterations(system, 2, iterations));
      bugs += keys.size();
      left_out += bugs_within(system, 2).size() - keys.size();
    }
  }
  EXPECT_GT(bugs, 50u);
  EXPECT_GT(left_out, 5u);
}

TEST(VariableThreadBounding, GoesOnWhereItWasWithTheVariablesThatItKnew) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    ToySystem system(toy::random_program(random, kThreeObjects, 3, 3));
    const VariableThreadBounding::Options options = {.variables = 2,
                                                     .threads = 3,
                                                     .preemptions = 2,
                                                     .iterations = 1,
                                                     .seed = seed,
                                                     .variable_of = made_in_a_loop};
    VariableThreadBounding whole(options);
    const Exploration expected = run(system, whole);
    std::string position;
    std::uint64_t executions = 0, redundant = 0, abandoned = 0;
    Coverage completed;
    for (Stop stop = Stop::kExecutionBudget; stop == Stop::kExecutionBudget;) {
      VariableThreadBounding part(options);
      PositionReader reader(position);
      if (!position.empty()) {
        Trials trials(system);
        ASSERT_TRUE(part.read_position(reader, trials));
      }
      SteadyClock clock;
      Limits limits;
      limits.after_bug = AfterBug::kKeepGoing;
      limits.executions = 7;
      const Exploration done = Explorer(system, part, limits, clock).run();
      executions += done.counts.executions;
      redundant += done.counts.redundant;
      abandoned += done.counts.abandoned;
      completed = done.counts.coverage;
      stop = done.stop;
      position = done.position.value_or("");
    }
    EXPECT_EQ(executions, expected.counts.executions);
    EXPECT_EQ(redundant, expected.counts.redundant);
    EXPECT_EQ(abandoned, expected.counts.abandoned);
    EXPECT_EQ(completed, expected.counts.coverage);
  }
}

// Object 2, of the latest iteration, is met first.
TEST(VariableThreadBounding, TriesVariablesOfEarlyIterationsFirst) {
  const std::vector<Operation> all = {{Op::kWrite, 2}, {Op::kWrite, 2}, {Op::kWrite, 1},
                                      {Op::kWrite, 1}, {Op::kWrite, 0}, {Op::kWrite, 0}};
  ToySystem system({all, all});
  VariableThreadBounding strategy(
      {.variables = 2, .threads = 2, .preemptions = 2, .variable_of = made_in_a_loop});
  std::vector<std::array<std::uint32_t, 4>> stages;
  class Stages final : public StrategyWrapper {
   public:
    Stages(Strategy& wrapped, std::vector<std::array<std::uint32_t, 4>>& stages)
        : StrategyWrapper(wrapped), stages_(stages) {}
    Novelty end_execution(Outcome outcome) override {
      const Novelty novelty = StrategyWrapper::end_execution(outcome);
      const Coverage so_far = coverage();
      if (!so_far.completed(BoundOn::kPriorityChanges)) return novelty;
      const std::array numbers = {
          *so_far.completed(BoundOn::kPriorityChanges), *so_far.completed(BoundOn::kVariables),
          *so_far.completed(BoundOn::kThreads), *so_far.completed(BoundOn::kIterations)};
      if (stages_.empty() || stages_.back() != numbers) stages_.push_back(numbers);
      return novelty;
    }

   private:
    std::vector<std::array<std::uint32_t, 4>>& stages_;
  } noted(strategy, stages);
  const Exploration exploration = run(system, noted);
  // There is no set of two variables of iteration 0, so that stage is over before an execution.
  const std::vector<std::array<std::uint32_t, 4>> expected = {{0, 0, 2, 0}, {1, 1, 2, 0}, {1, 1, 2, 1},
                                                              {1, 1, 2, 2}, {2, 1, 2, 0}, {2, 1, 2, 1},
                                                              {2, 2, 2, 0}, {2, 2, 2, 1}};
  EXPECT_EQ(stages, expected);
  EXPECT_EQ(exploration.counts.coverage.completed(BoundOn::kIterations), 2u);
}

TEST(OrderCover, DrawsAsManyPermutationsAsTheLemmaSays) {
  // (t + 1)! (ln(n t) + ln(1 / e))
  EXPECT_EQ(permutations_needed(2, 10, 0.05),
            static_cast<std::uint64_t>(std::ceil(6 * (std::log(20) + std::log(20)))));
  EXPECT_EQ(permutations_needed(3, 600, 0.01),
            static_cast<std::uint64_t>(std::ceil(24 * (std::log(1800) + std::log(100)))));
}

// Every order of every `t` of the numbers, by looking for it in each permutation.
bool shows_all_orders(const std::vector<Permutation>& permutations, std::uint32_t numbers, std::uint32_t t) {
  std::set<std::vector<std::uint32_t>> seen;
  double all = 1;
  for (std::uint32_t i = 0; i < t; ++i) all *= numbers - i;
  for (const Permutation& permutation : permutations) {
    for (std::uint32_t subset = 0; subset < (1u << numbers); ++subset) {
      std::vector<std::uint32_t> order;
      for (const std::uint32_t number : permutation)
        if ((subset >> number & 1) != 0) order.push_back(number);
      if (order.size() == t) seen.insert(order);
    }
  }
  return static_cast<double>(seen.size()) == all;
}

TEST(OrderCover, ShowsEveryOrderAndNeedsFewPermutations) {
  Random random(1);
  for (std::uint32_t numbers = 1; numbers <= 8; ++numbers) {
    std::vector<Permutation> before;
    for (std::uint32_t t = 1; t <= std::min(numbers, 4u); ++t) {
      const OrderCover cover = cover_orders(numbers, t, 0.05, before, random);
      EXPECT_TRUE(cover.is_exact);
      EXPECT_TRUE(shows_all_orders(cover.permutations, numbers, t)) << t << " of " << numbers;
      EXPECT_TRUE(std::equal(before.begin(), before.end(), cover.permutations.begin()));
      EXPECT_LT(cover.permutations.size(), permutations_needed(t, numbers, 0.05));
      before = cover.permutations;
    }
  }
  EXPECT_EQ(cover_orders(100, 2, 0.05, {}, random).permutations.size(), 2u);
  EXPECT_FALSE(cover_orders(100, 4, 0.05, {}, random).is_exact);
}

// P fails if all of `takers` actors take what P.1 has given before P looks; `bystanders` have no part in
// that.
Program takers_program(std::size_t takers, std::size_t bystanders) {
  Program program = {{{Op::kTake, 1}, {Op::kRequire, 0}}, {}};
  for (std::size_t i = 0; i < takers; ++i) program[1].push_back({Op::kGive, 0});
  program[1].push_back({Op::kGive, 1});
  for (std::size_t i = 0; i < takers; ++i) program.push_back({{Op::kTake, 0}});
  for (std::size_t i = 0; i < bystanders; ++i) program.push_back({{Op::kWrite, 2}, {Op::kWrite, 3}});
  return program;
}

TEST(BugBounds, CountTheActorsWhoseOrderMatters) {
  for (const std::size_t takers : {1, 2, 3}) {
    for (const std::size_t bystanders : {0, 1, 7}) {
      ToySystem system(takers_program(takers, bystanders));
      // Whatever the schedule has besides.
      for (const std::uint64_t seed : {1, 2, 3}) {
        RandomWalk walk(seed, 300);
        const Exploration found = run(system, walk);
        ASSERT_EQ(found.bugs.size(), 1u);
        const std::optional<BugBounds> bounds = measure_bounds(system, found.bugs[0].schedule);
        ASSERT_TRUE(bounds);
        EXPECT_EQ(bounds->threads, takers + 1) << takers << " " << bystanders;
      }
    }
  }
}

TEST(BugBounds, CountTheObjectsAtWhichActorsAreInterrupted) {
  // P has to be interrupted before object 2.
  ToySystem system({{{Op::kGive, 1}, {Op::kTake, 0}, {Op::kWrite, 2}, {Op::kGive, 0}},
                    {{Op::kGive, 0}, {Op::kRequire, 0}}});
  PreemptionBounding strategy({});
  const Exploration found = run(system, strategy);
  ASSERT_EQ(found.bugs.size(), 1u);
  EXPECT_EQ(measure_bounds(system, found.bugs[0].schedule),
            (BugBounds{.changes = 1, .variables = 1, .threads = 2, .iterations = 0, .objects = {2}}));
}

TEST(BugBounds, AreNoneOfAScheduleWithoutABug) {
  ToySystem system(takers_program(1, 0));
  EXPECT_FALSE(measure_bounds(system, {}));
}

TEST(PreemptionBounding, WithAtMostVVariablesPreemptsOnlyBeforeSoMany) {
  const Program program = {{{Op::kWrite, 0}, {Op::kWrite, 1}, {Op::kWrite, 2}, {Op::kWrite, 3}},
                           {{Op::kWrite, 0}, {Op::kWrite, 1}, {Op::kWrite, 2}}};
  ToySystem system(program);
  std::map<std::uint32_t, std::uint64_t> schedules;
  for (const std::uint32_t variables : {1u, 2u, 4u}) {
    PreemptionBounding strategy({.bound_max = {}, .variables_max = variables});
    const Exploration found = run(system, strategy);
    EXPECT_TRUE(found.counts.coverage.is_complete);
    EXPECT_EQ(found.counts.coverage.completed(BoundOn::kVariables), variables);
    schedules[variables] = found.counts.executions;
  }
  EXPECT_LT(schedules[1], schedules[2]);
  PreemptionBounding all({});
  EXPECT_EQ(schedules[4], run(system, all).counts.executions);
}

}  // namespace
}  // namespace ravel
