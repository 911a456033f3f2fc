// Searches by states that remember what steps do, against the same ones that take every step.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "states/state_search.h"
#include "tests/erlang_system/ways.h"

namespace ravel::erlang {
namespace {

struct Found {
  Exploration exploration;
  std::uint64_t repeated = 0;
  bool still_remembers = false;
};

// About so many transitions, since some programs have very many.
Found search(Program& program, const std::string& function, ErlangOptions options, StateOrder order,
             bool remembers) {
  constexpr double kTransitionsMax = 60'000;
  // A search asks for the time after every so many transitions, so this one ends after as many.
  class Counter final : public Clock {
   public:
    double seconds() override { return now_ += 1; }

   private:
    double now_ = 0;
  } clock;
  options.machine.recurring = true;
  options.remembers_steps = remembers;
  auto system = ErlangSystem::start(program, *TestName::parse("known_steps:" + function), options);
  EXPECT_TRUE(system.ok()) << system.error().message;
  Limits limits;
  limits.after_bug = AfterBug::kKeepGoing;
  limits.seconds = kTransitionsMax / 128;
  StateSearch search(**system, order, limits, clock);
  search.repeat_steps(**system);
  Found found{.exploration = search.run()};
  found.repeated = search.repeated_steps();
  found.still_remembers = (*system)->remembers_steps();
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

class KnownStepsOf : public testing::TestWithParam<const char*> {};

TEST_P(KnownStepsOf, LeadWhereTheyLeadWhenTheyAreTaken) {
  const auto program = open_program({project_file("tests/erlang_system/programs/known_steps.erl")});
  const std::string name = GetParam();
  if (name == "priority") allow_priority_messages();
  std::uint64_t repeated = 0, transitions = 0;
  for (const Steps steps : {Steps::kOperations, Steps::kReceives})
    for (const StateOrder order : {StateOrder::kDepthFirst, StateOrder::kBreadthFirst})
      for (const TimePolicy time : {TimePolicy::kIdle, TimePolicy::kAny}) {
        SCOPED_TRACE(std::string(steps == Steps::kReceives ? "receives" : "operations") +
                     (order == StateOrder::kDepthFirst ? ", depth first" : ", breadth first") +
                     (time == TimePolicy::kIdle ? ", idle" : ", any"));
        ErlangOptions options{.properties = {},
                              .machine = {.time = time, .ends = Ends::kAtomic, .steps = steps}};
        if (time == TimePolicy::kIdle) options.machine.clocks = Clocks::kVirtual;
        const Found known = search(*program, GetParam(), options, order, true);
        const Found taken = search(*program, GetParam(), options, order, false);
        expect_same(known.exploration, taken.exploration);
        EXPECT_EQ(taken.repeated, 0);
        const bool goes_deep = order == StateOrder::kDepthFirst;
        EXPECT_EQ(known.still_remembers, name != "never_again" || !goes_deep);
        repeated += known.repeated;
        transitions += known.exploration.counts.states->transitions;
      }
  // Where processes are born, or time has a part in it, a few.
  const bool are_few =
      name == "children" || name == "tables" || name == "own_mailbox" || name == "never_again";
  EXPECT_GT(repeated * (are_few ? 100 : 3), transitions) << repeated << " of " << transitions;
}

INSTANTIATE_TEST_SUITE_P(Programs, KnownStepsOf,
                         testing::Values("selective", "references", "kept_references", "server", "links",
                                         "monitors", "names", "tables", "children", "own_mailbox", "priority",
                                         "never_again", "bug"),
                         [](const auto& program) { return std::string(program.param); });

}  // namespace
}  // namespace ravel::erlang
