// The explorer with scripted strategies: budgets, bugs, rewinding, determinism.

#include "engine/explorer.h"

#include <gtest/gtest.h>

#include <functional>

#include "engine/recording.h"
#include "tests/toy/reference.h"
#include "tests/toy/toy_system.h"

namespace ravel {
namespace {

using toy::Op;
using toy::Program;
using toy::ToySystem;

// Always takes the first transition, keeps `keep` steps of the execution before, and never ends by itself.
class Scripted final : public Strategy {
 public:
  std::string name() const override { return "scripted"; }
  std::optional<Plan> next_execution() override {
    if (executions && begun >= *executions) return std::nullopt;
    return Plan{.keep = begun++ == 0 ? 0 : keep};
  }
  Decision choose(const Point& point) override {
    depths.push_back(point.depth);
    if (abandon_at == point.depth) return Decision::abandon();
    return Decision::take(last ? point.enabled.size() - 1 : 0, may_return);
  }
  void observe(const Event&) override { ++observed; }
  Novelty end_execution(Outcome outcome) override {
    outcomes.push_back(outcome);
    return novelty;
  }
  Coverage coverage() const override { return {}; }

  std::optional<std::uint64_t> executions;
  std::size_t keep = 0;
  std::optional<std::size_t> abandon_at;
  bool last = false;
  Return may_return = Return::kMaybe;
  Novelty novelty = Novelty::kNew;

  std::uint64_t begun = 0;
  std::uint64_t observed = 0;
  std::vector<std::size_t> depths;
  std::vector<Outcome> outcomes;
};

// Every reading is one second later.
class TickingClock final : public Clock {
 public:
  double seconds() override { return now_++; }

 private:
  double now_ = 100;
};

class Ear final : public Listener {
 public:
  void on_progress(const Counts& counts) override {
    ++progress;
    if (react) react(counts);
  }
  void on_bug(const FoundBug& found) override { bugs.push_back(found); }
  bool ends_search() override { return ends && ends(); }

  int progress = 0;
  std::function<bool()> ends;
  std::function<void(const Counts&)> react;
  std::vector<FoundBug> bugs;
};

const Program kTwoTimesTwo = {{{Op::kWrite, 0}, {Op::kWrite, 0}}, {{Op::kWrite, 0}, {Op::kWrite, 0}}};

struct Fixture {
  explicit Fixture(const Program& program, ToySystem::Options options = {}) : system(program, options) {}

  Exploration run() {
    surroundings.listener = &ear;
    return Explorer(system, strategy, limits, clock, surroundings).run();
  }

