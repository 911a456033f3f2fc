// States, events, receives, monitors: what follows from what, and each error.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/p_system/run.h"

namespace ravel::p {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// Runs one execution, in which the last one by name goes on. What was printed, and the bug.
std::string told(std::string_view text) {
  const Opened program = opened(text);
  PSystem& system = *program.system;
  for (int i = 0; i < 1000 && system.outcome() == Outcome::kRunning; ++i) {
    const Transition transition = system.enabled().back();
    system.step(transition);
  }
  std::string result = system.output_so_far();
  if (system.outcome() == Outcome::kBug) result += system.bug().kind + ": " + system.bug().message;
  return result;
}

std::string other(const std::string& states, const std::string& sends) {
  return told("event a: int; event b: int; event c; event d;\nmachine Other { " + states +
              "}\nmachine Main { start state Only { entry { var o: machine; o = new Other(); " + sends +
              " } } }");
}

TEST(Machines, EntryExitAndTransitionRunInOrder) {
  EXPECT_EQ(other("start state S { entry { print \"in S\"; } exit { print \"out of S\"; }"
                  "on a goto T with (x: int) { print format(\"between {0}\", x); } }"
                  "state T { entry (x: int) { print format(\"in T {0}\", x); } }",
                  "send o, a, 4;"),
            "in S\nout of S\nbetween 4\nin T 4\n");
}

TEST(Machines, GotoAndRaiseLeaveTheHandler) {
  EXPECT_EQ(other("fun leave() { goto T, 8; } start state S { exit { print \"out\"; }"
                  "on a do (x: int) { leave(); print \"never\"; } }"
                  "state T { entry (x: int) { print format(\"T {0}\", x); raise b, x; print \"never\"; }"
                  "on b do (x: int) { print format(\"b {0}\", x); } }",
                  "send o, a, 4;"),
            "out\nT 8\nb 8\n");
}

TEST(Machines, WhatIsRaisedComesBeforeTheQueue) {
  EXPECT_EQ(other("start state S { on a do { raise c; } on b do { print \"b\"; } on c do { print \"c\"; } }",
                  "send o, a, 1; send o, b, 2;"),
            "c\nb\n");
}

TEST(Machines, RaisedEventsThatAreIgnoredAreDropped) {
  EXPECT_EQ(other("start state S { on a do { raise c; } ignore c; on b do { print \"b\"; } }",
                  "send o, a, 1; send o, b, 2;"),
            "b\n");
}

TEST(Machines, DeferredEventsWaitAndIgnoredOnesAreDropped) {
  EXPECT_EQ(other("start state S { defer a; ignore b; on c goto T; }"
                  "state T { on a do (x: int) { print format(\"a {0}\", x); }"
                  "on b do (x: int) { print format(\"b {0}\", x); } }",
                  "send o, a, 1; send o, b, 2; send o, c; send o, b, 3;"),
            "a 1\nb 3\n");
}

TEST(Machines, ReceiveTakesTheFirstThatFitsAndGoesOn) {
  EXPECT_EQ(other("start state S { on a do (x: int) { var y: int; receive {"
                  "case b: (z: int) { y = z; if (z == 5) break; print \"not 5\"; } case d: { } }"
                  "print format(\"{0} {1}\", x, y); } on c do { print \"c\"; } }",
                  "send o, a, 1; send o, c; send o, b, 5;"),
            "1 5\nc\n");
}

TEST(Machines, ReturnInAReceiveLeavesTheFunction) {
  EXPECT_EQ(other("fun wait() { receive { case b: (z: int) { if (z == 5) return; } } print \"never\"; }"
                  "start state S { on a do { wait(); print \"after\"; } }",
                  "send o, a, 1; send o, b, 5;"),
            "after\n");
}

TEST(Machines, HaltEndsAMachineAndDropsWhatItIsSent) {
  EXPECT_EQ(other("start state S { exit { print \"out\"; } on a do { print \"a\"; } }",
                  "send o, a, 1; send o, halt; send o, a, 2;"),
            "a\nout\n");
  EXPECT_EQ(other("start state S { on a do { raise halt; } on b do { print \"b\"; } }",
                  "send o, a, 1; send o, b, 2;"),
            "");
  EXPECT_EQ(other("start state S { on a do { receive { case b: { } } print \"never\"; } }",
                  "send o, a, 1; send o, halt; send o, c;"),
            "");
}

TEST(Machines, EventsWithoutPayloadOfTheirOwnCarryTheDefault) {
  EXPECT_EQ(told("event a: int; machine Main { start state S { entry { var e: event; e = a; send this, e; }"
                 "on a do (x: int) { print format(\"{0}\", x); } } }"),
            "0\n");
}

TEST(Machines, NullHandlersRunWhenNothingIsThere) {
  EXPECT_EQ(verdict("event a; machine Two { start state S { entry (m: machine) { send m, a; } } }\n"
                    "machine Main { start state S { entry { new Two(this); }"
                    "on null goto T; on a do { } } state T { } }"),
            "2: unhandled_event: event `a` is not handled in state `T`");
}

TEST(Machines, ErrorsHavePlacesAndReasons) {
  EXPECT_EQ(verdict("event a;\nmachine Main { start state S { entry {\nsend this, a; } }\n }"),
            "2: unhandled_event: event `a` is not handled in state `S`");
  EXPECT_EQ(verdict("event a; machine Main { var m: machine; start state S { entry {\nsend m, a; } } }"),
            "2: null_target: `send` to null");
  EXPECT_EQ(verdict("event a; machine Main { var e: event; start state S { entry {\nsend this, e; } } }"),
            "2: null_event: `send` of null");
  EXPECT_EQ(verdict("event a; machine Main { var e: event; start state S { entry {\nraise e; } } }"),
            "2: null_event: `raise` of null");
  EXPECT_EQ(verdict("event a; event b; machine Main sends b; { var e: event; start state S { entry {\n"
                    "e = a; send this, e; } } }"),
            "2: permission: event `a` is not among those that the machine sends");
  EXPECT_EQ(verdict("event a; event b; machine Main receives b; { var m: machine; start state S { entry {\n"
                    "m = this; send m, a; } } }"),
            "2: permission: event `a` is not among those that the target receives");
  EXPECT_EQ(verdict("event a: int; event b: string; machine Main { start state S { entry { var e: event;\n"
                    "e = b; raise e; } on b do (s: string) { receive {\ncase a: { } } } } }"),
            "2: deadlock: nothing can happen any more, but `receive` waits for an event");
}

TEST(Machines, AnIdleMachineIsNoDeadlock) {
  EXPECT_EQ(verdict("event a; machine Main { start state S { on a do { } } }"), "passes");
}

constexpr const char* kMonitored =
    "event a: int; event b;\n"
    "spec Watch observes a, b { var n: int;\n"
    "start cold state Calm { on a goto Waiting with (x: int) { n = n + x; assert n < 5, \"too much\"; } on b "
    "do { } }\n"
    "hot state Waiting { on b goto Calm; ignore a; } }\n"
    "machine Main { start state S { entry {\n";

std::string monitored(const std::string& statements) {
  return verdict(
      kMonitored + statements + "} ignore a, b; } }\ntest t [main = Main]: assert Watch in {Main};", "t");
}

TEST(Monitors, SeeWhatIsSentAndAnnounced) {
  EXPECT_EQ(monitored("send this, a, 1; announce b;"), "passes");
  EXPECT_EQ(monitored("announce a, 5; send this, b;"), "3: assertion: too much");
  EXPECT_EQ(monitored("send this, a, 2; announce b; announce a, 3;"), "3: assertion: too much");
}

TEST(Monitors, AreViolatedIfTheyStayHot) {
  EXPECT_EQ(monitored("send this, a, 1;"),
            "4: liveness: monitor `Watch` is in hot state `Waiting` when nothing can happen any more");
}

TEST(Monitors, AreViolatedIfTheyNeverGetColdAgain) {
  const auto violated = [](const std::string& start, const std::string& on_b) {
    const Opened program =
        opened("event a; event b; spec Watch observes a, b { start " + start +
                   " state Calm { on a goto Waiting; ignore b; } hot state Waiting { ignore a; " + on_b +
                   " } } machine Main { start state S { entry { send this, a; }"
                   "on a do { send this, b; } on b do { send this, a; } } }"
                   "test t [main = Main]: assert Watch in {Main};",
               "t");
    return search_states_for_liveness(*program.system).exploration.bugs.size();
  };
  EXPECT_EQ(violated("cold", "ignore b;"), 1u);
  EXPECT_EQ(violated("cold", "on b goto Calm;"), 0u);
  EXPECT_EQ(violated("", "on b goto Calm;"), 1u);  // warm is not cold
}

// Bugs of a machine that asks itself again until its choice ends that, under a spec that is hot until then.
std::vector<FoundBug> bugs_of_choices(const std::string& choice, const POptions& options = {}) {
  const Opened program = opened(
      "event again; event began; event ended; spec Ends observes began, ended {"
      "start cold state Idle { on began goto Busy; }\n hot state Busy { on ended goto Idle; } }"
      "machine Main { start state S { entry { announce began; send this, again; } on again do { " +
          choice + " } } } test t [main = Main]: assert Ends in {Main};",
      "t", options);
  return search_states_for_liveness(*program.system).exploration.bugs;
}

TEST(Monitors, ChoicesMayGoOnForEverInOneWayUnlessTheyAreFair) {
  const std::string end = "announce ended;", again = "send this, again;";
  EXPECT_EQ(bugs_of_choices("if ($) " + end + " else " + again).size(), 1u);
  EXPECT_EQ(bugs_of_choices("if ($$) " + end + " else " + again).size(), 0u);
  EXPECT_EQ(bugs_of_choices("if (choose(2) == 0) " + end + " else " + again).size(), 1u);
  // Both ways are taken, and neither ends it.
  EXPECT_EQ(bugs_of_choices("if ($$) " + again + " else " + again).size(), 1u);
  // Each place is a choice of its own: if either is made in both ways, it ends.
  EXPECT_EQ(bugs_of_choices("if ($) { if ($$) " + end + " else " + again + " } else { if ($$) " + end +
                            " else " + again + " }")
                .size(),
            0u);
  EXPECT_EQ(bugs_of_choices("if ($$ || $) " + again + " else " + again).size(), 1u);
}

TEST(Monitors, AreToldByTheirNameIfTheyStayHot) {
  const Opened program = opened(
      "event a; spec Ends observes a { start cold state Idle { on a goto Busy; }\n hot state Busy { ignore "
      "a; } }"
      "machine Main { start state S { entry { announce a; } } } test t [main = Main]: assert Ends in {Main};",
      "t");
  PSystem& system = *program.system;
  Bug bug;
  bug.message = "m";
  bug.details = {"from there on, hot(Ends) always holds", "d"};
  system.tell_liveness("always cold(Ends)", bug);
  EXPECT_EQ(bug.message, "m");
  system.step(system.enabled().front());
  system.tell_liveness(system.liveness_formulas().front(), bug);
  EXPECT_EQ(bug.kind, "liveness");
  EXPECT_EQ(bug.message, "monitor `Ends` is hot again and again, and never cold again");
  EXPECT_EQ(bug.line, 2u);
  EXPECT_THAT(bug.details,
              ElementsAre("when the loop begins anew, `Ends` is in hot state `Busy` (t.p:2:12)", "d"));
}

TEST(Monitors, WithoutAHotStateAreNotAskedAbout) {
  const Opened program = opened(
      "event a; spec Calm observes a { start cold state Idle { ignore a; } } "
      "machine Main { start state S { entry { } } } test t [main = Main]: assert Calm in {Main};",
      "t");
  EXPECT_THAT(program.system->liveness_formulas(), ElementsAre());
}

TEST(Monitors, AreNoBugIfThatIsIgnored) {
  EXPECT_EQ(bugs_of_choices("if ($) send this, again;").size(), 2u);  // at the end, and without one
  EXPECT_EQ(bugs_of_choices("if ($) send this, again;", {.ignores_liveness = true}).size(), 0u);
}

TEST(Machines, WaitForEverIfThatIsIgnored) {
  const std::string text = "event a; machine Main { start state S { entry { receive { case a: { } } } } }";
  const auto bugs = [&](const POptions& options) {
    const Opened program = opened(text, "", options);
    return search(*program.system, "dpor").exploration.bugs.size();
  };
  EXPECT_EQ(bugs({}), 1u);
  EXPECT_EQ(bugs({.ignores_deadlocks = true}), 0u);
}

TEST(Monitors, SeeASendBeforeOthersGoOn) {
  // The second machine announces b while the first one has still to put a into the queue.
  EXPECT_EQ(verdict("event a; event b; spec W observes a, b { start state S { on a goto T; on b do { } }"
                    "state T { on b do { assert false, \"b after a\"; } ignore a; } }"
                    "machine Two { start state S { entry { announce b; } } }"
                    "machine Main { start state S { entry { new Two(); send this, a; } ignore a; } }"
                    "test t [main = Main]: assert W in {Main, Two};",
                    "t"),
            "1: assertion: b after a");
}

TEST(Modules, NewMakesWhatTheTestBinds) {
  EXPECT_EQ(verdict("event a; interface I() receives a; machine Real { start state S { ignore a; } }"
                    "machine Fake { start state S { on a do { assert false, \"fake\"; } } }"
                    "machine Main { start state S { entry { var i: I; i = new I(); send i, a; } } }"
                    "test t [main = Main]: {Main, Fake -> I};",
                    "t"),
            "1: assertion: fake");
}

TEST(Modules, ParametersAreConstantsOfTheTest) {
  const char* const text =
      "param n: int; machine Main { start state S { entry { assert n < 3, format(\"n is {0}\", n); } } }"
      "test param (n in [2, 3]) t [main = Main]: {Main};";
  EXPECT_EQ(verdict(text, "t___n_2"), "passes");
  EXPECT_EQ(verdict(text, "t___n_3"), "1: assertion: n is 3");
}

TEST(Descriptions, AHandlerThatIsOneStepTellsAllItDoes) {
  const Opened program = opened(
      "event a: int; machine Main { start state S { entry { send this, a, 1; send this, a, 2; } on a do { } "
      "} }",
      "", {.steps = Steps::kHandlers});
  PSystem& system = *program.system;
  system.step(system.enabled().front());
  const EventDescription told = system.describe_last();
  EXPECT_EQ(told.text, "starts");
  EXPECT_THAT(told.extra, ElementsAre("sends a with 1 to P (Main)", "sends a with 2 to P (Main)"));
}

TEST(Descriptions, StepsAreToldWithTheirSource) {
  const Opened program = opened(
      "event a: int; machine Other { start state S { on a do (x: int) { } } }\n"
      "machine Main { start state S { entry { var o: machine;\n  o = new Other();\n  send o, a, 3; } } }");
  PSystem& system = *program.system;
  std::vector<std::string> told;
  while (system.outcome() == Outcome::kRunning) {
    system.step(system.enabled().front());
    const EventDescription one = system.describe_last();
    told.push_back(one.actor + " " + one.text + " at " + one.file + ":" + std::to_string(one.line) + " " +
                   one.source);
  }
  EXPECT_THAT(told, ElementsAre(HasSubstr("P (Main) starts at t.p:2 "),
                                "P (Main) creates P.1 (Other) at t.p:3 o = new Other();",
                                "P (Main) sends a with 3 to P.1 (Other) at t.p:4 send o, a, 3; } } }",
                                HasSubstr("P.1 (Other) starts at t.p:1 "),
                                HasSubstr("P.1 (Other) takes a with 3 at t.p:1 ")));
}

}  // namespace
}  // namespace ravel::p
