// The complete strategies against the naive reference explorer, on all small programs and on seeded larger
// ones.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "engine/explorer.h"
#include "strategy/depth_first.h"
#include "strategy/preemption_bounding.h"
#include "tests/toy/programs.h"
#include "tests/toy/reference.h"

namespace ravel {
namespace {

using toy::Op;
using toy::Program;
using toy::ToySystem;

// Sanitizers make the tests of all programs take minutes and find in some of them what they would find in
// all, so there every sixteenth has to do.
#ifdef __SANITIZE_ADDRESS__
constexpr std::uint64_t kEveryHowManyth = 16;
#else
constexpr std::uint64_t kEveryHowManyth = 1;
#endif

const std::vector<toy::Operation> kAlphabet = {
    {Op::kWrite, 0}, {Op::kGive, 0}, {Op::kTake, 0}, {Op::kGive, 1}, {Op::kTake, 1}};
const std::vector<toy::Operation> kRichAlphabet = {{Op::kWrite, 0},  {Op::kGive, 0},    {Op::kTake, 0},
                                                   {Op::kChoose, 0}, {Op::kRequire, 0}, {Op::kRequire, 1},
                                                   {Op::kGive, 1}};

// Hands every call on to a strategy and writes down the schedules that it completes.
class Recorder final : public Strategy {
 public:
  explicit Recorder(Strategy& strategy) : strategy_(strategy) {}

  std::string name() const override { return strategy_.name(); }
  std::optional<Plan> next_execution() override {
    const auto plan = strategy_.next_execution();
    if (plan) schedule_.resize(plan->keep);
    return plan;
  }
  Decision choose(const Point& point) override {
    const Decision decision = strategy_.choose(point);
    EXPECT_EQ(point.depth, schedule_.size());
    schedule_.push_back(point.enabled[decision.index()]);
    return decision;
  }
  void observe(const Event& event) override { strategy_.observe(event); }
  Novelty end_execution(Outcome outcome) override {
    const Novelty novelty = strategy_.end_execution(outcome);
    if (novelty == Novelty::kNew) completed.push_back(schedule_);
    return novelty;
  }
  Coverage coverage() const override { return strategy_.coverage(); }

  std::vector<std::vector<Transition>> completed;