  ToySystem system;
  Surroundings surroundings;
  Scripted strategy;
  Limits limits;
  TickingClock clock;
  Ear ear;
};

TEST(Explorer, StopsWhenTheStrategyHasNothingLeft) {
  Fixture f(kTwoTimesTwo);
  f.strategy.executions = 3;
  const Exploration result = f.run();
  EXPECT_EQ(result.stop, Stop::kComplete);
  EXPECT_EQ(result.counts.executions, 3u);
  EXPECT_EQ(result.counts.events, 12u);
  EXPECT_EQ(result.counts.events_max, 4u);
  EXPECT_EQ(f.strategy.outcomes, std::vector<Outcome>(3, Outcome::kFinished));
  EXPECT_EQ(result.strategy, "scripted");
}

TEST(Explorer, StopsAtTheBudgetOfExecutionsButIsCompleteIfThatWasTheLastOne) {
  Fixture f(kTwoTimesTwo);
  f.limits.executions = 5;
  EXPECT_EQ(f.run().stop, Stop::kExecutionBudget);
  EXPECT_EQ(f.strategy.outcomes.size(), 5u);
  Fixture g(kTwoTimesTwo);
  g.limits.executions = 5;
  g.strategy.executions = 5;
  EXPECT_EQ(g.run().stop, Stop::kComplete);
}

TEST(Explorer, StopsAtTheBudgetOfTime) {
  Fixture f(kTwoTimesTwo);
  f.limits.seconds = 4;
  const Exploration result = f.run();
  EXPECT_EQ(result.stop, Stop::kTimeBudget);
  EXPECT_GE(result.counts.seconds, 4);
  EXPECT_GT(result.counts.executions, 0u);
  EXPECT_GT(f.ear.progress, 0);
}

TEST(Explorer, StopsAtTheBudgetOfMemory) {
  static std::uint64_t held = 0;
  Fixture f(kTwoTimesTwo);
  f.limits.memory = 3;
  f.surroundings.held_memory = [](std::uint64_t) { return ++held; };
  EXPECT_EQ(f.run().stop, Stop::kMemoryBudget);
  EXPECT_EQ(held, 4u);
}

TEST(Explorer, StopsAtTheBudgetOfTimeEvenIfExecutionsHaveNoEvents) {
  Fixture f(Program{{}});
  f.limits.seconds = 3;
  EXPECT_EQ(f.run().stop, Stop::kTimeBudget);
}

TEST(Explorer, StopsBehindTheExecutionThatTheListenerEndsTheSearchWith) {
  Fixture f(kTwoTimesTwo);
  int asked = 0;
  f.ear.ends = [&] { return ++asked == 3; };
  Explorer explorer(f.system, f.strategy, f.limits, f.clock, {.listener = &f.ear});
  const Exploration result = explorer.run();
  EXPECT_EQ(result.stop, Stop::kInterrupted);
  EXPECT_EQ(result.counts.executions, 3u);
  ASSERT_EQ(explorer.schedule().size(), 4u);
  f.system.reset();
  for (const Transition& transition : explorer.schedule()) f.system.step(transition);
  EXPECT_EQ(f.system.outcome(), Outcome::kFinished);
}

TEST(Explorer, StopsWhenInterrupted) {
  Fixture f(kTwoTimesTwo);
  std::atomic<bool> interrupt = false;
  f.surroundings.interrupt = &interrupt;
  f.ear.react = [&](const Counts& counts) { interrupt = counts.executions > 100; };
  const Exploration result = f.run();
  EXPECT_EQ(result.stop, Stop::kInterrupted);
  EXPECT_GT(result.counts.executions, 100u);
}

TEST(Explorer, StopsAtWhatIsNotSupported) {
  Fixture f({{{Op::kWrite, 0}, {Op::kRefuse, 0}}});
  const Exploration result = f.run();
  EXPECT_EQ(result.stop, Stop::kUnsupported);
  EXPECT_EQ(result.refusal->message, "refuse is not supported");
}

TEST(Explorer, StopsAtTheFirstBugOrGoesOnAndCountsThem) {
  const Program fails = {{{Op::kRequire, 0}}, {{Op::kWrite, 0}}};
  Fixture f(fails);
  const Exploration first = f.run();
  EXPECT_EQ(first.stop, Stop::kFirstBug);
  ASSERT_EQ(first.bugs.size(), 1u);
  EXPECT_EQ(first.bugs[0].bug.kind, "assertion");
  EXPECT_EQ(first.bugs[0].schedule.size(), 1u);

  Fixture g(fails);
  g.limits.after_bug = AfterBug::kKeepGoing;
  g.strategy.executions = 7;
  const Exploration all = g.run();
  EXPECT_EQ(all.stop, Stop::kComplete);
  ASSERT_EQ(all.bugs.size(), 1u);
  EXPECT_EQ(all.bugs[0].executions, 7u);
  EXPECT_EQ(all.bugs[0].first_execution, 1u);
  EXPECT_EQ(g.ear.bugs.size(), 1u);
}

TEST(Explorer, KeepsTheSimplestScheduleOfABugAndTellsTheListener) {
  // The first execution fails after two events, later ones after one.
  Fixture f({{{Op::kRequire, 0}}, {{Op::kWrite, 0}}});
  f.limits.after_bug = AfterBug::kKeepGoing;
  f.strategy.executions = 2;
  f.strategy.last = true;
  f.ear.react = [&](const Counts& counts) { f.strategy.last = counts.executions == 0; };
  f.limits.seconds = 1e9;
  const Exploration before = f.run();
  EXPECT_EQ(before.bugs[0].schedule.size(), 2u);

  struct Shrinking final : Listener {
    explicit Shrinking(Scripted& s) : strategy(s) {}
    void on_bug(const FoundBug& found) override {
      lengths.push_back(found.schedule.size());
      strategy.last = false;
    }
    Scripted& strategy;
    std::vector<std::size_t> lengths;
  } shrinking(f.strategy);
  f.strategy.begun = 0;
  f.strategy.last = true;
  const Exploration after = Explorer(f.system, f.strategy, f.limits, f.clock, {.listener = &shrinking}).run();
  EXPECT_EQ(shrinking.lengths, (std::vector<std::size_t>{2, 1}));
  ASSERT_EQ(after.bugs.size(), 1u);
  EXPECT_EQ(after.bugs[0].schedule.size(), 1u);
  EXPECT_EQ(after.bugs[0].executions, 2u);
}

TEST(Explorer, ReportsAnExecutionThatDoesNotEndAsABugIfAsked) {
  Fixture f({{{Op::kWrite, 0}, {Op::kAgain, 0}}});
  f.limits.events_max = 50;
  f.limits.long_executions = LongExecutions::kBug;
  const Exploration result = f.run();
  ASSERT_EQ(result.bugs.size(), 1u);
  EXPECT_EQ(result.bugs[0].bug.kind, "event_bound");
  EXPECT_EQ(result.bugs[0].schedule.size(), 50u);
  EXPECT_EQ(f.strategy.outcomes, std::vector<Outcome>{Outcome::kBug});
}

// No state comes again, so nobody sees that these have no end.
TEST(Explorer, CutsOffAnExecutionWithoutABugAndCountsItAsUnfinishedUnlessThatIsIgnored) {
  for (const LongExecutions how :
       {LongExecutions::kCutOff, LongExecutions::kLeftOpen, LongExecutions::kIgnored}) {
    Fixture f({{{Op::kGive, 0}, {Op::kAgain, 0}}});
    f.limits.events_max = 50;
    f.limits.long_executions = how;
    f.strategy.executions = 1;
    const Exploration result = f.run();
    EXPECT_TRUE(result.bugs.empty());
    EXPECT_GT(result.counts.cut_off, 0u);
    EXPECT_EQ(result.counts.unfinished, how == LongExecutions::kIgnored ? 0u : result.counts.cut_off);
    EXPECT_EQ(f.strategy.outcomes.front(), Outcome::kFinished);
  }
}

TEST(Explorer, TakesARoundForABugUnlessProgramsMayGoRound) {
  for (const LongExecutions how : {LongExecutions::kCutOff, LongExecutions::kLeftOpen}) {
    Fixture f({{{Op::kWrite, 0}, {Op::kAgain, 0}}});
    f.limits.events_max = 50;
    f.limits.long_executions = how;
    f.strategy.executions = 1;
    const Exploration result = f.run();
    EXPECT_EQ(result.bugs.size(), how == LongExecutions::kCutOff ? 1u : 0u);
    EXPECT_EQ(result.counts.unfinished, how == LongExecutions::kCutOff ? 0u : 1u);
  }
}

TEST(Explorer, StopsWhereExecutionsAreCutOffAgainAndAgain) {
  Fixture f({{{Op::kGive, 0}, {Op::kAgain, 0}}});
  f.limits.events_max = 50;
  f.limits.unfinished_events_max = 120;
  f.strategy.executions = 100;
  const Exploration result = f.run();
  EXPECT_EQ(result.stop, Stop::kTooLong);
  EXPECT_EQ(result.counts.cut_off, 3u);
}

TEST(Explorer, DoesNotTakeAnExecutionOfExactlyTheBoundForEndless) {
  Fixture f(kTwoTimesTwo);
  f.limits.events_max = 4;
  f.strategy.executions = 1;
  EXPECT_TRUE(f.run().bugs.empty());
}

TEST(Explorer, CountsAbandonedAndRepeatedExecutionsApart) {
  Fixture f(kTwoTimesTwo);
  f.strategy.executions = 4;
  f.strategy.abandon_at = 2;
  const Exploration abandoned = f.run();
  EXPECT_EQ(abandoned.counts.abandoned, 4u);
  EXPECT_EQ(abandoned.counts.executions, 0u);
  EXPECT_EQ(f.strategy.outcomes, std::vector<Outcome>(4, Outcome::kRunning));

  Fixture g(kTwoTimesTwo);
  g.strategy.executions = 4;
  g.strategy.novelty = Novelty::kRepeated;
  const Exploration repeated = g.run();
  EXPECT_EQ(repeated.counts.redundant, 4u);
  EXPECT_EQ(repeated.counts.executions, 0u);
}

TEST(Explorer, AsksTheStrategyOnlyBeyondWhatIsKept) {
  for (const auto rewinding : {toy::Rewinding::kSnapshots, toy::Rewinding::kResetOnly}) {
    Fixture f(kTwoTimesTwo, {.rewinding = rewinding, .blocking = toy::Blocking::kAvoided});
    f.strategy.executions = 2;
    f.strategy.keep = 3;
    const Exploration result = f.run();
    EXPECT_EQ(f.strategy.depths, (std::vector<std::size_t>{0, 1, 2, 3, 3}));
    EXPECT_EQ(f.strategy.observed, 5u);
    // Point 3 has one transition only, so it is reached from the snapshot at 1, or from the start.
    EXPECT_EQ(result.counts.events, rewinding == toy::Rewinding::kSnapshots ? 4u + 2u + 1u : 4u + 3u + 1u);
  }
}

TEST(Explorer, SavesNothingForAStrategyThatNeverReturns) {
  Fixture f(kTwoTimesTwo);
  f.strategy.executions = 3;
  f.strategy.may_return = Return::kNever;
  f.run();
  EXPECT_EQ(f.system.snapshots_alive_max(), 0u);
}

TEST(Explorer, ReleasesEverySnapshotAlsoWhenItIsStopped) {
  Fixture f(kTwoTimesTwo);
  f.limits.seconds = 2;
  f.run();
  EXPECT_GT(f.system.snapshots_alive_max(), 0u);
  EXPECT_EQ(f.system.snapshots_alive(), 0u);
}

TEST(Explorer, DiesWhenTheSystemIsNotDeterministic) {
  Fixture f(kTwoTimesTwo);
  f.strategy.executions = 2;
  f.strategy.keep = 1;
  struct Saboteur final : Strategy {
    explicit Saboteur(Fixture& fixture) : f(fixture) {}
    std::string name() const override { return "saboteur"; }
    std::optional<Plan> next_execution() override { return f.strategy.next_execution(); }
    Decision choose(const Point& point) override { return f.strategy.choose(point); }
    Novelty end_execution(Outcome) override {
      f.system.become_nondeterministic();
      return Novelty::kNew;
    }
    Coverage coverage() const override { return {}; }
    Fixture& f;
  } saboteur(f);
  EXPECT_DEATH(Explorer(f.system, saboteur, f.limits, f.clock).run(), "nondeterminism");
}

TEST(Explorer, LetsAListenerReplayTheBugOnTheSameSystem) {
  struct Writer final : Listener {
    explicit Writer(System& s) : system(s) {}
    void on_bug(const FoundBug& found) override {
      const Recording recording = record(system, found.schedule, 100);
      EXPECT_EQ(recording.bug->key(), found.bug.key());
      EXPECT_EQ(recording.events.size(), found.schedule.size());
      EXPECT_EQ(recording.preemptions, found.preemptions);
      ++written;
    }
    System& system;
    int written = 0;
  };
  Fixture f({{{Op::kRequire, 0}}, {{Op::kWrite, 0}}});
  f.limits.after_bug = AfterBug::kKeepGoing;
  f.strategy.executions = 4;
  Writer writer(f.system);
  const Exploration result = Explorer(f.system, f.strategy, f.limits, f.clock, {.listener = &writer}).run();
  EXPECT_EQ(writer.written, 1);
  EXPECT_EQ(result.counts.executions, 4u);
}

}  // namespace
}  // namespace ravel
