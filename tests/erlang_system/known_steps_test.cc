// Searches by states that remember what steps do, against the same ones that take every step: with states,
// with hashes of them, and in pieces, as several processes have them.
#include <gtest/gtest.h>

#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/bug_ledger.h"
#include "engine/system_wrapper.h"
#include "states/shared_states.h"
#include "states/state_search.h"
#include "tests/erlang_system/ways.h"

namespace ravel::erlang {
namespace {

struct Found {
  Exploration exploration;
  std::uint64_t repeated = 0;
  bool still_remembers = false;
};

std::unique_ptr<ErlangSystem> start(Program& program, const std::string& function, ErlangOptions options) {
  options.machine.recurring = true;
  auto system = ErlangSystem::start(program, *TestName::parse("known_steps:" + function), options);
  EXPECT_TRUE(system.ok()) << system.error().message;
  return std::move(*system);
}

// A search asks for the time after every so many transitions, so this one ends after as many.
class Counter final : public Clock {
 public:
  double seconds() override { return now_ += 1; }

 private:
  double now_ = 0;
};

// About so many transitions, since some programs have very many.
Limits limits() {
  constexpr double kTransitionsMax = 60'000;
  Limits limits;
  limits.after_bug = AfterBug::kKeepGoing;
  limits.seconds = kTransitionsMax / 128;
  return limits;
}

Found search(Program& program, const std::string& function, ErlangOptions options, StateOrder order,
             bool remembers) {
  options.remembers_steps = remembers;
  const auto system = start(program, function, options);
  Counter clock;
  StateSearch search(*system, order, limits(), clock);
  search.repeat_steps(*system);
  Found found{.exploration = search.run()};
  found.repeated = search.repeated_steps();
  found.still_remembers = system->remembers_steps();
  return found;
}

void expect_same(const Exploration& one, const Exploration& other) {
  EXPECT_EQ(one.stop, other.stop);
  EXPECT_EQ(one.counts.states->states, other.counts.states->states);
  EXPECT_EQ(one.counts.states->transitions, other.counts.states->transitions);
  EXPECT_EQ(one.counts.states->depth, other.counts.states->depth);
  EXPECT_EQ(one.counts.executions, other.counts.executions);
  EXPECT_TRUE(one.position == other.position);  // by which step each state was found
  ASSERT_EQ(one.bugs.size(), other.bugs.size());
  for (std::size_t i = 0; i < one.bugs.size(); ++i) {
    EXPECT_EQ(one.bugs[i].bug, other.bugs[i].bug);
    EXPECT_EQ(one.bugs[i].schedule, other.bugs[i].schedule);
  }
}

// By each way of the steps and of time, in each order.
template <class Visit>
void for_each_way(Visit visit) {
  for (const Steps steps : {Steps::kOperations, Steps::kReceives})
    for (const StateOrder order : {StateOrder::kDepthFirst, StateOrder::kBreadthFirst})
      for (const TimePolicy time : {TimePolicy::kIdle, TimePolicy::kAny}) {
        SCOPED_TRACE(std::string(steps == Steps::kReceives ? "receives" : "operations") +
                     (order == StateOrder::kDepthFirst ? ", depth first" : ", breadth first") +
                     (time == TimePolicy::kIdle ? ", idle" : ", any"));
        ErlangOptions options{.properties = {},
                              .machine = {.time = time, .ends = Ends::kAtomic, .steps = steps}};
        if (time == TimePolicy::kIdle) options.machine.clocks = Clocks::kVirtual;
        visit(options, order);
      }
}

// Programs in which few steps are known: where processes are born, or time has a part in it.
bool is_known_seldom(const std::string& name) {
  return name == "children" || name == "tables" || name == "own_mailbox" || name == "never_again";
}

class KnownStepsOf : public testing::TestWithParam<const char*> {};

TEST_P(KnownStepsOf, LeadWhereTheyLeadWhenTheyAreTaken) {
  const auto program = open_program({project_file("tests/erlang_system/programs/known_steps.erl")});
  const std::string name = GetParam();
  if (name == "priority") allow_priority_messages();
  std::uint64_t repeated = 0, transitions = 0;
  for_each_way([&](const ErlangOptions& options, StateOrder order) {
    const Found known = search(*program, name, options, order, true);
    const Found taken = search(*program, name, options, order, false);
    expect_same(known.exploration, taken.exploration);
    EXPECT_EQ(taken.repeated, 0);
    const bool goes_deep = order == StateOrder::kDepthFirst;
    EXPECT_EQ(known.still_remembers, name != "never_again" || !goes_deep);
    repeated += known.repeated;
    transitions += known.exploration.counts.states->transitions;
  });
  EXPECT_GT(repeated * (is_known_seldom(name) ? 100 : 3), transitions) << repeated << " of " << transitions;
}

// How visited states are kept, and how much is remembered of steps.
struct Keeping {
  StateStorage visited;
  std::uint64_t step_memory_max = ErlangOptions().step_memory_max;
  std::size_t store_words = Store::kDefaultWords;  // between two collections
};

TEST_P(KnownStepsOf, LeadThereWhereHashesAreKept) {
  const auto program = open_program({project_file("tests/erlang_system/programs/known_steps.erl")});
  const std::string name = GetParam();
  if (name == "priority") allow_priority_messages();
  // The store is collected at each state, unless so many are kept.
  const std::size_t few_words = name == "never_again" ? Store::kDefaultWords : 0;
  std::uint64_t repeated = 0, transitions = 0, repeated_anew = 0;
  for_each_way([&](ErlangOptions options, StateOrder order) {
    const Found exact = search(*program, name, options, order, false);
    // Of the last two, what is known is forgotten again and again.
    for (const Keeping& keeping :
         {Keeping{.visited = {.hash_bits = 64}},
          Keeping{.visited = {.hash_bits = 128}, .store_words = few_words},
          Keeping{.visited = {.filter_bytes = std::uint64_t{1} << 23}},
          Keeping{.visited = {.hash_bits = 128}, .step_memory_max = 0},
          Keeping{.visited = {.hash_bits = 64}, .step_memory_max = 0, .store_words = few_words}}) {
      options.visited = keeping.visited;
      options.step_memory_max = keeping.step_memory_max;
      options.machine.store_words = keeping.store_words;
      const Found known = search(*program, name, options, order, true);
      expect_same(known.exploration, exact.exploration);
      if (keeping.step_memory_max == 0) {
        repeated_anew += known.repeated;
      } else {
        EXPECT_EQ(known.still_remembers, name != "never_again" || order == StateOrder::kBreadthFirst);
        repeated += known.repeated;
        transitions += known.exploration.counts.states->transitions;
      }
    }
  });
  EXPECT_GT(repeated * (is_known_seldom(name) ? 100 : 3), transitions) << repeated << " of " << transitions;
  EXPECT_LT(repeated_anew * 5, repeated * 3);  // two searches instead of three
}

// The states of one process that gives pieces to itself, as processes give them to each other.
Found search_in_pieces(ErlangSystem& system, SharedStates& states, bool by_levels) {
  Counter clock;
  StateSearch search(system, StateOrder::kBreadthFirst, limits(), clock);
  std::deque<StatePiece> waiting;
  const auto attend = [&] {
    if (StatePiece piece = search.give(); !piece.nodes.empty()) waiting.push_back(std::move(piece));
  };
  search.share({.states = &states, .attend = attend, .by_levels = by_levels});
  search.repeat_steps(system);
  Exploration so_far;
  for (std::uint32_t distance = 1; distance == 1 || search.part().has_rest(); ++distance) {
    if (by_levels) search.part().limit_distance(distance);
    so_far = search.go_on();
    for (; !waiting.empty(); waiting.pop_front()) so_far = search.go_on_with(waiting.front());
    if (so_far.stop != Stop::kComplete) break;
  }
  return {.exploration = so_far,
          .repeated = search.repeated_steps(),
          .still_remembers = system.remembers_steps()};
}

TEST_P(KnownStepsOf, LeadThereInPieces) {
  const auto program = open_program({project_file("tests/erlang_system/programs/known_steps.erl")});
  const std::string name = GetParam();
  if (name == "priority") allow_priority_messages();
  std::uint64_t repeated = 0, transitions = 0;
  for_each_way([&](ErlangOptions options, StateOrder order) {
    if (order != StateOrder::kBreadthFirst) return;
    const Exploration exact = search(*program, name, options, order, false).exploration;
    if (exact.stop != Stop::kComplete) return;
    for (const bool by_levels : {false, true}) {
      SharedStates states(1);
      options.visited = {.shared = &states};
      const auto system = start(*program, name, options);
      const Found found = search_in_pieces(*system, states, by_levels);
      const StateCounts& counts = *found.exploration.counts.states;
      EXPECT_EQ(found.exploration.stop, Stop::kComplete);
      EXPECT_EQ(counts.states, exact.counts.states->states);
      EXPECT_EQ(counts.transitions, exact.counts.states->transitions);
      EXPECT_EQ(found.exploration.counts.executions, exact.counts.executions);
      if (by_levels) {
        EXPECT_EQ(counts.depth, exact.counts.states->depth);
      }
      ASSERT_EQ(found.exploration.bugs.size(), exact.bugs.size());
      for (std::size_t i = 0; i < exact.bugs.size(); ++i)
        EXPECT_EQ(found.exploration.bugs[i].bug, exact.bugs[i].bug);
      EXPECT_TRUE(found.still_remembers);
      repeated += found.repeated;
      transitions += counts.transitions;
    }
  });
  if (!is_known_seldom(name)) {
    EXPECT_GT(repeated * 3, transitions) << repeated << " of " << transitions;
  }
}

// Looks for the states that its System comes to among those of another one.
class Compared final : public SystemWrapper {
 public:
  Compared(System& system, SharedStates& own, SharedStates& others)
      : SystemWrapper(system), own_(own), others_(others) {}

