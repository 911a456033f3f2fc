// Reduction against exhaustive search, on random programs of threads: the same bugs and results, and as many
// executions as there are traces. REDUCTION_PROGRAMS=N tries N times as many. REDUCTION_EXHAUSTIVE=1 searches
// all schedules, up to 5,000,000 a program, also where three threads have three operations each and reduction
// is otherwise compared with caching alone; that takes a quarter of an hour.

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>

#include "base/clock.h"
#include "engine/explorer.h"
#include "strategy/catalogue.h"
#include "threads/remote/remote_system.h"

namespace ravel::threads {
namespace {

class Reduction : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    // Tests run side by side, each in a process of its own.
    program = testing::TempDir() + "random_operations." + std::to_string(getpid());
    compile("threads_remote/programs/random_operations.cc", program);
  }
  static void compile(const std::string& source, const std::string& to) {
    ASSERT_EQ(
        std::system(
            (RAVEL_WRAPPER " -std=c++20 -O1 " RAVEL_SOURCE_DIR "/tests/" + source + " -o " + to).c_str()),
        0);
  }
  static void TearDownTestSuite() { std::remove(program.c_str()); }

  struct Shape {
    std::uint64_t programs;
    int threads, operations;
    std::uint64_t executions_max = 50'000;  // of exhaustive search; a program that has more is left out
    // Else only compared with caching, where a program with more than `traces_max` is left out
    bool is_exhaustive = true;
    std::uint64_t traces_max = 200'000;
    bool has_loops = false;       // in which threads wait
    unsigned iterations_max = 0;  // if not 0: they lock there, which is compared with waiting after so many
    bool gives_way = false;       // and with giving way to others
    bool waits_for_time = false;  // which passes when no thread can go on
  };

  struct Result {
    Searched searched;
    std::set<std::string> bugs;  // a program's result is its exit status
  };
  static Result search(RemoteSystem& system, const std::string& strategy, std::optional<std::uint32_t> bound,
                       std::optional<std::uint64_t> executions_max, std::uint64_t events_max = 10'000,
                       std::optional<std::uint32_t> early = {}) {
    SearchOrder order;
    order.request.strategy = strategy;
    order.request.parameters.early = early;
    order.request.parameters.bound = bound;
    Limits& limits = order.request.limits;
    limits.executions = executions_max;
    limits.events_max = events_max;
    limits.long_executions = LongExecutions::kBug;
    limits.after_bug = AfterBug::kKeepGoing;
    auto searched = system.search(order, {.on_progress = [](const Counts&) {},
                                          .on_kept = [](const Searched&) {},
                                          .is_interrupted = [] { return false; }});
    EXPECT_TRUE(searched.ok());
    Result result{.searched = std::move(*searched), .bugs = {}};
    for (const RawFoundBug& found : result.searched.raw_bugs) {
      // Who waits in a loop for ever is in a deadlock to a search that knows it, and without end to one that
      // does not.
      const bool never_ends = found.bug.kind == "deadlock" || found.bug.kind == "event_bound";
      result.bugs.insert(never_ends ? "never ends" : found.bug.kind + " " + found.bug.message);
    }
    return result;
  }

