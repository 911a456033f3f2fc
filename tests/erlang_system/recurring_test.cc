// Names and times that nobody knows any more are forgotten, so that programs without an end have few states;
// and names that somebody has are not given again (machine/free_names.h).
//
// The programs are those of programs/recurring.erl. Those of the first kind look at the text of a name, which
// shows whether it was given before: they fail if it was, or was not, as it must be. The states of those of
// the second kind are counted by hand from their operations: each waits for nobody else's choice, so that its
// states are a line that ends in a circle, unless another process can go on.
#include <gtest/gtest.h>

#include <atomic>
#include <string>

#include "erlang/term/release.h"
#include "states/state_search.h"
#include "tests/erlang_system/ways.h"

namespace ravel::erlang {
namespace {

// More states than any of these programs has.
constexpr std::uint64_t kStatesMax = 20'000;

// Interrupts a search that has no end.
class Guard final : public Listener {
 public:
  void on_progress(const Counts& counts) override { is_enough = counts.states->states > kStatesMax; }

  std::atomic<bool> is_enough = false;
};

class RecurringTest : public testing::Test {
 protected:
  static Program& program() {
    static const auto opened = open_program({project_file("tests/erlang_system/programs/recurring.erl")});
    return *opened;
  }

  static Exploration search(const std::string& function, MachineOptions machine, StateOrder order,
                            const StateStorage& storage = {}) {
    machine.recurring = true;
    if (machine.time == TimePolicy::kIdle) machine.clocks = Clocks::kVirtual;
    const auto system = ErlangSystem::start(
        program(), *TestName::parse("recurring:" + function),
        {.properties = {.normal_reasons = {"shutdown", "killed"}}, .machine = machine, .visited = storage});
    EXPECT_TRUE(system.ok()) << system.error().message;
    SteadyClock clock;
    Guard guard;
    Limits limits;
    limits.after_bug = AfterBug::kKeepGoing;
    return StateSearch(**system, order, limits, clock, {.listener = &guard, .interrupt = &guard.is_enough})
        .run();
  }
};

class NamesThatAreHeld : public RecurringTest, public testing::WithParamInterface<const char*> {};

TEST_P(NamesThatAreHeld, AreNotGivenAgain) {
  for (const Ends ends : {Ends::kAtomic, Ends::kStepwise}) {
    for (const TimePolicy time : {TimePolicy::kIdle, TimePolicy::kDeadlines}) {
      const std::string function = GetParam();
      // Who waits for a process to end by waiting for some time.
      if (time != TimePolicy::kIdle && (function.starts_with("spawn_") || function.starts_with("other_") ||
                                        function.ends_with("reference") || function.ends_with("somebody")))
        continue;
      const Exploration found = search(function, {.time = time, .ends = ends}, StateOrder::kBreadthFirst);
      EXPECT_EQ(found.stop, Stop::kComplete);
      EXPECT_GE(found.counts.executions, 1u);
      for (const FoundBug& one : found.bugs) ADD_FAILURE() << one.bug.message << " " << one.bug.line;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Holders, NamesThatAreHeld,
    testing::Values("nobody", "stack", "dictionary", "key_of_dictionary", "map", "closure", "own_mailbox",
                    "persistent", "other_mailbox", "other_stack", "row", "heir_data", "timer_message",
                    "spawn_argument", "spawn_closure", "exit_reason", "timer", "timer_of_others", "monitor",
                    "alias", "lost_alias", "operand_of_timer", "operand_of_spawn", "operand_of_table",
                    "external", "pid_that_nobody_knows", "pid_that_is_known", "pid_of_the_living",
                    "pid_in_a_table", "pid_that_is_heir", "pid_that_is_linked", "pid_of_a_reference",
                    "parent_of_somebody", "table_that_is_deleted", "table_that_is_known",
                    "tables_and_references", "child_of_the_system"),
    [](const auto& holder) { return std::string(holder.param); });

// ---- Programs without an end

struct Endless {
  const char* function;
  std::uint64_t states, transitions;
  TimePolicy time = TimePolicy::kIdle;
  Ends ends = Ends::kAtomic;
  // How often proc_lib starts a process with a link. From OTP 26 on it monitors that process as well, and
  // takes the monitor away in a step of its own.
  std::uint64_t linked_starts = 0;

  std::uint64_t demonitors() const { return installed_release().number >= 26 ? linked_starts : 0; }

  std::string name() const {
    const char* const when = time == TimePolicy::kAny         ? "_at_any_time"
                             : time == TimePolicy::kDeadlines ? "_by_deadlines"
                                                              : "";
    return function + std::string(when) + (ends == Ends::kStepwise ? "_stepwise" : "");
  }
};

class EndlessPrograms : public RecurringTest, public testing::WithParamInterface<Endless> {};

TEST_P(EndlessPrograms, HaveFewStates) {
  const Endless& endless = GetParam();
  for (const StateOrder order : {StateOrder::kDepthFirst, StateOrder::kBreadthFirst}) {
    const Exploration found = search(endless.function, {.time = endless.time, .ends = endless.ends}, order);
    EXPECT_EQ(found.stop, Stop::kComplete);
    EXPECT_EQ(found.counts.states->states, endless.states + endless.demonitors());
    EXPECT_EQ(found.counts.states->transitions, endless.transitions + endless.demonitors());
    EXPECT_EQ(found.counts.executions, 0u);
    EXPECT_TRUE(found.bugs.empty());
    // The store is collected at each state.
    const Exploration hashed =
        search(endless.function, {.time = endless.time, .ends = endless.ends, .store_words = 0}, order,
               {.hash_bits = order == StateOrder::kDepthFirst ? 64u : 128u});
    EXPECT_EQ(hashed.stop, Stop::kComplete);
    EXPECT_EQ(hashed.counts.states->states, found.counts.states->states);
    EXPECT_EQ(hashed.counts.states->transitions, found.counts.states->transitions);
    EXPECT_EQ(hashed.counts.states->depth, found.counts.states->depth);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, EndlessPrograms,
    testing::Values(
        // Sends, receives.
        Endless{"make_refs", 2, 2},
        // Spawns once; monitors, demonitors.
        Endless{"monitors", 3, 3},
        // Spawns, the child ends, receives.
        Endless{"spawn_monitors", 3, 3},
        // The same; the child tells its parent in a step of its own.
        Endless{"spawn_monitors", 4, 4, TimePolicy::kIdle, Ends::kStepwise},
        // Sets a flag, spawns, the child ends, receives; the flag has another value at first.
        Endless{"links", 5, 5},  //
        Endless{"links", 6, 6, TimePolicy::kIdle, Ends::kStepwise},
        // Makes a table, inserts, deletes it.
        Endless{"tables", 3, 3},
        // Time passes, the timeout fires.
        Endless{"naps", 2, 2},  //
        Endless{"naps", 1, 1, TimePolicy::kAny}, Endless{"naps", 1, 1, TimePolicy::kDeadlines},
        // Sets a timer, time passes, it fires, receives.
        Endless{"ticks", 4, 4},  //
        Endless{"ticks", 3, 3, TimePolicy::kAny}, Endless{"ticks", 3, 3, TimePolicy::kDeadlines},
        // Sets a timer, time passes, the timeout fires, cancels the timer.
        Endless{"cancelled", 4, 4},
        // Spawns once. Due in (100, 300), (0, 200), (100, 200), (0, 100), (100, 100), (0, 0), from where
        // there are two ways back: by (100, 0) or (0, 300).
        Endless{"two_periods", 9, 10}),
    [](const auto& endless) { return endless.param.name(); });

// Of these only the ends are counted by hand: a call is a monitor, a send, a receive, an answer, a receive
// and a demonitor; the rest is how a server is started, or a supervisor and two of its children: the second
// one belongs to the circle, since the supervisor differs before and after its first child.
INSTANTIATE_TEST_SUITE_P(Behaviours, EndlessPrograms,
                         testing::Values(Endless{"calls", 10, 10, TimePolicy::kIdle, Ends::kAtomic, 1},
                                         Endless{"restarts", 39, 42, TimePolicy::kIdle, Ends::kAtomic, 3}),
                         [](const auto& endless) { return endless.param.name(); });

// Who has looked at a clock once knows what time it is, so that no state comes again.
TEST_F(RecurringTest, TimeCountsOnceAClockWasRead) {
  for (const StateOrder order : {StateOrder::kDepthFirst, StateOrder::kBreadthFirst}) {
    const Exploration found = search("clocks", {.time = TimePolicy::kIdle}, order);
    EXPECT_EQ(found.stop, Stop::kInterrupted);
    EXPECT_FALSE(found.counts.coverage.is_complete);
    EXPECT_GT(found.counts.states->states, kStatesMax);
  }
}

}  // namespace
}  // namespace ravel::erlang
