// Searches by states against the naive reference explorers of tests/toy, on all small programs and on seeded
// larger ones, with and without an end.
#include "states/state_search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/random.h"
#include "engine/system_wrapper.h"
#include "tests/states/toy_searches.h"
#include "tests/toy/message_system.h"
#include "tests/toy/programs.h"
#include "tests/toy/reference.h"

namespace ravel {
namespace {

using toy::Act;
using toy::MessageSystem;
using toy::Op;
using toy::Program;
using toy::ReferenceStates;
using toy::ToySystem;

const std::vector<toy::Operation> kAlphabet = {
    {Op::kWrite, 0}, {Op::kGive, 0}, {Op::kTake, 0}, {Op::kGive, 1}, {Op::kTake, 1}};
// Each of these may begin anew, so that executions have no end; some have infinitely many states.
const std::vector<toy::Operation> kEndlessAlphabet = {{Op::kWrite, 0}, {Op::kGive, 0},    {Op::kTake, 0},
                                                      {Op::kAgain, 0}, {Op::kTake, 1},    {Op::kGive, 1},
                                                      {Op::kAgain, 0}, {Op::kRequire, 0}, {Op::kEnd, 0}};

class Ears final : public Listener {
 public:
  void on_progress(const Counts& counts) override { progress.push_back(counts); }
  void on_bug(const FoundBug& bug) override { bugs.push_back(bug); }
  bool ends_search() override { return ++ends >= ends_max; }

  std::vector<Counts> progress;
  std::vector<FoundBug> bugs;
  std::size_t ends = 0, ends_max = ~std::size_t{0};
};

Exploration search(System& system, StateOrder order, AfterBug after_bug = AfterBug::kKeepGoing,
                   const Surroundings& surroundings = {}) {
  SteadyClock clock;
  Limits limits;
  limits.after_bug = after_bug;
  return StateSearch(system, order, limits, clock, surroundings).run();
}

void expect_shows(System& system, const FoundBug& found) {
  EXPECT_EQ(toy::count_preemptions(system, found.schedule), found.preemptions);
  ASSERT_EQ(system.outcome(), Outcome::kBug);
  EXPECT_EQ(system.bug().key(), found.bug.key());
}

std::set<std::string> keys_of(const std::map<std::string, std::size_t>& bugs) {
  std::set<std::string> keys;
  for (const auto& [key, events] : bugs) keys.insert(key);
  return keys;
}

void check_keeping_going(System& system, const ReferenceStates& all, StateOrder order) {
  const Exploration found = search(system, order);
  const Counts& counts = found.counts;
  ASSERT_TRUE(counts.states);
  EXPECT_EQ(found.stop, Stop::kComplete);
  EXPECT_EQ(counts.states->states, all.states);
  EXPECT_EQ(counts.states->transitions, all.transitions);
  EXPECT_GE(counts.states->bytes, all.states);
  EXPECT_EQ(counts.executions, all.ends);
  EXPECT_EQ(keys_of(found.bugs), keys_of(all.bugs));
  EXPECT_EQ(counts.bugs, all.bugs.size());
  EXPECT_GE(counts.erroneous, all.bugs.size());
  EXPECT_EQ(counts.coverage.unit, CoverageUnit::kStates);
  EXPECT_TRUE(counts.coverage.is_complete);
  for (const FoundBug& bug : found.bugs) expect_shows(system, bug);
  if (order == StateOrder::kDepthFirst) {
    EXPECT_GE(counts.states->depth, all.depth);
    EXPECT_THAT(counts.coverage.bounds, testing::IsEmpty());
    return;
  }
  EXPECT_EQ(counts.states->depth, all.depth);
  for (const FoundBug& bug : found.bugs) EXPECT_EQ(bug.schedule.size(), all.bugs.at(bug.bug.key()));
  ASSERT_NE(counts.coverage.bound(BoundOn::kEvents), nullptr);
  EXPECT_TRUE(counts.coverage.bound(BoundOn::kEvents)->is_exhausted);
  EXPECT_EQ(counts.coverage.completed(BoundOn::kEvents), all.depth);
}

void check_stopping(System& system, const ReferenceStates& all, StateOrder order) {
  const Exploration found = search(system, order, AfterBug::kStop);
  const Counts& counts = found.counts;
  EXPECT_EQ(found.stop, all.bugs.empty() ? Stop::kComplete : Stop::kFirstBug);
  EXPECT_EQ(counts.coverage.is_complete, all.bugs.empty());
  ASSERT_EQ(found.bugs.size(), all.bugs.empty() ? 0 : 1);
  EXPECT_LE(counts.states->states, all.states);
  EXPECT_LE(counts.states->transitions, all.transitions);
  if (all.bugs.empty()) return;
  expect_shows(system, found.bugs.front());
  EXPECT_TRUE(all.bugs.contains(found.bugs.front().bug.key()));
  if (order == StateOrder::kDepthFirst) return;
  std::size_t fewest = ~std::size_t{0};
  for (const auto& [key, events] : all.bugs) fewest = std::min(fewest, events);
  EXPECT_EQ(found.bugs.front().schedule.size(), fewest);
  // None with fewer events: all of those were tried.
  const Bound* const bound = counts.coverage.bound(BoundOn::kEvents);
  ASSERT_NE(bound, nullptr);
  EXPECT_FALSE(bound->is_exhausted);
  EXPECT_EQ(bound->completed, fewest == 0 ? std::nullopt : std::optional<std::uint32_t>(fewest - 1));
}

std::uint64_t states_of_all = 0, states_of_reduced = 0;

// Counts the states in which nothing can move.
class EndCounter final : public SystemWrapper {
 public:
  using SystemWrapper::SystemWrapper;