 private:
  Strategy& strategy_;
  std::vector<Transition> schedule_;
};

struct Searched {
  Exploration exploration;
  std::vector<std::string> schedules;  // in the order of execution
};

Searched search(ToySystem& system, Strategy& strategy) {
  SteadyClock clock;
  Recorder recorder(strategy);
  Limits limits;
  limits.after_bug = AfterBug::kKeepGoing;
  Exploration exploration = Explorer(system, recorder, limits, clock).run();
  Searched result{.exploration = std::move(exploration), .schedules = {}};
  for (const auto& schedule : recorder.completed) result.schedules.push_back(to_string(system, schedule));
  return result;
}

std::vector<std::string> sorted(std::vector<std::string> texts) {
  std::ranges::sort(texts);
  return texts;
}

// What a complete search of this system has to bring back.
struct Expected {
  std::vector<std::string> schedules;  // sorted
  std::map<std::uint32_t, std::uint64_t> by_preemptions;
  std::map<std::string, std::uint32_t> bugs;  // key and the fewest preemptions
};

Expected expect(ToySystem& system, std::optional<std::uint32_t> bound = {}) {
  Expected expected;
  for (const auto& execution : toy::all_executions(system)) {
    if (bound && execution.preemptions > *bound) continue;
    expected.schedules.push_back(to_string(system, execution.schedule));
    ++expected.by_preemptions[execution.preemptions];
    if (execution.outcome == Outcome::kBug) {
      auto [place, is_new] = expected.bugs.try_emplace(execution.bug, execution.preemptions);
      if (!is_new) place->second = std::min(place->second, execution.preemptions);
    }
  }
  expected.schedules = sorted(std::move(expected.schedules));
  return expected;
}

void compare(const Searched& searched, const Expected& expected, ToySystem& system) {
  EXPECT_EQ(sorted(searched.schedules), expected.schedules);
  EXPECT_EQ(searched.exploration.counts.executions, expected.schedules.size());
  EXPECT_EQ(searched.exploration.stop, Stop::kComplete);
  ASSERT_EQ(searched.exploration.bugs.size(), expected.bugs.size());
  for (const FoundBug& found : searched.exploration.bugs) {
    const auto bug = expected.bugs.find(found.bug.key());
    ASSERT_NE(bug, expected.bugs.end());
    EXPECT_EQ(found.preemptions, bug->second);
    EXPECT_EQ(toy::count_preemptions(system, found.schedule), found.preemptions);
  }
  EXPECT_EQ(system.snapshots_alive(), 0u);
}

void check_all_strategies(const Program& program, toy::ToySystem::Options options = {}) {
  SCOPED_TRACE(to_string(program));
  ToySystem system(program, options);
  const Expected all = expect(system);

  DepthFirst depth_first;
  compare(search(system, depth_first), all, system);

  for (const std::size_t notes_max :
       {std::size_t{0}, std::size_t{5}, std::size_t{20}, std::size_t{1} << 20}) {
    SCOPED_TRACE("notes_max " + std::to_string(notes_max));
    PreemptionBounding bounding({.bound_max = {}, .notes_max = notes_max});
    const Searched searched = search(system, bounding);
    compare(searched, all, system);
    const Coverage& coverage = searched.exploration.counts.coverage;
    EXPECT_EQ(coverage.unit, CoverageUnit::kSchedules);
    EXPECT_TRUE(coverage.is_complete);
    EXPECT_TRUE(coverage.bound(BoundOn::kPreemptions)->is_exhausted);
    EXPECT_EQ(coverage.completed(BoundOn::kPreemptions), all.by_preemptions.rbegin()->first);
    if (notes_max > 1000) {
      EXPECT_EQ(searched.exploration.counts.redundant, 0u);
    }
  }
}

TEST(CompleteSearch, AgreesWithTheReferenceOnAllProgramsOfThreeActorsAndTwoOperations) {
  const auto sequences = toy::all_sequences(kAlphabet, 2);
  std::uint64_t programs = 0;
  for (const Program& program : toy::all_programs(sequences, 3)) {
    if (++programs % kEveryHowManyth != 0) continue;
    check_all_strategies(program);
    if (HasFailure()) return;
  }
}

TEST(CompleteSearch, AgreesWithTheReferenceOnAllProgramsOfTwoActorsAndThreeOperations) {
  const auto sequences = toy::all_sequences(kAlphabet, 3);
  std::uint64_t programs = 0;
  for (const Program& program : toy::all_programs(sequences, 2)) {
    if (++programs % kEveryHowManyth != 0) continue;
    check_all_strategies(program);
    if (HasFailure()) return;
  }
}

// Too many to compare schedule by schedule, so here only the numbers of executions and bugs have to agree;
// depth-first search is the reference, which the tests above have compared with the naive one.

TEST(CompleteSearch, AgreesInCountsOnAllProgramsOfThreeActorsAndThreeOperationsOnTwoObjects) {
  const std::vector<toy::Operation> alphabet = {
      {Op::kGive, 0}, {Op::kTake, 0}, {Op::kGive, 1}, {Op::kTake, 1}};
  std::uint64_t programs = 0;
  for (const Program& program : toy::all_programs(toy::all_sequences(alphabet, 3), 3)) {
    // Every other program is one of these with the objects swapped.
    const auto first = std::ranges::find_if(program, [](const auto& actor) { return !actor.empty(); });
    if (first != program.end() && first->front().object == 1) continue;
    if (++programs % kEveryHowManyth != 0) continue;
    ToySystem system(program);
    SteadyClock clock;
    Limits limits;
    limits.after_bug = AfterBug::kKeepGoing;
    DepthFirst depth_first;
    const Exploration one = Explorer(system, depth_first, limits, clock).run();
    // Without a bound, with room for few notes only: both ways of a stage have to work together.
    PreemptionBounding bounding({.bound_max = {}, .notes_max = 12});
    const Exploration other = Explorer(system, bounding, limits, clock).run();
    ASSERT_EQ(one.counts.executions, other.counts.executions) << to_string(program);
    ASSERT_EQ(one.bugs.size(), other.bugs.size()) << to_string(program);
    for (std::size_t i = 0; i < one.bugs.size(); ++i) {
      ASSERT_EQ(one.bugs[i].executions, other.bugs[i].executions) << to_string(program);
      ASSERT_EQ(one.bugs[i].preemptions, other.bugs[i].preemptions) << to_string(program);
    }
    ASSERT_EQ(system.snapshots_alive(), 0u);
  }
  EXPECT_EQ(programs, 72'942u);
}

TEST(CompleteSearch, AgreesWithTheReferenceOnRandomProgramsOfThreeActorsAndThreeOperations) {
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    check_all_strategies(toy::random_program(random, kAlphabet, 3, 3));
    check_all_strategies(toy::random_program(random, kRichAlphabet, 3, 3));
    if (HasFailure()) return;
  }
}

TEST(CompleteSearch, AgreesWithTheReferenceWhenTheSystemHasNoSnapshotsOrListsBlockedSteps) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    const Program program = toy::random_program(random, kAlphabet, 3, 2);
    check_all_strategies(program,
                         {.rewinding = toy::Rewinding::kResetOnly, .blocking = toy::Blocking::kAvoided});
    check_all_strategies(program,
                         {.rewinding = toy::Rewinding::kSnapshots, .blocking = toy::Blocking::kStep});
    if (HasFailure()) return;
  }
}

