// Random programs: the promises of a System are kept, and all complete searches come to the same ends.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/contract/contract.h"
#include "tests/p_system/random_programs.h"
#include "tests/p_system/run.h"

namespace ravel::p {
namespace {

std::set<std::string> keys(const Exploration& exploration) {
  std::set<std::string> all;
  for (const FoundBug& found : exploration.bugs) all.insert(found.bug.key());
  return all;
}

TEST(Searches, RandomProgramsKeepTheContract) {
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    Random random(seed);
    const std::string text = random_program(random);
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
    const Opened program = opened(text, "t");
    EXPECT_THAT(contract::broken_promises(*program.system, {.seed = seed, .executions = 6}),
                testing::IsEmpty());
  }
}

TEST(Searches, AllEndsAreFoundByReductionAndByStates) {
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    Random random(seed);
    const std::string text = random_program(random);
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
    const Opened program = opened(text, "t");
    const Searched reduced = search(*program.system, "dpor");
    EXPECT_TRUE(reduced.exploration.counts.coverage.is_complete);
    EXPECT_EQ(reduced.exploration.counts.abandoned, 0);

    const Opened again = opened(text, "t");
    const Searched by_states = search_states(*again.system);
    EXPECT_TRUE(by_states.exploration.counts.coverage.is_complete);
    EXPECT_EQ(keys(reduced.exploration), keys(by_states.exploration));
    EXPECT_EQ(reduced.ends, by_states.ends);
  }
}

// Hashes of so few states are as good as the states; the store is collected again and again.
TEST(Searches, HashesOfStatesAreAsGood) {
  const StateStorage storages[] = {
      {.hash_bits = 64}, {.hash_bits = 128}, {.filter_bytes = std::uint64_t{1} << 23}};
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    Random random(seed);
    const std::string text = random_program(random);
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
    const Opened program = opened(text, "t");
    const Searched exact = search_states(*program.system);
    POptions options;
    options.visited = storages[seed % 3];
    if (seed % 2 == 0) options.words_between_collections = 0;
    const Opened again = opened(text, "t", options);
    const Searched hashed = search_states(*again.system);
    EXPECT_TRUE(hashed.exploration.counts.coverage.is_complete);
    EXPECT_EQ(keys(hashed.exploration), keys(exact.exploration));
    EXPECT_EQ(hashed.ends, exact.ends);
    const Counts &one = hashed.exploration.counts, &other = exact.exploration.counts;
    EXPECT_EQ(one.states->states, other.states->states);
    EXPECT_EQ(one.states->transitions, other.states->transitions);
    EXPECT_EQ(one.states->depth, other.states->depth);
    EXPECT_EQ(one.executions, other.executions);
    EXPECT_TRUE(one.hashed && !other.hashed);
    if (HasFailure()) return;
  }
}

void expect_same(const Searched& one, const Searched& other) {
  EXPECT_EQ(one.exploration.counts.states->states, other.exploration.counts.states->states);
  EXPECT_EQ(one.exploration.counts.states->transitions, other.exploration.counts.states->transitions);
  EXPECT_EQ(one.exploration.counts.states->depth, other.exploration.counts.states->depth);
  EXPECT_EQ(one.exploration.counts.executions, other.exploration.counts.executions);
  EXPECT_EQ(one.ends, other.ends);
  ASSERT_EQ(one.exploration.bugs.size(), other.exploration.bugs.size());
  for (std::size_t i = 0; i < one.exploration.bugs.size(); ++i)
    EXPECT_EQ(one.exploration.bugs[i].schedule, other.exploration.bugs[i].schedule);
}

TEST(Searches, KnownStepsLeadWhereTheyLeadWhenTheyAreTaken) {
  std::uint64_t repeated = 0, transitions = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    for (const Steps steps : {Steps::kOperations, Steps::kHandlers}) {
      Random random(seed);
      const std::string text = random_program(random);
      SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
      POptions options{.steps = steps};
      if (seed % 4 == 0) options.words_between_collections = 0;
      const Opened known = opened(text, "t", options);
      options.remembers_steps = false;
      const Opened taken = opened(text, "t", options);
      const Searched one = search_states(*known.system), other = search_states(*taken.system);
      expect_same(one, other);
      EXPECT_EQ(other.repeated, 0);
      repeated += one.repeated;
      transitions += one.exploration.counts.states->transitions;
      if (HasFailure()) return;
    }
  }
  EXPECT_GT(repeated * 4, transitions) << repeated << " of " << transitions;
}

