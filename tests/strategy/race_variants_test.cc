// Reduction that reverses the choices of receives alone against exhaustive search: where there are no other
// races, the same set of traces, each once, and the same bugs; where there are, it says so.

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "engine/explorer.h"
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

Searched search(MessageSystem& system, Strategy& strategy, std::uint64_t executions_max) {
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
  std::uint64_t traces = 0, programs = 0;
};

void compare(const MessageProgram& program, Work& work) {
  SCOPED_TRACE(to_string(program));
  MessageSystem system(program);
  DepthFirst exhaustive;
  const Searched all = search(system, exhaustive, 20'000);
  if (all.stop != Stop::kComplete) return;
  const auto variants = make_optimal_reduction({.reversals = Reversals::kReceives});
  const Searched found = search(system, *variants, 2 * all.traces.size() + 100);
  EXPECT_EQ(found.stop, Stop::kComplete);
  EXPECT_EQ(found.counts.coverage, all_of(CoverageUnit::kTraces));
  EXPECT_EQ(found.counts.redundant, 0u);
  EXPECT_EQ(found.counts.abandoned, 0u);
  for (const auto& [trace, times] : found.traces)
    EXPECT_TRUE(all.traces.contains(trace)) << "not there:\n" << trace;
  for (const auto& [trace, times] : all.traces)
    EXPECT_TRUE(found.traces.contains(trace)) << "missed:\n" << trace;
  EXPECT_EQ(found.counts.executions, all.traces.size());
  EXPECT_EQ(found.bugs, all.bugs);
  work.traces += found.traces.size();
  ++work.programs;
}

void compare_random(const std::vector<Act>& acts, std::uint32_t actors, std::uint32_t operations,
                    std::uint64_t programs) {
  Work work;
  for (std::uint64_t seed = 0; seed < programs; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    compare(toy::random_message_program(random, acts, actors, operations), work);
    if (::testing::Test::HasFailure()) return;
  }
  EXPECT_GT(work.programs, programs / 2);
  EXPECT_GT(work.traces, work.programs);
}

TEST(RaceVariants, RunsEachTraceOfMessagesOnce) {
  compare_random({Act::kSend, Act::kSend, Act::kReceive}, 3, 3, 800);
  compare_random({Act::kSend, Act::kSend, Act::kReceive}, 3, 4, 400);
}
// Receives of several actors may want sends in orders that contradict each other.
TEST(RaceVariants, RunsEachTraceOfSeveralMessagesAtOnceOnce) {
  compare_random({Act::kSend, Act::kSendTwo, Act::kReceive}, 3, 3, 800);
  compare_random({Act::kSendTwo, Act::kReceive, Act::kReceive}, 4, 3, 100);
}
TEST(RaceVariants, RunsEachTraceOfReceivesThatMayExpireOnce) {
  compare_random({Act::kSend, Act::kReceive, Act::kReceiveOr}, 3, 3, 800);
  compare_random({Act::kSend, Act::kSendTwo, Act::kReceive, Act::kReceiveOr}, 4, 3, 200);
}

TEST(RaceVariants, RunsEachTraceOfPriorityMessagesOnce) {
  compare_random({Act::kSend, Act::kSendFirst, Act::kReceive}, 3, 3, 400);
  compare_random({Act::kSend, Act::kSendFirst, Act::kReceive, Act::kReceiveOr}, 3, 3, 200);
  compare_random({Act::kSendFirst, Act::kSendTwo, Act::kSendMixed, Act::kReceive, Act::kReceiveOr}, 3, 3,
                 200);
}

// Where a receive takes another message, what other receives take has to change with it in one of these
// traces, as no order of the sends suits them all.
TEST(RaceVariants, RunsATraceWhereOneChangeAsksForOthers) {
  Work work;
  compare({{{Act::kReceiveOr, 0, 3}, {Act::kReceive, 0, 2}, {Act::kSendTwo, 1, 3}, {Act::kSendTwo, 1, 2}},
           {{Act::kSendTwo, 2, 2}, {Act::kSend, 2, 1}, {Act::kSendTwo, 0, 2}, {Act::kReceiveOr, 0, 3}},
           {{Act::kSendTwo, 1, 1}, {Act::kSendTwo, 0, 1}, {Act::kSendTwo, 1, 2}, {Act::kReceiveOr, 0, 1}}},
          work);
  EXPECT_EQ(work.traces, 16u);
}

// All programs of three actors with two operations each, with two patterns and two kinds of messages.
TEST(RaceVariants, RunsEachTraceOfAllSmallProgramsOnce) {
  std::vector<std::vector<toy::Action>> operations(3);
  for (std::uint32_t actor = 0; actor < 3; ++actor) {
    for (std::uint32_t other = 0; other < 3; ++other)
      for (std::uint32_t value = 1; other != actor && value <= 2; ++value)
        operations[actor].push_back({.act = Act::kSend, .object = other, .value = value});
    for (std::uint32_t pattern = 2; pattern <= 3; ++pattern)
      operations[actor].push_back({.act = Act::kReceive, .object = 0, .value = pattern});
  }
  const auto body = [&](std::uint32_t actor, std::size_t number) {
    return std::vector<toy::Action>{operations[actor][number % 6], operations[actor][number / 6]};
  };
  Work work;
  for (std::size_t a = 0; a < 36; ++a)
    for (std::size_t b = 0; b < 36; ++b)
      for (std::size_t c = (a + b) % 3; c < 36; c += 3) {
        compare({body(0, a), body(1, b), body(2, c)}, work);
        if (::testing::Test::HasFailure()) return;
      }
  EXPECT_EQ(work.programs, 36u * 36 * 12);
}

// Whatever else actors do, no trace is run twice, and no claim is made about all unless all were run.
void expect_no_false_claims(const std::vector<Act>& acts, std::uint32_t operations, std::uint64_t programs) {
  std::uint64_t with_others = 0, without = 0;
  for (std::uint64_t seed = 0; seed < programs; ++seed) {
    Random random(seed);
    const MessageProgram program = toy::random_message_program(random, acts, 3, operations);
    SCOPED_TRACE("seed " + std::to_string(seed) + " " + to_string(program));
    MessageSystem system(program);
    DepthFirst exhaustive;
    const Searched all = search(system, exhaustive, 20'000);
    if (all.stop != Stop::kComplete) continue;
    const auto variants = make_optimal_reduction({.reversals = Reversals::kReceives});
    const Searched found = search(system, *variants, 2 * all.traces.size() + 100);
    EXPECT_EQ(found.stop, Stop::kComplete);
    EXPECT_EQ(found.counts.executions, found.traces.size());
    EXPECT_EQ(found.counts.redundant + found.counts.abandoned, 0u);
    for (const auto& [trace, times] : found.traces) EXPECT_TRUE(all.traces.contains(trace));
    if (found.counts.coverage.bound(BoundOn::kOtherRaces) == nullptr) {
      EXPECT_EQ(found.traces.size(), all.traces.size());
      ++without;
    } else {
      EXPECT_EQ(found.counts.coverage,
                all_of(CoverageUnit::kTraces, {{.on = BoundOn::kOtherRaces, .completed = 0}}));
      ++with_others;
    }
  }
  EXPECT_GT(with_others, programs / 10);
  EXPECT_GT(without, programs / 50);
}

TEST(RaceVariants, SaysThatOtherRacesAreNotReversed) {
  expect_no_false_claims({Act::kSend, Act::kReceive, Act::kReceiveOr, Act::kAdd, Act::kSpawn, Act::kKill}, 3,
                         300);
}
TEST(RaceVariants, SaysThatWhatWaitsForLocksIsNotReversed) {
  expect_no_false_claims({Act::kSend, Act::kReceive, Act::kLock, Act::kUnlock, Act::kTake, Act::kPost}, 3,
                         300);
}
TEST(RaceVariants, SaysThatEndsAndDataChoicesAreNotReversed) {
  expect_no_false_claims({Act::kSend, Act::kSend, Act::kReceive, Act::kChoose, Act::kStop, Act::kCancel}, 3,
                         300);
  expect_no_false_claims({Act::kSend, Act::kReceive, Act::kReceiveOr, Act::kReceiveOr, Act::kStopSending}, 3,
                         300);
}

// What extends a partial trace, from its own executions: those of all whose beginning has the same traces.
TEST(RaceVariants, GoesOnFromAPrefix) {
  const MessageProgram program = {{{Act::kSend, 2, 2}, {Act::kSend, 2, 2}},
                                  {{Act::kSend, 2, 2}},
                                  {{Act::kReceive, 0, 2}, {Act::kReceive, 0, 2}, {Act::kReceive, 0, 2}}};
  MessageSystem system(program);
  const auto count = [&](const std::vector<Transition>& prefix) {
    const auto variants = make_optimal_reduction({.prefix = prefix, .reversals = Reversals::kReceives});
    return search(system, *variants, 100).counts.executions;
  };
  const Transition first{.actor = ActorId{0}}, second{.actor = ActorId{1}}, third{.actor = ActorId{2}};
  EXPECT_EQ(count({}), 3u);
  EXPECT_EQ(count({first, first}), 3u);   // nothing is received yet
  EXPECT_EQ(count({first, third}), 2u);   // P.2 has taken one of P
  EXPECT_EQ(count({second, third}), 1u);  // P.2 has taken that of P.1
  EXPECT_EQ(count({first, third, second, third}), 1u);
}

}  // namespace
}  // namespace ravel