  std::optional<MetState> number_state() override {
    const std::optional<MetState> met = SystemWrapper::number_state();
    if (met && met->is_new && outcome() != Outcome::kRunning) ++ends;
    return met;
  }

  std::uint64_t ends = 0;
};

Exploration search_reduced(System& system) {
  SteadyClock clock;
  Limits limits;
  limits.after_bug = AfterBug::kKeepGoing;
  StateSearch search(system, StateOrder::kDepthFirst, limits, clock);
  search.reduce();
  return search.run();
}

// Every end and every bug, with at most as many states.
void check_reduced(System& system, std::uint64_t ends, const ReferenceStates& all) {
  SCOPED_TRACE("reduced");
  EndCounter counter(system);
  const Exploration found = search_reduced(counter);
  const Counts& counts = found.counts;
  EXPECT_EQ(counter.ends, ends);
  EXPECT_EQ(found.stop, Stop::kComplete);
  EXPECT_LE(counts.states->states, all.states);
  EXPECT_LE(counts.states->transitions, all.transitions);
  EXPECT_EQ(keys_of(found.bugs), keys_of(all.bugs));
  EXPECT_TRUE(counts.coverage.is_complete);
  for (const FoundBug& bug : found.bugs) expect_shows(system, bug);
  states_of_all += all.states;
  states_of_reduced += counts.states->states;
}

// On a new system for each search: the numbers of another one's states say nothing.
template <class AnySystem, class AnyProgram>
std::optional<ReferenceStates> check_all(const AnyProgram& program, std::size_t states_max = 5'000) {
  SCOPED_TRACE(to_string(program));
  AnySystem reference(program);
  const auto all = toy::all_states(
      reference, [&] { return reference.state_text(); }, states_max);
  if (!all) return all;
  for (const StateOrder order : kOrders) {
    SCOPED_TRACE(order == StateOrder::kDepthFirst ? "depth first" : "breadth first");
    AnySystem one(program), other(program);
    check_keeping_going(one, *all, order);
    check_stopping(other, *all, order);
  }
  AnySystem whole(program), reduced(program);
  EndCounter counter(whole);
  search(counter, StateOrder::kDepthFirst);
  check_reduced(reduced, counter.ends, *all);
  return all;
}

// The same bugs as exhaustive search of executions.
template <class AnySystem, class AnyProgram>
void check_with_executions(const AnyProgram& program) {
  const std::optional<ReferenceStates> all = check_all<AnySystem>(program);
  ASSERT_TRUE(all);
  AnySystem system(program);
  std::map<std::string, std::size_t> bugs;
  for (const auto& execution : toy::all_executions(system)) {
    if (execution.outcome != Outcome::kBug) continue;
    auto [place, is_new] = bugs.try_emplace(execution.bug, execution.schedule.size());
    place->second = std::min(place->second, execution.schedule.size());
  }
  EXPECT_EQ(bugs, all->bugs) << to_string(program);
}

TEST(StateSearch, AgreesWithTheReferencesOnAllProgramsOfThreeActorsAndTwoOperations) {
  for (const Program& program : toy::all_programs(toy::all_sequences(kAlphabet, 2), 3)) {
    check_with_executions<ToySystem>(program);
    if (HasFailure()) return;
  }
}

TEST(StateSearch, AgreesWithTheReferencesOnRandomProgramsOfChoicesAndRequirements) {
  for (std::uint64_t seed = 0; seed < 2'000; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    check_with_executions<ToySystem>(toy::random_program(random, kRichAlphabet, 3, 2));
    check_all<ToySystem>(toy::random_program(random, kRichAlphabet, 3, 4));
    if (HasFailure()) return;
  }
}

TEST(StateSearch, EndsAlsoWhereExecutionsDoNot) {
  std::size_t finite = 0, with_bugs = 0, without = 0;
  for (std::uint64_t seed = 0; seed < 4'000; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    const auto all = check_all<ToySystem>(toy::random_program(random, kEndlessAlphabet, 3, 4), 300);
    if (HasFailure()) return;
    if (!all) continue;
    ++finite;
    ++(all->bugs.empty() ? without : with_bugs);
  }
  EXPECT_GT(finite, 1'000u);
  EXPECT_GT(with_bugs, 100u);
  EXPECT_GT(without, 100u);
}

TEST(StateSearch, AgreesWithTheReferencesOnRandomProgramsOfMessagesAndLocks) {
  const std::vector<std::vector<Act>> alphabets = {
      {Act::kRead, Act::kWrite, Act::kAdd, Act::kBranch, Act::kClaim, Act::kWriteTwo, Act::kChoose},
      {Act::kSend, Act::kSendTwo, Act::kReceive, Act::kReceiveOr, Act::kWrite},
      {Act::kSend, Act::kSendFirst, Act::kSendMixed, Act::kReceive, Act::kReceiveOr, Act::kStopSending},
      {Act::kLock, Act::kUnlock, Act::kPost, Act::kTake, Act::kTryLock, Act::kAdd},
      {Act::kSend, Act::kReceive, Act::kReceiveOr, Act::kKill, Act::kSpawn, Act::kCancel, Act::kStop},
  };
  std::size_t with_bugs = 0;
  for (const std::vector<Act>& acts : alphabets) {
    for (std::uint64_t seed = 0; seed < 600; ++seed) {
      SCOPED_TRACE("seed " + std::to_string(seed));
      Random random(seed);
      check_with_executions<MessageSystem>(toy::random_message_program(random, acts, 3, 2));
      const auto all = check_all<MessageSystem>(toy::random_message_program(random, acts, 3, 3));
      with_bugs += all->bugs.empty() ? 0 : 1;
      if (HasFailure()) return;
    }
  }
  EXPECT_GT(with_bugs, 500u);
  std::fprintf(stderr, "%zu %zu\n", states_of_all, states_of_reduced);
}

// The actor that is kept from moving never does anything that could conflict.
TEST(StateSearch, ReducedKnowsWhomAStepKeepsFromMoving) {
  for (const std::uint32_t other : {0u, 1u}) {
    std::vector<std::vector<toy::Action>> program(2);
    program[other] = {{.act = Act::kWrite, .object = 1, .value = 2}};
    program[1 - other] = {{.act = Act::kCancel, .object = other, .value = 0}};
    const auto all = check_all<MessageSystem>(program);
    ASSERT_TRUE(all);
    EXPECT_EQ(all->ends, 2u);
  }
}

// Three actors that write for ever: each is before its first operation or its second one.
const Program kEndless(3, {{Op::kWrite, 0}, {Op::kAgain, 0}});

TEST(StateSearch, CountsTheStatesOfProductsExactly) {
  for (const StateOrder order : kOrders) {
    ToySystem endless(kEndless);
    const Counts counts = search(endless, order).counts;
    EXPECT_EQ(counts.states->states, 8u);
    EXPECT_EQ(counts.states->transitions, 24u);
    EXPECT_EQ(counts.executions, 0u);  // none has an end
    const std::vector<toy::Operation> writes(4, {Op::kWrite, 0});
    ToySystem straight({writes, writes, writes, writes});
    const Counts others = search(straight, order).counts;
    EXPECT_EQ(others.states->states, 625u);
    EXPECT_EQ(others.states->transitions, 4u * 4 * 125);
    EXPECT_EQ(others.states->depth, 16u);
    EXPECT_EQ(others.executions, 1u);
  }
}

TEST(StateSearch, TellsABugOfTheInitialState) {
  for (const StateOrder order : kOrders) {
    ToySystem system({{{Op::kTake, 0}}});
    const Exploration found = search(system, order, AfterBug::kStop);
    EXPECT_EQ(found.stop, Stop::kFirstBug);
    ASSERT_EQ(found.bugs.size(), 1u);
    EXPECT_TRUE(found.bugs.front().schedule.empty());
    EXPECT_EQ(found.counts.states->states, 1u);
    EXPECT_EQ(found.counts.states->transitions, 0u);
    EXPECT_EQ(found.counts.coverage.completed(BoundOn::kEvents), std::nullopt);
  }
}

TEST(StateSearch, StopsAtARefusal) {
  for (const StateOrder order : kOrders) {
    ToySystem system({{{Op::kWrite, 0}, {Op::kRefuse, 0}}, {{Op::kWrite, 0}}});
    const Exploration found = search(system, order);
    EXPECT_EQ(found.stop, Stop::kUnsupported);
    ASSERT_TRUE(found.refusal);
    EXPECT_EQ(found.refusal->message, "refuse is not supported");
    EXPECT_FALSE(found.counts.coverage.is_complete);
  }
}

// ---- What ends a search early

void expect_incomplete(const Exploration& found, Stop stop) {
  EXPECT_EQ(found.stop, stop);
  EXPECT_FALSE(found.counts.coverage.is_complete);
  EXPECT_LT(found.counts.states->states, 10'000u);
  EXPECT_GE(found.counts.states->states, 1u);
  if (const Bound* const bound = found.counts.coverage.bound(BoundOn::kEvents)) {
    EXPECT_FALSE(bound->is_exhausted);
  }
}

TEST(StateSearch, EndsWhenItIsInterrupted) {
  for (const StateOrder order : kOrders) {
    ToySystem system(kLarge);
    const std::atomic<bool> interrupt = true;
    const Exploration found = search(system, order, AfterBug::kStop, {.interrupt = &interrupt});
    expect_incomplete(found, Stop::kInterrupted);
    EXPECT_EQ(found.counts.states->states, 1u);
  }
}

TEST(StateSearch, EndsWhenTheListenerSaysSo) {
  for (const StateOrder order : kOrders) {
    ToySystem system({{{Op::kChoose, 0}, {Op::kEnd, 0}}, {{Op::kWrite, 0}, {Op::kWrite, 0}}});
    Ears ears;
    ears.ends_max = 2;
    const Exploration found = search(system, order, AfterBug::kStop, {.listener = &ears});
    expect_incomplete(found, Stop::kInterrupted);
    EXPECT_EQ(found.counts.executions, 2u);
  }
}

TEST(StateSearch, EndsWhenABudgetIsUsedUp) {
  for (const StateOrder order : kOrders) {
    TickingClock clock;
    ToySystem timed(kLarge);
    Limits limits;
    limits.seconds = 10;
    const Exploration found = StateSearch(timed, order, limits, clock).run();
    expect_incomplete(found, Stop::kTimeBudget);
    EXPECT_GT(found.counts.states->transitions, 1'000u);

    ToySystem large(kLarge);
    SteadyClock steady;
    Limits small;
    small.memory = 1'000;
    const auto held_memory = [](std::uint64_t bytes) { return bytes + 1; };
    expect_incomplete(StateSearch(large, order, small, steady, {.held_memory = held_memory}).run(),
                      Stop::kMemoryBudget);

    // Nearly every state has a way to the end.
    Program ends = kLarge;
    for (auto& actor : ends) actor.push_back({Op::kEnd, 0});
    ToySystem ending(ends);
    Limits few;
    few.executions = 3;
    const Exploration third = StateSearch(ending, order, few, steady).run();
    EXPECT_EQ(third.stop, Stop::kExecutionBudget);
    EXPECT_FALSE(third.counts.coverage.is_complete);
    EXPECT_GE(third.counts.executions, 3u);
  }
}

TEST(StateSearch, WithBudgetsSaysUpToHowManyEventsItGot) {
  for (std::uint32_t seconds = 2; seconds < 60; seconds += 3) {
    TickingClock clock;
    ToySystem system(kLarge);
    Limits limits;
    limits.seconds = seconds;
    const Exploration found = StateSearch(system, StateOrder::kBreadthFirst, limits, clock).run();
    if (found.stop == Stop::kComplete) break;
    // There are as many states within so many events, and within one more.
    const auto within = [](std::uint32_t events) {
      std::size_t states = 0;
      for (std::uint32_t i = 0; i < 10'000; ++i)
        states += i % 10 + i / 10 % 10 + i / 100 % 10 + i / 1000 <= events ? 1 : 0;
      return states;
    };
    const std::uint32_t completed = *found.counts.coverage.completed(BoundOn::kEvents);
    EXPECT_GE(found.counts.states->states, within(completed));
    EXPECT_LE(found.counts.states->states, within(completed + 1));
  }
}

TEST(StateSearch, EndsWhenAStateHasNoNumber) {
  class Full final : public SystemWrapper {
   public:
    using SystemWrapper::SystemWrapper;
    std::optional<MetState> number_state() override {
      const std::optional<MetState> met = SystemWrapper::number_state();
      return met && static_cast<std::uint32_t>(met->number) < 40 ? met : std::nullopt;
    }
  };
  for (const StateOrder order : kOrders) {
    ToySystem system(kLarge);
    Full full(system);
    const Exploration found = search(full, order);
    expect_incomplete(found, Stop::kMemoryBudget);
    EXPECT_EQ(found.counts.states->states, 40u);
    EXPECT_THAT(found.bugs, testing::IsEmpty());
  }
}

TEST(StateSearch, TellsItsListenerOfProgressAndOfBugs) {
  for (const StateOrder order : kOrders) {
    Program program = kLarge;
    program[2].push_back({Op::kRequire, 0});
    ToySystem system(program);
    Ears ears;
    const Exploration found = search(system, order, AfterBug::kKeepGoing, {.listener = &ears});
    ASSERT_GT(ears.progress.size(), 2u);
    std::uint64_t states = 0;
    for (const Counts& counts : ears.progress) {
      ASSERT_TRUE(counts.states);
      EXPECT_GE(counts.states->states, states);
      states = counts.states->states;
    }
    EXPECT_GT(states, 1'000u);
    ASSERT_FALSE(ears.bugs.empty());
    ASSERT_EQ(found.bugs.size(), 1u);
    EXPECT_EQ(ears.bugs.back().schedule, found.bugs.front().schedule);
    EXPECT_EQ(ears.bugs.back().preemptions, found.bugs.front().preemptions);
  }
}

// ---- What a System may ask for

// Whether an end is a bug depends on the way to it, which is known only from the initial state on.
class JudgedByExecution final : public SystemWrapper {
 public:
  using SystemWrapper::SystemWrapper;
  void reset() override {
    SystemWrapper::reset();
    is_known_ = true;
    taken_.clear();
  }
  Event step(const Transition& transition) override {
    taken_.push_back(transition.actor);
    return SystemWrapper::step(transition);
  }
  void go_to(StateNumber state) override {
    SystemWrapper::go_to(state);
    is_known_ = false;
    taken_.clear();
  }
  bool is_judged_by_execution() const override {
    return SystemWrapper::outcome() == Outcome::kFinished && !is_known_;
  }
  Outcome outcome() const override {
    const Outcome outcome = SystemWrapper::outcome();
    return outcome == Outcome::kFinished && is_known_ && taken_.size() == 4 ? Outcome::kBug : outcome;
  }
  Bug bug() const override {
    EXPECT_TRUE(is_known_);
    return {.kind = "judged", .message = "four steps", .file = {}, .line = 0, .actor = {}, .details = {}};
  }

 private:
  bool is_known_ = true;
  std::vector<ActorId> taken_;
};

TEST(StateSearch, JudgesByTheExecutionWhereTheSystemAsksForIt) {
  for (const StateOrder order : kOrders) {
    const std::vector<toy::Operation> writes(2, {Op::kWrite, 0});
    ToySystem system({writes, writes});
    JudgedByExecution judged(system);
    const Exploration found = search(judged, order);
    EXPECT_EQ(found.stop, Stop::kComplete);
    EXPECT_EQ(found.counts.states->states, 9u);
    ASSERT_EQ(found.bugs.size(), 1u);
    EXPECT_EQ(found.bugs.front().bug.kind, "judged");
    EXPECT_EQ(found.bugs.front().schedule.size(), 4u);
  }
}

TEST(StateSearch, TranslatesTheSchedulesThatItTells) {
  for (const StateOrder order : kOrders) {
    ToySystem system({{{Op::kRequire, 0}}, {{Op::kWrite, 0}}});
    const auto backwards = [&](std::span<const Transition> schedule) {
      system.reset();  // which a translation may do
      StateSearch::Told told{.schedule = {schedule.rbegin(), schedule.rend()}, .bug = {}};
      told.bug.kind = "told";
      return std::optional(told);
    };
    SteadyClock clock;
    Limits limits;
    limits.after_bug = AfterBug::kKeepGoing;
    Ears ears;
    const Exploration found = StateSearch(system, order, limits, clock, {.listener = &ears}, backwards).run();
    EXPECT_EQ(found.stop, Stop::kComplete);
    ASSERT_EQ(found.bugs.size(), 1u);
    EXPECT_EQ(found.bugs.front().bug.kind, "told");
    EXPECT_EQ(ears.bugs.back().bug.kind, "told");
    EXPECT_EQ(ears.bugs.back().schedule, found.bugs.front().schedule);
    EXPECT_EQ(found.counts.states->transitions, 4u - 1);
  }
}

TEST(StateSearch, IsRefusedWhereABugCannotBeTold) {
  for (const StateOrder order : kOrders) {
    ToySystem system({{{Op::kRequire, 0}}, {{Op::kWrite, 0}}});
    const auto nothing = [](std::span<const Transition>) { return std::optional<StateSearch::Told>(); };
    SteadyClock clock;
    Ears ears;
    const Exploration found = StateSearch(system, order, {}, clock, {.listener = &ears}, nothing).run();
    EXPECT_EQ(found.stop, Stop::kUnsupported);
    EXPECT_FALSE(found.counts.coverage.is_complete);
    ASSERT_TRUE(found.refusal);
    EXPECT_THAT(found.refusal->message, testing::HasSubstr("orders pids or references"));
    EXPECT_THAT(ears.bugs, testing::IsEmpty());
    EXPECT_THAT(found.bugs, testing::IsEmpty());  // its schedule is of another System
  }
}

// What a search by states takes for granted: a state tells all that can happen.
TEST(StateSearch, RefusesToGoOnInAProgramThatIsNotUnderControl) {
  class Forgetful final : public SystemWrapper {
   public:
    using SystemWrapper::SystemWrapper;
    std::span<const Transition> enabled() override {
      const auto all = SystemWrapper::enabled();
      return has_gone_ && all.size() > 1 ? all.first(1) : all;
    }
    void go_to(StateNumber state) override {
      SystemWrapper::go_to(state);
      has_gone_ = true;
    }

   private:
    bool has_gone_ = false;
  };
  ToySystem system(kLarge);
  Forgetful forgetful(system);
  EXPECT_DEATH(search(forgetful, StateOrder::kDepthFirst), "not do the same thing twice");
}

}  // namespace
}  // namespace ravel