// The store is collected before each step in a third of the searches; what is known is forgotten again and
// again in a fifth.
TEST(Searches, KnownStepsLeadThereWhereHashesAreKept) {
  const StateStorage storages[] = {
      {.hash_bits = 64}, {.hash_bits = 128}, {.filter_bytes = std::uint64_t{1} << 23}};
  std::uint64_t repeated = 0, transitions = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    for (const Steps steps : {Steps::kOperations, Steps::kHandlers}) {
      Random random(seed);
      const std::string text = random_program(random);
      SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
      POptions options{.steps = steps};
      options.remembers_steps = false;
      const Opened taken = opened(text, "t", options);
      options.remembers_steps = true;
      options.visited = storages[seed / 3 % 3];
      if (seed % 3 == 0) options.words_between_collections = 0;
      if (seed % 5 == 0) options.step_memory_max = 0;
      const Opened known = opened(text, "t", options);
      const Searched one = search_states(*known.system), other = search_states(*taken.system);
      expect_same(one, other);
      if (seed % 5 != 0) {
        repeated += one.repeated;
        transitions += one.exploration.counts.states->transitions;
      }
      if (HasFailure()) return;
    }
  }
  EXPECT_GT(repeated * 4, transitions) << repeated << " of " << transitions;
}

// Bit for bit: hashes are compared between processes.
TEST(Searches, KnownStepsLeadToTheSameHashes) {
  std::uint64_t repeated = 0, walked = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Random random(seed);
    const std::string text = random_program(random);
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
    const Opened program = opened(text, "t", {.visited = {.hash_bits = 128}});
    repeated += search_states(*program.system).repeated;
    // Steps that are taken lead to states that were visited.
    PSystem& system = *program.system;
    for (std::size_t walk = 0; walk < 10; ++walk) {
      system.reset();
      while (!system.enabled().empty()) {
        const Transition taken = system.enabled()[random.below(system.enabled().size())];
        system.step(taken);
        if (system.outcome() != Outcome::kRunning) break;
        ASSERT_FALSE(system.number_state()->is_new);
        ++walked;
      }
    }
  }
  EXPECT_GT(repeated, 10'000);
  EXPECT_GT(walked, 10'000);
}

// Whom a name means is read by who sends: what is known of sending to one kind says nothing of the other.
TEST(Searches, WhatIsKnownOfOneMachineIsNotTakenForAnotherOfTheSameName) {
  const std::string text = R"(event hello; event other;
machine Main {
  start state Init {
    entry {
      var child: machine;
      if ($) child = new Hears(); else child = new Deaf();
      if ($) print "once"; else print "twice";
      send child, hello;
    }
  }
}
machine Hears receives hello; { start state Init { ignore hello; } }
machine Deaf receives other; { start state Init { ignore other; } }
test t [main = Main]: { Main, Hears, Deaf };
)";
  for (const std::uint32_t hash_bits : {0, 128}) {
    const Opened program = opened(text, "t", {.visited = {.hash_bits = hash_bits}});
    const Searched found = search_states(*program.system);
    ASSERT_EQ(found.exploration.bugs.size(), 1);
    EXPECT_EQ(found.exploration.bugs.front().bug.kind, "permission");
    EXPECT_GT(found.exploration.counts.states->states, 10);
  }
}