TEST(CompleteSearch, CountsTheInterleavingsOfIndependentActors) {
  // 9! / (3! 3! 3!)
  const std::vector<toy::Operation> writes(3, {Op::kWrite, 0});
  ToySystem system({writes, writes, writes});
  DepthFirst strategy;
  EXPECT_EQ(search(system, strategy).exploration.counts.executions, 1680u);
}

TEST(PreemptionBounding, WithABoundRunsExactlyTheSchedulesWithAtMostThatManyPreemptions) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    ToySystem system(toy::random_program(random, kRichAlphabet, 3, 3));
    for (std::uint32_t bound = 0; bound < 4; ++bound) {
      for (const std::size_t notes_max : {0, 10, 100000}) {
        const Expected expected = expect(system, bound);
        PreemptionBounding strategy({.bound_max = bound, .notes_max = notes_max});
        const Searched searched = search(system, strategy);
        compare(searched, expected, system);
        EXPECT_GE(*searched.exploration.counts.coverage.completed(BoundOn::kPreemptions),
                  expected.by_preemptions.rbegin()->first);
        EXPECT_LE(*searched.exploration.counts.coverage.completed(BoundOn::kPreemptions), bound);
      }
    }
    if (HasFailure()) return;
  }
}

TEST(PreemptionBounding, RunsSchedulesInTheOrderOfTheirPreemptions) {
  const std::vector<toy::Operation> writes(3, {Op::kWrite, 0});
  ToySystem system({writes, writes, writes});
  PreemptionBounding strategy({});
  const Searched searched = search(system, strategy);
  std::map<std::string, std::uint32_t> preemptions;
  for (const auto& execution : toy::all_executions(system)) {
    preemptions[to_string(system, execution.schedule)] = execution.preemptions;
  }
  std::uint32_t last = 0;
  for (const std::string& schedule : searched.schedules) {
    EXPECT_LE(last, preemptions[schedule]);
    last = preemptions[schedule];
  }
  EXPECT_EQ(last, 6u);
}

// Listing 4.2 of the thesis on Concuerror: register, spawn, receive, exit; the child sends and exits. Its
// figures 4.3, 4.4 and 4.6 count the sequences.
const Program kListing42 = {
    {{Op::kWrite, 0}, {Op::kSpawn, 1}, {Op::kTake, 1}, {Op::kWrite, 2}},
    {{Op::kGive, 1}, {Op::kWrite, 3}},
};

TEST(ThesisExample, HasSixSequencesWithBlockedStepsAndThreeWithout) {
  ToySystem with_blocks(kListing42,
                        {.rewinding = toy::Rewinding::kSnapshots, .blocking = toy::Blocking::kStep});
  DepthFirst one;
  EXPECT_EQ(search(with_blocks, one).exploration.counts.executions, 6u);
  ToySystem without(kListing42);
  DepthFirst other;
  EXPECT_EQ(search(without, other).exploration.counts.executions, 3u);
}

TEST(ThesisExample, HasOneTwoAndThreeSequencesWithPreemptionBoundsZeroOneAndTwo) {
  ToySystem system(kListing42);
  for (std::uint32_t bound = 0; bound < 4; ++bound) {
    PreemptionBounding strategy({.bound_max = bound});
    const Searched searched = search(system, strategy);
    EXPECT_EQ(searched.exploration.counts.executions, std::min(bound + 1, 3u));
    EXPECT_EQ(searched.exploration.counts.coverage.bound(BoundOn::kPreemptions)->is_exhausted, bound >= 2);
  }
}

TEST(PreemptionBounding, RepeatsNoScheduleWhileTheNotesHaveRoomAndSomeWithoutRoom) {
  const std::vector<toy::Operation> writes(4, {Op::kWrite, 0});
  ToySystem system({writes, writes, writes});
  PreemptionBounding roomy({});
  const Counts with = search(system, roomy).exploration.counts;
  EXPECT_EQ(with.executions, 34650u);
  EXPECT_EQ(with.redundant, 0u);
  PreemptionBounding narrow({.bound_max = {}, .notes_max = 0});
  const Counts without = search(system, narrow).exploration.counts;
  EXPECT_EQ(without.executions, 34650u);
  EXPECT_GT(without.redundant, 0u);
  EXPECT_LT(with.events, without.events);
}

TEST(CompleteSearch, KeepsNoMoreSnapshotsThanTheLongestExecutionHasPoints) {
  const std::vector<toy::Operation> writes(4, {Op::kWrite, 0});
  ToySystem system({writes, writes, writes});
  DepthFirst depth_first;
  search(system, depth_first);
  PreemptionBounding bounding({});
  search(system, bounding);
  EXPECT_LE(system.snapshots_alive_max(), 12u);
  EXPECT_EQ(system.snapshots_alive(), 0u);
}

}  // namespace
}  // namespace ravel
