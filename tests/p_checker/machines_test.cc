#include <gtest/gtest.h>

#include "tests/p_checker/checked.h"

namespace ravel::p {
namespace {

constexpr std::string_view kEvents = "event e; event f: int; event g: (int);\n";

// The machine is line 2.
std::string said_of(std::string_view machine) { return said(std::string(kEvents) + std::string(machine)); }

TEST(States, OneOfThemIsTheFirst) {
  EXPECT_EQ(said_of("machine M { start state A {} state B {} }"), "");
  EXPECT_EQ(said_of("machine M { state A {} }"),
            "t.p:2:9: `M` has no state in which it starts: one must be a `start state`\n");
  EXPECT_EQ(said_of("machine M { start state A {} start state B {} }"),
            "t.p:2:30: `M` already starts in the state `A`\n");
  EXPECT_EQ(said_of("machine M { start state A {} state A {} }"),
            "t.p:2:36: `A` is already declared at t.p:2:25\n");
}

TEST(States, SayOnceWhatTheyDoWithAnEvent) {
  const std::string again = "the state `A` already says what it does with `e`, at ";
  EXPECT_EQ(said_of("machine M { start state A { on e goto A; ignore f; defer g, halt; on null do {} } }"),
            "");
  EXPECT_EQ(said_of("machine M { start state A { on e goto A; on e do {} } }"),
            "t.p:2:45: " + again + "t.p:2:32\n");
  EXPECT_EQ(said_of("machine M { start state A { defer e; ignore e; } }"),
            "t.p:2:45: " + again + "t.p:2:35\n");
  EXPECT_EQ(said_of("machine M { start state A { defer e, e; } }"), "t.p:2:38: " + again + "t.p:2:35\n");
  EXPECT_EQ(said_of("machine M { start state A { entry {} entry {} } }"),
            "t.p:2:38: the state `A` already has an `entry`\n");
  EXPECT_EQ(said_of("machine M { start state A { exit {} exit {} } }"),
            "t.p:2:37: the state `A` already has an `exit`\n");
}

TEST(States, NameWhatIsDeclared) {
  EXPECT_EQ(said_of("machine M { start state A { on h do {} } }"),
            "t.p:2:32: `h` is not declared: no event has that name\n");
  EXPECT_EQ(said_of("machine M { start state A { on e goto B; } }"),
            "t.p:2:39: `B` is not declared: this machine has no such state\n");
  EXPECT_EQ(said_of("machine M { start state A { on e do h; } }"),
            "t.p:2:37: `h` is not declared: no function has that name\n");
  EXPECT_EQ(said_of("machine M { start state A { entry h; exit k; } }"),
            "t.p:2:35: `h` is not declared: no function has that name\n"
            "t.p:2:43: `k` is not declared: no function has that name\n");
}

TEST(Handlers, AreFunctionsOfTheMachine) {
  EXPECT_EQ(said_of("fun h() {} machine M { start state A { entry h; } }"),
            "t.p:2:46: the function `h` is declared outside of machines, and cannot handle events\n");
  EXPECT_EQ(said_of("machine M { fun h(); start state A { entry h; } }"),
            "t.p:2:44: the foreign function `h` cannot handle events\n");
}

TEST(Handlers, TakeAtMostThePayload) {
  EXPECT_EQ(said_of("machine M { start state A { on f do (n: int) {} on e do {} } }"), "");
  EXPECT_EQ(said_of("machine M { start state A { on f do (n: any) {} } }"), "");
  EXPECT_EQ(said_of("machine M { start state A { on f do (n: bool) {} } }"),
            "t.p:2:32: the event `f` carries `int`, but `bool` is needed\n");
  EXPECT_EQ(said_of("machine M { start state A { on e do (n: int) {} } }"),
            "t.p:2:32: the event `e` carries nothing, but `int` is needed\n");
  EXPECT_EQ(said_of("machine M { start state A { on e do h; } fun h(a: int, b: int) {} }"),
            "t.p:2:32: what handles an event takes at most one parameter; this function has 2\n");
  EXPECT_EQ(said_of("machine M { start state A { entry h; } fun h(a: int, b: int) {} }"),
            "t.p:2:25: what `entry` does takes at most one parameter; this function has 2\n");
  EXPECT_EQ(said_of("machine M { start state A { exit h; } fun h(a: int) {} }"),
            "t.p:2:25: what `exit` does takes no parameter; this function has 1\n");
  EXPECT_EQ(said_of("machine M { start state A { exit (n: int) {} } }"),
            "t.p:2:34: what `exit` does takes no parameter\n");
}

TEST(Handlers, OfTransitionsAndTheEntryOfTheTargetTakeThePayload) {
  EXPECT_EQ(
      said_of("machine M { start state A { on f goto B with (n: int) {} } state B { entry (n: int) {} } }"),
      "");
  EXPECT_EQ(said_of("machine M { start state A { on e goto B; } state B { entry (n: int) {} } }"),
            "t.p:2:32: the event `e` carries nothing, but `int` is needed\n");
  EXPECT_EQ(said_of("machine M { start state A { on f goto A with (n: bool) {} } }"),
            "t.p:2:32: the event `f` carries `int`, but `bool` is needed\n");
}

TEST(Handlers, MayTakeTheOnlyPartOfATuple) {
  const CheckedSources result = checked(
      std::string(kEvents) + "machine M { start state A { on g do (n: int) {} on f do (n: int) {} } }");
  ASSERT_TRUE(result.ok()) << result.messages();
  const Program& program = *result.program;
  const State& state = program.state(program.machines[0].start);
  EXPECT_FALSE(state.actions[0].unwraps_payload);
  EXPECT_TRUE(state.actions[1].unwraps_payload);
}

TEST(Handlers, BetweenStatesDoNotLeave) {
  const std::string why = ", and may not use `raise` or `goto`, itself or through what it calls\n";
  EXPECT_EQ(said_of("machine M { start state A { exit { raise e; } } }"),
            "t.p:2:29: this handler is what happens on exit" + why);
  EXPECT_EQ(said_of("machine M { start state A { exit { h(); } } fun h() { k(); } fun k() { goto A; } }"),
            "t.p:2:29: this handler is what happens on exit" + why);
  EXPECT_EQ(said_of("machine M { start state A { on e goto A with h; } fun h() { raise e; } }"),
            "t.p:2:29: the function `h` is what happens between two states" + why);
  EXPECT_EQ(said_of("machine M { start state A { entry { raise e; } on e do { goto A; } } }"), "");
}

TEST(Machines, DeclareNamesOnce) {
  EXPECT_EQ(said_of("machine M { var a: int; var b, a: bool; start state A {} }"),
            "t.p:2:32: `a` is already declared at t.p:2:17\n");
  EXPECT_EQ(said_of("machine M { fun h() {} fun h() {} start state A {} }"),
            "t.p:2:28: `h` is already declared at t.p:2:17\n");
  EXPECT_EQ(said_of("fun h() {} machine M { fun h() {} start state A {} }"), "");
}

TEST(Machines, SayWhatTheyReceiveAndSend) {
  const CheckedSources result = checked(
      std::string(kEvents) + "machine M receives e; sends f, halt; receives g; sends; { start state A {} }");
  ASSERT_TRUE(result.ok()) << result.messages();
  const Machine& machine = result.program->machines[0];
  EXPECT_EQ(machine.receives.ids(), (std::vector<EventId>{EventId(2), EventId(4)}));
  EXPECT_EQ(machine.sends.ids(), (std::vector<EventId>{kHaltEvent, EventId(3)}));
  const CheckedSources open = checked(std::string(kEvents) + "machine M { start state A {} }");
  EXPECT_EQ(open.program->machines[0].sends.ids().size(), 4u);  // all events and halt, but not null
}

TEST(Machines, PayloadOfTheFirstStateIsWhatNewTakes) {
  EXPECT_EQ(said_of("machine M { start state A { entry (n: int) {} } } machine N { start state A { entry { "
                    "new M(1); } } }"),
            "");
  EXPECT_EQ(said_of("machine M { start state A { entry (n: int) {} } } machine N { start state A { entry { "
                    "new M(); } } }"),
            "t.p:2:87: `M` begins with `int`; here it gets nothing\n");
}

}  // namespace
}  // namespace ravel::p