TEST(Searches, ReducedByStatesTheyFindTheSame) {
  std::uint64_t all = 0, visited = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    for (const Steps steps : {Steps::kOperations, Steps::kHandlers}) {
      Random random(seed);
      const std::string text = random_program(random);
      SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
      const Opened program = opened(text, "t", {.steps = steps}), again = opened(text, "t", {.steps = steps});
      const Searched whole = search_states(*program.system), reduced = search_states_reduced(*again.system);
      EXPECT_TRUE(reduced.exploration.counts.coverage.is_complete);
      EXPECT_EQ(keys(reduced.exploration), keys(whole.exploration));
      EXPECT_EQ(reduced.ends, whole.ends);
      all += whole.exploration.counts.states->states;
      visited += reduced.exploration.counts.states->states;
    }
  }
  EXPECT_LT(visited * 3, all * 2);
}

// A machine that goes on over its sends is one step: fewer ends, and none that was not there.
TEST(Searches, WholeHandlersAsStepsComeToSomeOfTheEnds) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Random random(seed);
    const std::string text = random_program(random);
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
    const POptions coarse{.steps = Steps::kHandlers};
    const Opened whole = opened(text, "t"), first = opened(text, "t", coarse),
                 second = opened(text, "t", coarse);
    const Searched all = search_states(*whole.system), reduced = search(*first.system, "dpor"),
                   by_states = search_states(*second.system);
    EXPECT_TRUE(reduced.exploration.counts.coverage.is_complete);
    EXPECT_EQ(reduced.ends, by_states.ends);
    EXPECT_EQ(keys(reduced.exploration), keys(by_states.exploration));
    EXPECT_TRUE(std::ranges::includes(all.ends, reduced.ends));
    const Opened tried = opened(text, "t", coarse);
    EXPECT_THAT(contract::broken_promises(*tried.system, {.seed = seed, .executions = 6}),
                testing::IsEmpty());
  }
}

// What a schedule looks like, and the bug that it leads to.
std::vector<std::string> story(PSystem& system, const std::vector<Transition>& schedule) {
  std::vector<std::string> lines;
  system.reset();
  for (const Transition& transition : schedule) {
    system.step(transition);
    const EventDescription told = system.describe_last();
    lines.push_back(told.actor + " " + told.text + " " + std::to_string(told.line));
  }
  const Bug bug = system.bug();
  lines.push_back(bug.key() + " " + bug.actor);
  lines.insert(lines.end(), bug.details.begin(), bug.details.end());
  return lines;
}

TEST(Searches, SchedulesMeanTheSameInAnotherSystem) {
  std::size_t bugs = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Random random(seed);
    const std::string text = random_program(random);
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
    const Opened one = opened(text, "t"), other = opened(text, "t");
    const Exploration found = search(*one.system, "dpor").exploration;
    const std::optional<Exploration> again = find_result(name_result(found, *one.system), *other.system);
    ASSERT_TRUE(again.has_value());
    for (std::size_t i = 0; i < found.bugs.size(); ++i)
      EXPECT_EQ(story(*one.system, found.bugs[i].schedule), story(*other.system, again->bugs[i].schedule));
    bugs += found.bugs.size();
  }
  EXPECT_GT(bugs, 10u);
}

// What is freed too early would be another value soon.
TEST(Searches, CollectionsChangeNothing) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    Random random(seed);
    const std::string text = random_program(random);
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
    const POptions collecting{.words_between_collections = 0};
    const Opened one = opened(text, "t"), other = opened(text, "t", collecting),
                 tried = opened(text, "t", collecting);
    EXPECT_EQ(search(*one.system, "dpor").ends, search(*other.system, "dpor").ends);
    EXPECT_THAT(contract::broken_promises(*tried.system, {.seed = seed, .executions = 4}),
                testing::IsEmpty());
  }
}

TEST(Searches, SnapshotsAndReplayLeadToTheSame) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Random random(seed);
    const std::string text = random_program(random);
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
    const Opened program = opened(text, "t"), other = opened(text, "t");
    const Searched one = search(*program.system, "dpor"), two = search_by_replay(*other.system, "dpor");
    EXPECT_EQ(one.ends, two.ends);
    EXPECT_EQ(keys(one.exploration), keys(two.exploration));
    EXPECT_EQ(one.exploration.counts.executions, two.exploration.counts.executions);
  }
}

}  // namespace
}  // namespace ravel::p
