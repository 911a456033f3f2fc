// Preemption bounding with happens-before caching against all schedules: the traces of those within the
// bound, each once.

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "engine/explorer.h"
#include "strategy/depth_first.h"
#include "strategy/preemption_bounding.h"
#include "tests/toy/message_system.h"
#include "tests/toy/reference.h"
#include "tests/toy/trace_counter.h"

namespace ravel {
namespace {

using toy::Act;
using toy::MessageSystem;
using toy::TraceCounter;

struct Reference {
  std::map<std::string, std::uint32_t> traces, bugs;  // with the fewest preemptions
  std::uint64_t schedules = 0;
};

Reference all_traces(MessageSystem& system) {
  Reference reference;
  const auto note = [](std::map<std::string, std::uint32_t>& where, const std::string& what,
                       std::uint32_t preemptions) {
    const auto [place, is_new] = where.try_emplace(what, preemptions);
    if (!is_new) place->second = std::min(place->second, preemptions);
  };
  for (const auto& execution : toy::all_executions(system)) {
    ++reference.schedules;
    system.reset();
    for (const Transition& step : execution.schedule) system.step(step);
    note(reference.traces, system.trace(), execution.preemptions);
    if (execution.outcome == Outcome::kBug) note(reference.bugs, execution.bug, execution.preemptions);
  }
  return reference;
}

void compare(const toy::MessageProgram& program, std::size_t notes_max, std::uint64_t& saved) {
  SCOPED_TRACE(to_string(program) + ", notes_max " + std::to_string(notes_max));
  MessageSystem system(program);
  const Reference reference = all_traces(system);
  for (std::uint32_t bound = 0; bound < 5; ++bound) {
    SCOPED_TRACE("bound " + std::to_string(bound));
    PreemptionBounding strategy({.bound_max = bound, .notes_max = notes_max, .runs_traces_once = true});
    TraceCounter counter(strategy, system);
    SteadyClock clock;
    Limits limits;
    limits.after_bug = AfterBug::kKeepGoing;
    const Exploration exploration = Explorer(system, counter, limits, clock).run();
    std::set<std::string> bugs;
    for (const FoundBug& found : exploration.bugs) bugs.insert(found.bug.key());
    for (const auto& [trace, preemptions] : reference.traces) {
      const auto found = counter.traces.find(trace);
      if (preemptions > bound) continue;
      EXPECT_NE(found, counter.traces.end()) << "missed, with " << preemptions << " preemptions:\n" << trace;
    }
    for (const auto& [trace, times] : counter.traces) {
      ASSERT_TRUE(reference.traces.contains(trace)) << "not there:\n" << trace;
      EXPECT_EQ(times, 1u) << "repeated:\n" << trace;
      EXPECT_LE(reference.traces.at(trace), bound) << trace;
    }
    for (const auto& [bug, preemptions] : reference.bugs)
      EXPECT_EQ(bugs.contains(bug), preemptions <= bound) << bug;
    const Counts& counts = exploration.counts;
    if (bound == 4)
      saved += reference.schedules > counts.executions ? reference.schedules - counts.executions : 0;
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(HappensBeforeCache, RunsEachTraceWithinThePreemptionBoundOnce) {
  const std::vector<std::vector<Act>> alphabets = {
      {Act::kRead, Act::kWrite, Act::kAdd},
      {Act::kSend, Act::kReceive, Act::kReceiveOr},
      {Act::kSend, Act::kReceive, Act::kChoose, Act::kBranch},
      {Act::kKill, Act::kAdd, Act::kSend, Act::kReceive},
      {Act::kSpawn, Act::kSend, Act::kReceive, Act::kAdd},
      {Act::kLock, Act::kUnlock, Act::kAdd, Act::kRead},
  };
  std::uint64_t saved = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    for (const std::vector<Act>& acts : alphabets) {
      for (const std::size_t notes_max : {std::size_t{0}, std::size_t{15}, std::size_t{1} << 20}) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        Random random(seed);
        compare(toy::random_message_program(random, acts, 3, 2), notes_max, saved);
        if (::testing::Test::HasFailure()) return;
      }
    }
  }
  EXPECT_GT(saved, 1000u);
}

}  // namespace
}  // namespace ravel
