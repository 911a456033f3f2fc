// Optimal reduction against exhaustive search: the same set of traces, each once, and the same bugs.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <map>
#include <set>
#include <vector>

#include "engine/explorer.h"
#include "engine/strategy_wrapper.h"
#include "strategy/depth_first.h"
#include "strategy/optimal_reduction/optimal_reduction.h"
#include "tests/toy/message_system.h"
#include "tests/toy/trace_counter.h"

namespace ravel {
namespace {

using toy::Act;
using toy::MessageProgram;
using toy::MessageSystem;
using toy::TraceCounter;

struct Searched {
  std::map<std::string, std::uint64_t> traces;
  std::set<std::string> bugs;
  Counts counts;
  Stop stop;
};

Searched search(MessageSystem& system, Strategy& strategy, std::uint64_t executions_max = 200'000) {
  SteadyClock clock;
  TraceCounter counter(strategy, system);
  Limits limits;
  limits.after_bug = AfterBug::kKeepGoing;
  limits.executions = executions_max;
  const Exploration exploration = Explorer(system, counter, limits, clock).run();
  Searched result{.traces = std::move(counter.traces),
                  .bugs = {},
                  .counts = exploration.counts,
                  .stop = exploration.stop};
  for (const FoundBug& found : exploration.bugs) result.bugs.insert(found.bug.key());
  return result;
}

struct Work {
  std::uint64_t traces = 0, programs = 0, in_vain = 0, unsure = 0;
};

// Where trees are cut, traces may be repeated.
void compare(const MessageProgram& program, Work& work, TreeLimits limits) {
  SCOPED_TRACE(to_string(program));
  MessageSystem system(program);
  DepthFirst exhaustive;
  const Searched all = search(system, exhaustive, 20'000);
  if (all.stop != Stop::kComplete) return;
  const auto reduction = make_optimal_reduction({.limits = limits});
  const Searched reduced = search(system, *reduction, 20 * all.traces.size() + 100);
  EXPECT_EQ(reduced.stop, Stop::kComplete);
  const std::uint64_t in_vain = reduced.counts.redundant + reduced.counts.abandoned;
  // Without cuts it is sure that nothing is left out.
  if (limits.cut_above == TreeLimits().cut_above) {
    EXPECT_EQ(reduced.counts.coverage, all_of(CoverageUnit::kTraces));
  } else {
    work.unsure += reduced.counts.coverage.is_complete ? 0 : 1;
  }
  if (limits.cut_above == TreeLimits().cut_above) {
    EXPECT_EQ(in_vain, 0u);
  }
  for (const auto& [trace, times] : reduced.traces)
    EXPECT_TRUE(all.traces.contains(trace)) << "not there:\n" << trace;
  for (const auto& [trace, times] : all.traces)
    EXPECT_TRUE(reduced.traces.contains(trace)) << "missed:\n" << trace;
  EXPECT_EQ(reduced.counts.executions, all.traces.size());
  EXPECT_EQ(reduced.bugs, all.bugs);
  work.traces += reduced.traces.size();
  work.in_vain += in_vain;
  ++work.programs;
}

void compare_random(const std::vector<Act>& acts, std::uint32_t actors, std::uint32_t operations,
                    std::uint64_t programs) {
  Work work, cut;
  for (std::uint64_t seed = 0; seed < programs; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    const MessageProgram program = toy::random_message_program(random, acts, actors, operations);
    compare(program, work, seed % 2 == 0 ? TreeLimits() : TreeLimits{.share_above = 0});
    const std::size_t cut_above = seed % 6;
    SCOPED_TRACE("trees cut above " + std::to_string(cut_above));
    compare(program, cut,
            {.share_above = seed % 2 == 0 ? TreeLimits().share_above : 0, .cut_above = cut_above});
    if (::testing::Test::HasFailure()) return;
  }
  EXPECT_GT(work.programs, programs / 2);
  EXPECT_GT(cut.unsure, 0u);
  ::testing::Test::RecordProperty("traces", static_cast<int>(work.traces));
  ::testing::Test::RecordProperty("in_vain_with_cut_trees", static_cast<int>(cut.in_vain));
}

// More on request.
const char* const kTracesPrograms = std::getenv("TRACES_PROGRAMS");
const std::uint64_t kPrograms =
    kTracesPrograms == nullptr ? 150 : std::strtoull(kTracesPrograms, nullptr, 10);

TEST(OptimalReduction, RunsEachTraceOfReadsAndWritesOnce) {
  compare_random({Act::kRead, Act::kWrite, Act::kAdd}, 3, 3, kPrograms);
}
TEST(OptimalReduction, RunsEachTraceOfOperationsOnSeveralObjectsOnce) {
  compare_random({Act::kRead, Act::kWrite, Act::kWriteTwo}, 3, 3, kPrograms);
  compare_random({Act::kRead, Act::kWrite, Act::kBranch, Act::kWriteTwo}, 3, 3, kPrograms);
}
TEST(OptimalReduction, RunsEachTraceOfClaimsThatMayFailOnce) {
  compare_random({Act::kClaim, Act::kClaim, Act::kWrite}, 3, 2, kPrograms);
  compare_random({Act::kClaim, Act::kRead, Act::kWrite}, 3, 3, kPrograms);
}
TEST(OptimalReduction, RunsEachTraceOfMessagesOnce) {
  compare_random({Act::kSend, Act::kSend, Act::kReceive}, 3, 3, kPrograms);
  compare_random({Act::kSend, Act::kSendTwo, Act::kReceive}, 3, 3, kPrograms);
}
TEST(OptimalReduction, RunsEachTraceOfReceivesThatMayExpireOnce) {
  compare_random({Act::kSend, Act::kReceive, Act::kReceiveOr}, 3, 3, kPrograms);
}
TEST(OptimalReduction, RunsEachTraceOfPriorityMessagesOnce) {
  compare_random({Act::kSend, Act::kSendFirst, Act::kReceive}, 3, 3, kPrograms);
  compare_random({Act::kSendFirst, Act::kSendTwo, Act::kSendMixed, Act::kReceive}, 3, 3, kPrograms);
  compare_random({Act::kSend, Act::kSendFirst, Act::kReceive, Act::kReceiveOr}, 3, 3, kPrograms);
  compare_random({Act::kSendMixed, Act::kSendFirst, Act::kReceive, Act::kReceiveOr, Act::kRead, Act::kAdd}, 3,
                 3, kPrograms);
  compare_random({Act::kKill, Act::kSend, Act::kSendFirst, Act::kReceive, Act::kReceiveOr}, 3, 3, kPrograms);
}
TEST(OptimalReduction, RunsEachTraceOfMessagesAndVariablesOnce) {
  compare_random({Act::kSend, Act::kSend, Act::kReceive, Act::kReceiveOr, Act::kRead, Act::kWrite, Act::kAdd},
                 3, 4, kPrograms);
}
TEST(OptimalReduction, RunsEachTraceOfDataChoicesOnce) {
  compare_random({Act::kChoose, Act::kRead, Act::kAdd}, 3, 2, kPrograms);
  compare_random({Act::kChoose, Act::kRead, Act::kBranch, Act::kAdd}, 3, 2, kPrograms);
}
TEST(OptimalReduction, RunsEachTraceWithKillsOnce) {
  compare_random({Act::kKill, Act::kAdd, Act::kRead, Act::kWrite}, 3, 3, kPrograms);
  compare_random({Act::kKill, Act::kSend, Act::kReceive, Act::kReceiveOr}, 3, 3, kPrograms);
}
TEST(OptimalReduction, RunsEachTraceWithCancelledActorsOnce) {
  compare_random({Act::kCancel, Act::kSend, Act::kReceive, Act::kAdd}, 3, 2, kPrograms);
}
TEST(OptimalReduction, RunsEachTraceWithSpawnsOnce) {
  compare_random({Act::kSpawn, Act::kSend, Act::kReceive, Act::kAdd}, 3, 3, kPrograms);
}
TEST(OptimalReduction, RunsEachTraceWithAnEndForAllOnce) {
  compare_random({Act::kStop, Act::kSend, Act::kReceive, Act::kAdd, Act::kAdd}, 3, 2, kPrograms);
}
// Nobody can take a message that is sent in the step that ends everything.
TEST(OptimalReduction, RunsEachTraceWithAnEndForAllThatSendsOnce) {
  compare_random({Act::kStopSending, Act::kSend, Act::kReceive, Act::kReceiveOr, Act::kAdd}, 3, 3, kPrograms);
}
TEST(OptimalReduction, RunsEachTraceOfLocksOnce) {
  compare_random({Act::kLock, Act::kUnlock}, 3, 3, kPrograms);
  compare_random({Act::kLock, Act::kUnlock, Act::kWrite, Act::kRead}, 3, 4, kPrograms);
  compare_random({Act::kLock, Act::kUnlock, Act::kTryLock, Act::kAdd}, 3, 3, kPrograms);
}
TEST(OptimalReduction, RunsEachTraceOfSemaphoresOnce) {
  compare_random({Act::kPost, Act::kTake}, 3, 3, kPrograms);
  compare_random({Act::kPost, Act::kTake, Act::kLock, Act::kUnlock, Act::kWrite}, 3, 4, kPrograms);
}
TEST(OptimalReduction, RunsEachTraceOfEverythingOnce) {
  compare_random({Act::kRead, Act::kWrite, Act::kAdd, Act::kBranch, Act::kWriteTwo, Act::kSend, Act::kSendTwo,
                  Act::kReceive, Act::kReceiveOr, Act::kKill, Act::kChoose},
                 3, 3, kPrograms * 2);
  compare_random({Act::kSend, Act::kSendTwo, Act::kReceive, Act::kReceiveOr, Act::kAdd}, 4, 3, kPrograms / 2);
}

// All programs of three actors with three operations each, on two objects, but for those that differ in the
// order of the actors or in which object is which only. As many as TRACES_EVERY=N says, every n-th one; by
// default every 101st.
void compare_all(const std::vector<Act>& acts, std::uint64_t programs_in_all) {
  const char* const every = std::getenv("TRACES_EVERY");
  const std::uint64_t step = every == nullptr ? 101 : std::strtoull(every, nullptr, 10);
  constexpr std::uint64_t kActors = 3, kOperations = 3, kObjects = 2;
  const std::uint64_t kinds = acts.size() * kObjects;
  const auto action_of = [&](std::uint64_t code, std::uint32_t value) {
    return toy::Action{
        .act = acts[code / kObjects], .object = static_cast<std::uint32_t>(code % kObjects), .value = value};
  };
  // A sequence of operations is a number, whose digits are what they do.
  const std::uint64_t sequences = kinds * kinds * kinds;
  const auto swapped = [&](std::uint64_t sequence) {
    std::uint64_t result = 0;
    for (std::uint64_t place = 1, left = sequence; place < sequences; place *= kinds, left /= kinds)
      result += (left % kinds ^ 1) * place;
    return result;
  };
  std::uint64_t programs = 0;
  Work work;
  for (std::uint64_t a = 0; a < sequences; ++a)
    for (std::uint64_t b = a; b < sequences; ++b)
      for (std::uint64_t c = b; c < sequences; ++c) {
        std::array<std::uint64_t, kActors> chosen = {a, b, c}, other = {swapped(a), swapped(b), swapped(c)};
        std::ranges::sort(other);
        if (other < chosen || programs++ % step != 0) continue;
        MessageProgram program(kActors);
        for (std::uint32_t actor = 0; actor < kActors; ++actor)
          for (std::uint64_t i = 0, left = chosen[actor]; i < kOperations; ++i, left /= kinds)
            program[actor].push_back(action_of(left % kinds, actor + 1));
        compare(program, work, {});
        if (::testing::Test::HasFailure()) return;
      }
  EXPECT_EQ(programs, programs_in_all);
  EXPECT_EQ(work.programs, (programs + step - 1) / step);
}

TEST(OptimalReduction, RunsEachTraceOfAllProgramsOfThreeActorsAndThreeReadsOrWritesOnce) {
  compare_all({Act::kRead, Act::kWrite}, 22'880);
}
TEST(OptimalReduction, RunsEachTraceOfAllProgramsOfThreeActorsAndThreeOperationsOnLocksOnce) {
  compare_all({Act::kLock, Act::kUnlock}, 22'880);
}
TEST(OptimalReduction, RunsEachTraceOfAllProgramsOfThreeActorsThatWriteOrLockThreeTimesOnce) {
  compare_all({Act::kWrite, Act::kLock}, 22'880);
}

// Notes after each new execution how many there are likely to be.
class EstimateRecorder final : public StrategyWrapper {
 public:
  explicit EstimateRecorder(Strategy& strategy) : StrategyWrapper(strategy) {}

  Novelty end_execution(Outcome outcome) override {
    const Novelty novelty = StrategyWrapper::end_execution(outcome);
    if (novelty == Novelty::kNew) estimates.push_back(executions_estimate().value());
    return novelty;
  }
  std::vector<double> estimates;
};

// The factors by which estimates are wrong at a quarter and at half of a search, in the geometric mean.
TEST(OptimalReduction, EstimatesHowManyExecutionsThereAre) {
  const std::vector<std::vector<Act>> kinds = {
      {Act::kSend, Act::kSend, Act::kReceiveOr},
      {Act::kRead, Act::kWrite, Act::kAdd},
      {Act::kClaim, Act::kRead, Act::kWrite, Act::kBranch},
      {Act::kSend, Act::kReceive, Act::kReceiveOr, Act::kAdd, Act::kRead},
      {Act::kLock, Act::kUnlock, Act::kTryLock, Act::kAdd}};
  double at_quarter = 0, at_half = 0;
  std::size_t searches = 0;
  for (const std::vector<Act>& acts : kinds)
    for (std::uint64_t seed = 0; seed < 80; ++seed) {
      Random random(seed);
      MessageSystem system(toy::random_message_program(random, acts, 4, 4));
      const auto reduction = make_optimal_reduction();
      EstimateRecorder recorder(*reduction);
      if (search(system, recorder, 2'500).stop != Stop::kComplete || recorder.estimates.size() < 200)
        continue;
      const auto number = static_cast<double>(recorder.estimates.size());
      at_quarter += std::abs(std::log(recorder.estimates[recorder.estimates.size() / 4] / number));
      at_half += std::abs(std::log(recorder.estimates[recorder.estimates.size() / 2] / number));
      ++searches;
    }
  ASSERT_GT(searches, 40u);
  EXPECT_LT(std::exp(at_quarter / static_cast<double>(searches)), 1.47);
  EXPECT_LT(std::exp(at_half / static_cast<double>(searches)), 1.47);
}

}  // namespace
}  // namespace ravel
