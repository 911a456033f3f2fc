// Samples from what a search by strata has put off: what they find, how often, and that they go on.
#include "states/frontier_samples.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>

#include "base/random.h"
#include "engine/system_wrapper.h"
#include "explorers/built_in.h"
#include "tests/states/toy_searches.h"
#include "tests/toy/programs.h"
#include "tests/toy/reference.h"

namespace ravel {
namespace {

using toy::Op;
using toy::Program;
using toy::ToySystem;

struct Asked {
  std::string_view explorer = "rr";
  std::uint32_t delays_max = 0;  // of the strata
  std::uint64_t seed = 1;
  std::uint64_t executions = 1;
  std::optional<double> seconds = {};
};

Exploration search(System& system, const Asked& asked, Clock& clock, Exploration so_far = {}) {
  Limits limits;
  limits.after_bug = AfterBug::kKeepGoing;
  limits.seconds = asked.seconds;
  StateSearch search(system, StateOrder::kByDelays, limits, clock);
  search.delay(built_in_explorer(asked.explorer, asked.seed), asked.delays_max, {},
               {.by_ways = system.hashed_states().has_value()});
  search.sample_after_strata(asked.seed, asked.executions);
  const bool goes_on = !so_far.position || search.go_on_from(std::move(so_far));
  EXPECT_TRUE(goes_on);
  return search.run();
}

Exploration search(System& system, const Asked& asked) {
  SteadyClock clock;
  return search(system, asked, clock);
}

// Every bug of a small program, though the strata have only one execution.
TEST(FrontierSamples, FindTheBugsThatThereAre) {
  std::size_t bugs = 0, there_are = 0, complete = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    for (const std::string_view explorer : kDelayingExplorers) {
      Random random(seed);
      const Program program = toy::random_program(random, kRichAlphabet, 3, 2);
      SCOPED_TRACE(std::string(explorer) + " " + to_string(program));
      ToySystem reference(program), system(program);
      const auto all = toy::all_states(
          reference, [&] { return reference.state_text(); }, 5'000);
      ASSERT_TRUE(all);
      const Exploration found = search(system, {.explorer = explorer, .executions = 20'000});
      EXPECT_EQ(found.stop, Stop::kComplete);
      if (found.counts.coverage.is_complete) {
        ++complete;
        EXPECT_EQ(found.counts.in_turns, 0u);
        EXPECT_TRUE(found.promise.empty());
      } else {
        EXPECT_EQ(found.counts.in_turns, 20'000u);
        EXPECT_FALSE(found.promise.empty());
      }
      there_are += all->bugs.size();
      for (const FoundBug& bug : found.bugs) {
        EXPECT_TRUE(all->bugs.contains(bug.bug.key()));
        EXPECT_EQ(toy::count_preemptions(system, bug.schedule), bug.preemptions);
        EXPECT_EQ(system.bug().key(), bug.bug.key());
        ++bugs;
      }
      if (HasFailure()) FAIL() << "seed " << seed;
    }
  }
  EXPECT_EQ(bugs, there_are);
  EXPECT_GT(bugs, 50u);
  EXPECT_GT(complete, 0u);
}

// Without a delay P goes first: before each of its three steps P.1 could move, and fails where nothing is
// given, before the first and the last one.
TEST(FrontierSamples, DrawEachOfTheStatesAlike) {
  const Program program = {{{Op::kGive, 0}, {Op::kTake, 0}, {Op::kGive, 0}}, {{Op::kRequire, 0}}};
  std::size_t found = 0;
  constexpr std::uint64_t kSeeds = 3'000;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    ToySystem system(program);
    const Exploration one = search(system, {.seed = seed, .executions = 1});
    EXPECT_EQ(one.counts.in_turns, 1u);
    found += one.bugs.empty() ? 0 : 1;
  }
  ToySystem system(program);
  const Exploration many = search(system, {.executions = 20'000});
  const std::string text = many.promise;
  EXPECT_EQ(many.bugs.size(), 1u);
  EXPECT_NE(text.find("what one of the 3 states put off leads to"), std::string::npos) << text;
  const double share = static_cast<double>(found) / kSeeds;
  EXPECT_NEAR(share, 2.0 / 3, 0.03);
}

TEST(FrontierSamples, GoOnFromWhereTheyWere) {
  std::size_t parts = 0;
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    Random random(seed);
    const Program program = toy::random_program(random, kRichAlphabet, 4, 4);
    const Asked asked = {.explorer = "rtc", .delays_max = 1, .seed = seed, .executions = 1'000};
    ToySystem system(program);
    const Exploration whole = search(system, asked);
    Exploration found;
    do {
      ToySystem again(program);
      TickingClock clock;
      Asked in_parts = asked;
      in_parts.seconds = 6;
      found = search(again, in_parts, clock, std::move(found));
      ++parts;
      if (HasFailure()) FAIL() << "seed " << seed;
    } while (found.stop == Stop::kTimeBudget);
    EXPECT_EQ(found.stop, whole.stop);
    EXPECT_EQ(found.counts.states->states, whole.counts.states->states);
    EXPECT_EQ(found.counts.in_turns, whole.counts.in_turns);
    EXPECT_EQ(found.counts.erroneous, whole.counts.erroneous);
    EXPECT_EQ(found.promise, whole.promise);
    EXPECT_EQ(keys_of(found.bugs), keys_of(whole.bugs));
  }
  EXPECT_GT(parts, 20u);
}

TEST(FrontierSamples, FollowStrataThatHaveUsedUpHalfOfTheTime) {
  ToySystem system(kLarge);
  TickingClock clock;
  const Exploration found =
      search(system, {.delays_max = 100, .executions = 1'000'000, .seconds = 40}, clock);
  EXPECT_EQ(found.stop, Stop::kTimeBudget);
  EXPECT_GT(found.counts.in_turns, 50u);
  EXPECT_GT(found.counts.states->transitions, 2'000u);
}

TEST(FrontierSamples, GiveUpExecutionsWithoutAnEnd) {
  ToySystem system({{{Op::kWrite, 0}, {Op::kAgain, 0}}, {{Op::kGive, 0}}});
  const Exploration found = search(system, {.executions = 5});
  EXPECT_EQ(found.stop, Stop::kComplete);
  EXPECT_EQ(found.counts.in_turns, 0u);
  EXPECT_EQ(found.counts.abandoned, 5u);
  EXPECT_FALSE(found.counts.coverage.is_complete);
}

// It has a fingerprint of each state at hand, as who keeps hashes has.
class HashedToy final : public SystemWrapper {
 public:
  using SystemWrapper::SystemWrapper;
  std::optional<HashedStates> hashed_states() const override { return HashedStates{.hash_bits = 128}; }
};

// Without further delays each execution is the same, but for how long it goes round.
TEST(FrontierSamples, GiveUpExecutionsThatGoRoundWhenThatIsKnown) {
  const std::vector<toy::Operation> alphabet = {
      {Op::kWrite, 0}, {Op::kWrite, 1}, {Op::kRequire, 0}, {Op::kRequire, 1}, {Op::kAgain, 0}};
  std::uint64_t ended = 0, given_up = 0, steps = 0, steps_before = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Random random(seed);
    const Program program = toy::random_program(random, alphabet, 3, 4);
    const Asked asked = {.explorer = seed % 2 == 0 ? "rr" : "rtc", .seed = seed, .executions = 100};
    ToySystem plain(program), wrapped(program);
    HashedToy hashed(wrapped);
    const Exploration before = search(plain, asked), found = search(hashed, asked);
    EXPECT_EQ(found.counts.in_turns, before.counts.in_turns) << seed;
    EXPECT_EQ(found.counts.abandoned, before.counts.abandoned) << seed;
    EXPECT_EQ(found.counts.erroneous, before.counts.erroneous) << seed;
    EXPECT_EQ(keys_of(found.bugs), keys_of(before.bugs)) << seed;
    EXPECT_LE(found.counts.events, before.counts.events) << seed;
    ended += found.counts.in_turns;
    given_up += found.counts.abandoned;
    steps += found.counts.events;
    steps_before += before.counts.events;
  }
  EXPECT_GT(ended, 500u);
  EXPECT_GT(given_up, 500u);
  EXPECT_LT(steps, steps_before / 5);
}

}  // namespace
}  // namespace ravel
