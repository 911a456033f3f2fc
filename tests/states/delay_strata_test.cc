// Searches of all states by delays: the same states and bugs as any other search has, and of a stratum
// nothing that more delays are needed for.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "base/random.h"
#include "explorers/built_in.h"
#include "tests/states/toy_searches.h"
#include "tests/toy/delayed_executions.h"
#include "tests/toy/programs.h"
#include "tests/toy/reference.h"

namespace ravel {
namespace {

using toy::Op;
using toy::Program;
using toy::ToySystem;

Exploration search(System& system, std::string_view explorer, std::optional<std::uint32_t> delays_max = {},
                   AfterBug after_bug = AfterBug::kKeepGoing) {
  SteadyClock clock;
  Limits limits;
  limits.after_bug = after_bug;
  StateSearch search(system, StateOrder::kByDelays, limits, clock);
  ExplorerNeeds needs;
  needs.complaints = std::make_shared<ExplorerComplaints>();
  search.delay(built_in_explorer(explorer, 7), delays_max, needs);
  Exploration found = search.run();
  EXPECT_TRUE(needs.complaints->empty());
  return found;
}

// The fewest delays with which each bug happens.
std::map<std::string, std::uint32_t> delays_of_bugs(ToySystem& system, std::string_view explorer) {
  std::map<std::string, std::uint32_t> bugs;
  ExplorerDriver driver(built_in_explorer(explorer, 7));
  toy::all_delayed_executions(system, driver, [&](const auto&, std::uint32_t delays) {
    if (system.outcome() != Outcome::kBug) return;
    const auto [bug, is_new] = bugs.try_emplace(system.bug().key(), delays);
    bug->second = std::min(bug->second, delays);
  });
  return bugs;
}

void check_all_states(const Program& program, std::string_view explorer) {
  SCOPED_TRACE(std::string(explorer) + " " + to_string(program));
  ToySystem reference(program), system(program);
  const auto all = toy::all_states(
      reference, [&] { return reference.state_text(); }, 5'000);
  ASSERT_TRUE(all);
  const Exploration found = search(system, explorer);
  EXPECT_EQ(found.stop, Stop::kComplete);
  EXPECT_EQ(found.counts.states->states, all->states);
  EXPECT_EQ(found.counts.states->transitions, all->transitions);
  EXPECT_EQ(found.counts.executions, all->ends);
  EXPECT_EQ(found.bugs.size(), all->bugs.size());
  EXPECT_TRUE(found.counts.coverage.is_complete);
  ASSERT_NE(found.counts.coverage.bound(BoundOn::kStrata), nullptr);
  EXPECT_TRUE(found.counts.coverage.bound(BoundOn::kStrata)->is_exhausted);
  for (const FoundBug& bug : found.bugs) {
    EXPECT_TRUE(all->bugs.contains(bug.bug.key()));
    EXPECT_EQ(toy::count_preemptions(system, bug.schedule), bug.preemptions);
    EXPECT_EQ(system.bug().key(), bug.bug.key());
  }
}

TEST(DelayStrata, VisitAllStates) {
  for (std::uint64_t seed = 0; seed < 1'000; ++seed) {
    for (const std::string_view explorer : kBuiltInExplorers) {
      Random random(seed);
      check_all_states(toy::random_program(random, kRichAlphabet, 3, 4), explorer);
      if (HasFailure()) FAIL() << "seed " << seed;
    }
  }
}

// What is found with so many delays does happen with so many; and what happens is found in the end.
TEST(DelayStrata, FindNothingThatNeedsMoreDelays) {
  std::size_t found_within = 0, needed_more = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    Random random(seed);
    const Program program = toy::random_program(random, kRichAlphabet, 3, 2);
    for (const std::string_view explorer : kBuiltInExplorers) {
      SCOPED_TRACE(std::string(explorer) + " " + to_string(program));
      ToySystem reference(program);
      const auto fewest = delays_of_bugs(reference, explorer);
      for (std::uint32_t delays = 0;; ++delays) {
        ToySystem system(program);
        const Exploration found = search(system, explorer, delays);
        EXPECT_EQ(found.counts.coverage.completed(BoundOn::kStrata), delays);
        for (const FoundBug& bug : found.bugs) {
          ASSERT_TRUE(fewest.contains(bug.bug.key()));
          EXPECT_LE(fewest.at(bug.bug.key()), delays);
          if (explorer == kPreemptionsExplorer) {
            EXPECT_LE(bug.preemptions, delays);
          }
          ++found_within;
        }
        // The execution without a delay, up to a state that came twice, is all of its stratum.
        for (const auto& [key, number] : fewest) {
          if (explorer == kPreemptionsExplorer) break;  // there are many
          const auto is_it = [&](const FoundBug& bug) { return bug.bug.key() == key; };
          EXPECT_TRUE(delays > 0 || (number == 0) == std::ranges::any_of(found.bugs, is_it)) << key;
        }
        if (!found.counts.coverage.is_complete) {
          needed_more += fewest.size() - found.bugs.size();
          continue;
        }
        EXPECT_EQ(found.bugs.size(), fewest.size());
        break;
      }
      if (HasFailure()) FAIL() << "seed " << seed;
    }
  }
  EXPECT_GT(found_within, 1'000u);
  EXPECT_GT(needed_more, 100u);
}

// Each execution once, and its delays are its preemptions.
TEST(DelayStrata, DelaysCanBePreemptions) {
  std::size_t preempted = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Random random(seed);
    const Program program = toy::random_program(random, kRichAlphabet, 3, 2);
    ToySystem system(program), reference(program);
    ExplorerDriver driver(built_in_explorer(kPreemptionsExplorer, 0));
    std::map<std::string, std::uint32_t> delays_of;
    toy::all_delayed_executions(system, driver, [&](const auto& schedule, std::uint32_t delays) {
      EXPECT_TRUE(delays_of.emplace(to_string(system, schedule), delays).second);
    });
    EXPECT_TRUE(driver.complaints().empty());
    const auto all = toy::all_executions(reference);
    ASSERT_EQ(delays_of.size(), all.size());
    for (const auto& execution : all) {
      EXPECT_EQ(delays_of.at(to_string(reference, execution.schedule)), execution.preemptions);
      preempted += execution.preemptions > 0 ? 1 : 0;
    }
    if (HasFailure()) FAIL() << "seed " << seed << " " << to_string(program);
  }
  EXPECT_GT(preempted, 1'000u);
}

TEST(DelayStrata, EndAlsoWhereExecutionsDoNot) {
  ToySystem system({{{Op::kWrite, 0}, {Op::kAgain, 0}}, {{Op::kGive, 0}}});
  const Exploration found = search(system, "rr");
  EXPECT_EQ(found.stop, Stop::kComplete);
  EXPECT_TRUE(found.counts.coverage.is_complete);
  EXPECT_EQ(found.counts.states->states, 4u);
}

TEST(DelayStrata, StopAtTheFirstBug) {
  // Without a delay P gives first.
  const Program program = {{{Op::kGive, 0}}, {{Op::kRequire, 0}}};
  ToySystem one(program), other(program);
  EXPECT_TRUE(search(one, "rr", 0).bugs.empty());
  const Exploration found = search(other, "rr", {}, AfterBug::kStop);
  EXPECT_EQ(found.stop, Stop::kFirstBug);
  ASSERT_EQ(found.bugs.size(), 1u);
  EXPECT_EQ(to_string(other, found.bugs.front().schedule), "P.1:0");
}

}  // namespace
}  // namespace ravel