  static void compare(const std::string& kinds, Shape shape) {
    if (!shape.is_exhaustive && std::getenv("REDUCTION_EXHAUSTIVE") != nullptr) {
      shape.is_exhaustive = true;
      shape.executions_max = 5'000'000;
    }
    const char* const times = std::getenv("REDUCTION_PROGRAMS");
    const std::uint64_t programs =
        shape.programs * (times == nullptr ? 1 : std::strtoull(times, nullptr, 10));
    const bool is_compared_with_fairness =
        shape.has_loops && shape.threads == 2 && (shape.iterations_max == 0 || shape.gives_way);
    std::uint64_t compared = 0, known = 0, known_fair = 0, traces = 0;
    for (std::uint64_t seed = 0; seed < programs && !HasFailure(); ++seed) {
      const std::vector<std::string> arguments = {std::to_string(seed), std::to_string(shape.threads),
                                                  std::to_string(shape.operations), kinds};
      SCOPED_TRACE("random_operations " + arguments[0] + " " + arguments[1] + " " + arguments[2] + " " +
                   kinds);
      // That a thread waits in a loop is found where races are looked for, and without fairness.
      Configuration configuration{.accesses = AccessOperations::kSync, .tracked = {}};
      if (shape.has_loops) configuration = {.is_fair = false, .tracked = {}};
      configuration.passes_when_idle = shape.waits_for_time;
      const auto system = RemoteSystem::start({.path = program, .arguments = arguments}, configuration);
      ASSERT_TRUE(system.ok());
      Result all;
      if (shape.is_exhaustive) {
        all = search(**system, "dfs", {}, shape.executions_max);
        if (all.searched.result.stop != Stop::kComplete) continue;
        if (all.searched.result.stop != Stop::kComplete) continue;
      }
      const Result reduced = search(**system, "dpor", {}, shape.traces_max);
      if (!shape.is_exhaustive && reduced.searched.result.stop == Stop::kExecutionBudget) continue;
      EXPECT_EQ(reduced.searched.result.strategy, "optimal partial-order reduction");
      EXPECT_EQ(reduced.searched.result.stop, Stop::kComplete);
      EXPECT_EQ(reduced.searched.result.counts.redundant, 0u);
      EXPECT_EQ(reduced.searched.result.counts.abandoned, 0u);
      if (shape.is_exhaustive) {
        EXPECT_EQ(reduced.bugs, all.bugs);
      }
      const char* const by_states = seed % 4 == 0 ? "shortest" : "states";
      const auto numbered = RemoteSystem::start({.path = program, .arguments = arguments}, configuration);
      ASSERT_TRUE(numbered.ok());
      const Result of_states = search(**numbered, by_states, {}, {});
      EXPECT_EQ(of_states.searched.result.stop, Stop::kComplete);
      EXPECT_EQ(of_states.bugs, reduced.bugs) << by_states;
      // Nothing is left out of this one but what has the happens-before order of what was run.
      const auto fair = RemoteSystem::start({.path = program, .arguments = arguments}, configuration);
      ASSERT_TRUE(fair.ok());
      const Result cached = search(**fair, "dpor", 1000, {});
      EXPECT_EQ(cached.searched.result.counts.executions, reduced.searched.result.counts.executions);
      EXPECT_EQ(cached.bugs, reduced.bugs);
      if (shape.iterations_max != 0) {
        std::vector<std::string> bounded = arguments;
        bounded.push_back(std::to_string(shape.iterations_max));
        const Configuration sync{.accesses = AccessOperations::kSync, .tracked = {}};
        const auto spinning = RemoteSystem::start({.path = program, .arguments = bounded}, sync);
        ASSERT_TRUE(spinning.ok());
        const Result all_iterations = search(**spinning, "dpor", 1000, 20'000);
        if (all_iterations.searched.result.stop == Stop::kComplete) {
          ++known;
          EXPECT_EQ(all_iterations.bugs, reduced.bugs);
        }
      }
      if (is_compared_with_fairness) {
        // With more threads a search that lets them spin has no end.
        const auto spinning = RemoteSystem::start({.path = program, .arguments = arguments}, {.tracked = {}});
        ASSERT_TRUE(spinning.ok());
        const std::uint64_t events_max = shape.iterations_max != 0 ? 2000 : 400;
        const Result with_fairness =
            search(**spinning, "dpor", 1000, shape.iterations_max != 0 ? 500 : 1000, events_max);
        if (with_fairness.searched.result.stop == Stop::kComplete) {
          ++known_fair;
          EXPECT_EQ(with_fairness.bugs, reduced.bugs);
        }
      }
      ++compared;
      traces += reduced.searched.result.counts.executions;
    }
    EXPECT_GE(compared, std::max<std::uint64_t>(programs / 4, 1));
    // Where time passes only when nobody can go on, less is left to chance.
    EXPECT_GT(traces, shape.waits_for_time ? compared : 2 * compared);
    if (shape.iterations_max != 0) {
      EXPECT_GE(known, 1u);
    }
    if (is_compared_with_fairness) {
      EXPECT_GE(known_fair, 1u);
    }
    RecordProperty(kinds + "_known", static_cast<int>(known));
    RecordProperty(kinds + "_known_with_fairness", static_cast<int>(known_fair));
    RecordProperty(kinds + std::to_string(shape.operations), static_cast<int>(traces));
  }

  static inline std::string program;
};

TEST_F(Reduction, RunsEachTraceOfVariablesAndMutexesOnce) {
  compare("rwl", {.programs = 30, .threads = 2, .operations = 3});
  compare("rwal", {.programs = 10, .threads = 3, .operations = 2});
  compare("rwa", {.programs = 1, .threads = 3, .operations = 3, .executions_max = 600'000});
  compare("rwl", {.programs = 20, .threads = 3, .operations = 3, .is_exhaustive = false, .traces_max = 400});
}

TEST_F(Reduction, RunsEachTraceOfLocksThatAreTriedOnce) {
  compare("ltxr", {.programs = 30, .threads = 2, .operations = 3});
  compare("lta", {.programs = 6, .threads = 3, .operations = 2, .executions_max = 200'000});
  compare("ltxr", {.programs = 20, .threads = 3, .operations = 3, .is_exhaustive = false, .traces_max = 400});
}

TEST_F(Reduction, RunsEachTraceOfSemaphoresOnce) {
  compare("sla", {.programs = 30, .threads = 2, .operations = 3});
  compare("s", {.programs = 20, .threads = 3, .operations = 2});
}

TEST_F(Reduction, RunsEachTraceOfConditionVariablesOnce) {
  compare("lc", {.programs = 40, .threads = 2, .operations = 4});
  compare("lsc", {.programs = 20, .threads = 3, .operations = 3, .is_exhaustive = false, .traces_max = 400});
  compare("lcc", {.programs = 20, .threads = 3, .operations = 2});
}

TEST_F(Reduction, RunsEachTraceOfChoicesOnce) {
  compare("m", {.programs = 5, .threads = 2, .operations = 2});
  compare("mer", {.programs = 30, .threads = 2, .operations = 3});
  compare("mela", {.programs = 20, .threads = 2, .operations = 3});
  compare("mer", {.programs = 20, .threads = 3, .operations = 1});
  compare("merl", {.programs = 20, .threads = 3, .operations = 2, .is_exhaustive = false, .traces_max = 400});
  compare("ewv", {.programs = 30, .threads = 2, .operations = 2, .has_loops = true});
}

TEST_F(Reduction, RunsEachTraceOfThreadsThatWaitInLoopsOnce) {
  compare("rwv", {.programs = 30, .threads = 2, .operations = 3, .has_loops = true});
  compare("wvya", {.programs = 30, .threads = 2, .operations = 3, .has_loops = true});
  compare("kra", {.programs = 20, .threads = 2, .operations = 4, .has_loops = true});
  compare("wwvy", {.programs = 20, .threads = 3, .operations = 2, .has_loops = true});
  compare("kw", {.programs = 10,
                 .threads = 3,
                 .operations = 2,
                 .is_exhaustive = false,
                 .traces_max = 2000,
                 .has_loops = true});
}

TEST_F(Reduction, RunsEachTraceOfThreadsThatTryUntilTheySucceedOnce) {
  compare("qra", {.programs = 30, .threads = 2, .operations = 4, .has_loops = true});
  compare("qlt", {.programs = 30, .threads = 2, .operations = 4, .has_loops = true});
  compare("hshv", {.programs = 30, .threads = 2, .operations = 3, .has_loops = true});
  compare("qwwa",
          {.programs = 12, .threads = 3, .operations = 2, .executions_max = 200'000, .has_loops = true});
  compare("qlw", {.programs = 20,
                  .threads = 3,
                  .operations = 2,
                  .is_exhaustive = false,
                  .traces_max = 2000,
                  .has_loops = true});
  compare("qhr", {.programs = 10,
                  .threads = 3,
                  .operations = 2,
                  .is_exhaustive = false,
                  .traces_max = 2000,
                  .has_loops = true});
}

TEST_F(Reduction, RunsEachTraceOfThreadsThatLockInLoopsOnce) {
  compare("pf", {.programs = 30, .threads = 2, .operations = 2, .has_loops = true, .iterations_max = 3});
  Shape two{.programs = 30, .threads = 2, .operations = 3, .has_loops = true, .iterations_max = 3};
  two.gives_way = true;
  compare("pfl", two);
  compare("pfwr", {.programs = 30, .threads = 2, .operations = 3, .has_loops = true, .iterations_max = 3});
  compare("ppfa", {.programs = 30, .threads = 2, .operations = 3, .has_loops = true, .iterations_max = 3});
  compare("pf", {.programs = 20, .threads = 3, .operations = 1, .has_loops = true, .iterations_max = 2});
  Shape three{.programs = 20, .threads = 3, .operations = 2, .is_exhaustive = false, .traces_max = 2000};
  three.has_loops = true;
  three.iterations_max = 2;
  compare("pfw", three);
}

TEST_F(Reduction, RunsEachTraceOfThreadsThatLockForReadingInLoopsOnce) {
  compare("gu", {.programs = 20, .threads = 2, .operations = 2, .has_loops = true, .iterations_max = 3});
  compare("gufp", {.programs = 20, .threads = 2, .operations = 3, .has_loops = true, .iterations_max = 3});
  Shape three{.programs = 12, .threads = 3, .operations = 1, .is_exhaustive = false, .traces_max = 2000};
  three.has_loops = true;
  three.iterations_max = 1;
  compare("gu", three);
}

// What is due at the same instant comes in any order, and what is not due not at all.
TEST_F(Reduction, RunsEachTraceAsTimePassesOnce) {
  const auto compare_timed = [](const std::string& kinds, Shape shape) {
    shape.waits_for_time = true;
    compare(kinds, shape);
  };
  compare_timed("zna", {.programs = 20, .threads = 2, .operations = 4});
  compare_timed("zzra", {.programs = 20, .threads = 3, .operations = 2});
  compare_timed("lizn", {.programs = 30, .threads = 2, .operations = 3});
  compare_timed("jszn", {.programs = 30, .threads = 2, .operations = 3});
  compare_timed("lozc", {.programs = 30, .threads = 2, .operations = 4});
  compare_timed("liza", {.programs = 20, .threads = 3, .operations = 2});
  compare_timed("jsz", {.programs = 20, .threads = 3, .operations = 2});
  compare_timed("lijozna",
                {.programs = 20, .threads = 3, .operations = 3, .is_exhaustive = false, .traces_max = 400});
}

// Where time follows deadlines executions are compared by their happens-before order. Who sleeps does not
// stand back for others here.
TEST_F(Reduction, FindsTheSameWithDeadlinesAsExhaustiveSearch) {
  struct Size {
    int threads, operations;
  };
  std::uint64_t compared = 0;
  for (const char* const kinds : {"zn", "lizn", "jsz", "lozc", "lijozn"})
    for (const Size size : {Size{2, 3}, Size{3, 2}})
      for (std::uint64_t seed = 0; seed < 12; ++seed) {
        const std::vector<std::string> arguments = {std::to_string(seed), std::to_string(size.threads),
                                                    std::to_string(size.operations), kinds};
        SCOPED_TRACE("random_operations " + arguments[0] + " " + arguments[1] + " " + arguments[2] + " " +
                     kinds);
        Configuration configuration{.accesses = AccessOperations::kSync, .is_fair = false, .tracked = {}};
        configuration.follows_deadlines = true;
        const auto system = RemoteSystem::start({.path = program, .arguments = arguments}, configuration);
        ASSERT_TRUE(system.ok());
        const Result all = search(**system, "dfs", {}, 50'000);
        if (all.searched.result.stop != Stop::kComplete) continue;
        const Result cached = search(**system, "dpor", 1000, {});
        EXPECT_EQ(cached.bugs, all.bugs);
        EXPECT_LE(cached.searched.result.counts.executions, all.searched.result.counts.executions);
        ++compared;
      }
  EXPECT_GE(compared, 60u);
}

// At most one, or two, timeouts fire while others can go on. More of them find what fewer find, and now and
// then more.
TEST_F(Reduction, FindsTheSameWithEarlyTimeoutsAsExhaustiveSearch) {
  struct Size {
    int threads, operations;
  };
  std::uint64_t compared = 0, gained = 0;
  for (const char* const kinds : {"zn", "zzra", "lizn", "jsz", "lozc", "lijozn"})
    for (const Size size : {Size{2, 3}, Size{3, 2}})
      for (std::uint64_t seed = 0; seed < 8; ++seed) {
        const std::vector<std::string> arguments = {std::to_string(seed), std::to_string(size.threads),
                                                    std::to_string(size.operations), kinds};
        SCOPED_TRACE("random_operations " + arguments[0] + " " + arguments[1] + " " + arguments[2] + " " +
                     kinds);
        Configuration configuration{.accesses = AccessOperations::kSync, .is_fair = false, .tracked = {}};
        configuration.passes_when_idle = true;
        configuration.fires_early = true;
        const auto system = RemoteSystem::start({.path = program, .arguments = arguments}, configuration);
        ASSERT_TRUE(system.ok());
        std::set<std::string> before;
        for (const std::uint32_t early : {0u, 1u, 2u}) {
          const Result all = search(**system, "dfs", {}, 20'000, 10'000, early);
          if (all.searched.result.stop != Stop::kComplete) break;
          const Result cached = search(**system, "dpor", 1000, {}, 10'000, early);
          EXPECT_EQ(cached.bugs, all.bugs);
          EXPECT_LE(cached.searched.result.counts.executions, all.searched.result.counts.executions);
          EXPECT_TRUE(std::ranges::includes(all.bugs, before));
          if (early > 0 && all.bugs != before) ++gained;
          before = all.bugs;
          ++compared;
        }
      }
  EXPECT_GE(compared, 100u);
  EXPECT_GE(gained, 10u);
}

// Heads of loops are learnt by a search. It makes no difference to what it does, but in time.
TEST_F(Reduction, DoesTheSameWhateverIsKnownOfLoops) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const std::vector<std::string> arguments = {std::to_string(seed), "2", "3", "wvyk"};
    SCOPED_TRACE(seed);
    const auto system =
        RemoteSystem::start({.path = program, .arguments = arguments}, {.is_fair = false, .tracked = {}});
    ASSERT_TRUE(system.ok());
    const Result learning = search(**system, "dpor", {}, {});
    const Result knowing = search(**system, "dpor", {}, {});
    EXPECT_EQ(learning.searched.result.counts.executions, knowing.searched.result.counts.executions);
    EXPECT_EQ(learning.searched.result.counts.events, knowing.searched.result.counts.events);
    EXPECT_EQ(learning.bugs, knowing.bugs);
    // Step by step all are taken for known.
    const auto stepped =
        RemoteSystem::start({.path = program, .arguments = arguments}, {.is_fair = false, .tracked = {}});
    ASSERT_TRUE(stepped.ok());
    const auto strategy = make_strategy("dpor", {});
    ASSERT_TRUE(strategy.ok());
    SteadyClock clock;
    Limits limits;
    limits.after_bug = AfterBug::kKeepGoing;
    const Exploration all = Explorer(**stepped, **strategy, limits, clock).run();
    EXPECT_EQ(learning.searched.result.counts.executions, all.counts.executions);
    EXPECT_EQ(learning.searched.result.counts.events, all.counts.events);
  }
}

// That a thread gives way to others is a dependence that no footprint tells.
TEST_F(Reduction, LeavesAThreadThatHasToWaitInALoopToTheSearchWithFairness) {
  const std::string waits = testing::TempDir() + "waits_over_many." + std::to_string(getpid());
  compile("threads/programs/waits_over_many.cc", waits);
  const auto system = RemoteSystem::start({.path = waits, .arguments = {}}, {.tracked = {}});
  std::remove(waits.c_str());
  ASSERT_TRUE(system.ok());
  const Result result = search(**system, "dpor", {}, {});
  EXPECT_EQ(result.searched.result.stop, Stop::kComplete);
  EXPECT_TRUE(result.searched.is_fair);
  EXPECT_NE(result.searched.result.strategy, "optimal partial-order reduction");
  EXPECT_EQ(result.bugs, std::set<std::string>());
}

}  // namespace
}  // namespace ravel::threads
