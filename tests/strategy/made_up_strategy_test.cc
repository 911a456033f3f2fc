// A strategy that begins its executions at states that were kept, as breadth-first search does.

#include "tests/strategy/made_up_strategy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "engine/explorer.h"
#include "engine/system_wrapper.h"
#include "strategy/depth_first.h"
#include "tests/toy/programs.h"
#include "tests/toy/toy_system.h"

namespace ravel {
namespace {

using toy::Op;
using toy::ToySystem;

// Notes all states that a search meets.
class States final : public SystemWrapper {
 public:
  using SystemWrapper::SystemWrapper;
  Event step(const Transition& transition) override {
    const Event event = SystemWrapper::step(transition);
    seen.insert(*fingerprint());
    ++steps;
    return event;
  }

  std::set<Fingerprint> seen;
  std::uint64_t steps = 0;
};

struct Found {
  std::set<Fingerprint> states = {};
  std::set<std::string> bugs = {};
  std::uint64_t steps = 0;
  Exploration exploration = {};
};

Found search(System& system, Strategy& strategy) {
  States states(system);
  SteadyClock clock;
  Limits limits;
  limits.after_bug = AfterBug::kKeepGoing;
  Found found = {.exploration = Explorer(states, strategy, limits, clock).run()};
  found.states = std::move(states.seen);
  found.steps = states.steps;
  for (const FoundBug& bug : found.exploration.bugs) found.bugs.insert(bug.bug.key());
  return found;
}

std::unique_ptr<Strategy> breadth_first(std::uint64_t levels) {
  return make_strategy(made_up_strategy(), {.own = {{.name = "--levels", .value = levels}}});
}

TEST(MadeUpStrategy, MeetsTheStatesThatDepthFirstSearchMeets) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Random random(seed);
    const toy::Program program = toy::random_program(
        random, {{Op::kWrite, 0}, {Op::kGive, 0}, {Op::kTake, 0}, {Op::kChoose, 1}, {Op::kRequire, 1}}, 3, 3);
    SCOPED_TRACE(to_string(program));
    ToySystem system(program),
        without_snapshots(program, {.rewinding = toy::Rewinding::kResetOnly, .blocking = {}});
    DepthFirst depth_first;
    const Found all = search(system, depth_first);
    const Found wide = search(system, *breadth_first(100)),
                replayed = search(without_snapshots, *breadth_first(100));
    EXPECT_EQ(wide.states, all.states);
    EXPECT_EQ(wide.bugs, all.bugs);
    EXPECT_EQ(replayed.states, all.states);
    EXPECT_EQ(replayed.bugs, all.bugs);
    EXPECT_EQ(wide.exploration.counts.coverage, all_of(CoverageUnit::kStates));
    // Each step is taken once; without snapshots, once more for each state that it leads to.
    EXPECT_LE(wide.steps, replayed.steps);
    EXPECT_EQ(system.snapshots_alive(), 0u);
  }
}

TEST(MadeUpStrategy, GoesAsDeepAsItsOptionSays) {
  const toy::Program program = {{{Op::kWrite, 0}, {Op::kWrite, 0}, {Op::kWrite, 0}},
                                {{Op::kWrite, 0}, {Op::kWrite, 0}}};
  ToySystem system(program);
  // The states are what each of the two has done: after one step it was one of the two.
  EXPECT_EQ(search(system, *breadth_first(1)).states.size(), 2u);
  EXPECT_LT(search(system, *breadth_first(2)).states.size(), search(system, *breadth_first(3)).states.size());
}

TEST(MadeUpStrategy, IsRefusedByNameWhereStatesCannotBeToldApart) {
  EXPECT_TRUE(check_parts(made_up_strategy(), {.fingerprints = true}).ok());
  const Status refused = check_parts(made_up_strategy(), {.snapshots = true});
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.error().message,
              testing::HasSubstr("--strategy breadth needs states that can be told apart"));
}

}  // namespace
}  // namespace ravel