  std::optional<MetState> number_state() override {
    const auto met = SystemWrapper::number_state();
    if (met && met->is_new) missing += others_.contains(own_.last()) ? 0 : 1;
    return met;
  }

  std::uint64_t missing = 0;

 private:
  SharedStates& own_;
  SharedStates& others_;
};

// Bit for bit, in whatever order parts were met: hashes are compared between processes.
TEST_P(KnownStepsOf, LeadToTheSameHashes) {
  const auto program = open_program({project_file("tests/erlang_system/programs/known_steps.erl")});
  const std::string name = GetParam();
  if (name == "priority") allow_priority_messages();
  for_each_way([&](ErlangOptions options, StateOrder order) {
    SharedStates one(1), other(1);
    options.visited = {.shared = &one};
    Counter clock;
    const auto system = start(*program, name, options);
    StateSearch known(*system, StateOrder::kBreadthFirst, limits(), clock);
    known.repeat_steps(*system);
    const Exploration found = known.run();
    // Names that are new to a process have numbers in the order in which it meets them.
    const bool meets_names = name == "children" || name == "never_again";
    if (found.stop != Stop::kComplete || (meets_names && order != StateOrder::kBreadthFirst)) return;
    options.visited = {.shared = &other};
    options.remembers_steps = false;
    const auto plain = start(*program, name, options);
    Compared compared(*plain, other, one);
    StateSearch taken(compared, order, limits(), clock);
    EXPECT_EQ(taken.run().stop, Stop::kComplete);
    EXPECT_EQ(compared.missing, 0);
    EXPECT_EQ(other.size(), one.size());
  });
}

INSTANTIATE_TEST_SUITE_P(Programs, KnownStepsOf,
                         testing::Values("selective", "references", "kept_references", "server", "links",
                                         "monitors", "names", "tables", "toggles", "children", "own_mailbox",
                                         "priority", "never_again", "bug"),
                         [](const auto& program) { return std::string(program.param); });

}  // namespace
}  // namespace ravel::erlang
