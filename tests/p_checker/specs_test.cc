#include <gtest/gtest.h>

#include "tests/p_checker/checked.h"

namespace ravel::p {
namespace {

// The spec is line 2.
std::string said_of(std::string_view spec) {
  return said("event e; event f: int; machine M { start state A { entry { announce e; } } }\n" +
              std::string(spec));
}

TEST(Specs, WatchWithStatesFieldsAndFunctions) {
  EXPECT_EQ(said_of("spec S observes e, f { var n: int; start hot state A { on e goto B; on f do add; } "
                    "cold state B { ignore e; on f goto A; } fun add(k: int) { n = n + k; if (n > 3) raise "
                    "e; assert n < 9; } }"),
            "");
}

TEST(Specs, OnlyWatch) {
  const auto in_entry = [](std::string_view statements) {
    return said_of("spec S observes e { var b: bool; var x: any; start state A { entry {\n" +
                   std::string(statements) + "\n} } }");
  };
  EXPECT_EQ(in_entry("send null, e;"), "t.p:3:1: the spec `S` cannot send events: it only watches\n");
  EXPECT_EQ(in_entry("announce e;"), "t.p:3:1: the spec `S` cannot announce events: it only watches\n");
  EXPECT_EQ(in_entry("new M();"), "t.p:3:1: the spec `S` cannot create a machine: it only watches\n");
  EXPECT_EQ(in_entry("x = new M();"), "t.p:3:5: the spec `S` cannot create a machine: it only watches\n");
  EXPECT_EQ(in_entry("b = $;"), "t.p:3:5: the spec `S` cannot make a choice: it only watches\n");
  EXPECT_EQ(in_entry("x = choose(3);"), "t.p:3:5: the spec `S` cannot make a choice: it only watches\n");
  EXPECT_EQ(in_entry("x = this;"), "t.p:3:5: the spec `S` cannot use `this`: it only watches\n");
  EXPECT_EQ(in_entry("receive { case q: { } }"),
            "t.p:3:1: the spec `S` cannot wait in `receive`: it only watches\n"
            "t.p:3:16: `q` is not declared: no event has that name\n");
}

TEST(Specs, DoNotActThroughFunctions) {
  EXPECT_EQ(said_of("fun f1() { f2(); } fun f2() { announce e; } spec S observes e { start state A { entry { "
                    "f1(); } } }"),
            "t.p:2:87: this handler of the spec `S` sends or announces, itself or through what it calls; a "
            "spec only watches\n");
  EXPECT_EQ(said_of("fun f1(): bool { return $; } spec S observes e { start state A { entry h; } fun h() { "
                    "assert f1(); } }"),
            "t.p:2:81: the function `h` of the spec `S` makes a choice, itself or through what it calls; a "
            "spec only watches\n");
  EXPECT_EQ(said_of("fun f1() { new M(); } spec S observes e { start state A { exit { f1(); } } }"),
            "t.p:2:64: this handler of the spec `S` creates a machine, itself or through what it calls; a "
            "spec only watches\n");
  EXPECT_EQ(said_of("fun f1() { assert true; } spec S observes e { start state A { exit { f1(); } } }"), "");
}

TEST(Specs, HaveNoQueue) {
  EXPECT_EQ(said_of("spec S observes e { start state A { defer e; } }"),
            "t.p:2:37: a spec cannot defer events: it sees them when they are sent\n");
  EXPECT_EQ(said_of("spec S observes e { start state A { on null goto A; } }"),
            "t.p:2:40: a spec cannot act on `null`: it has no queue that could be empty\n");
}

TEST(Specs, AreNotCreated) {
  EXPECT_EQ(
      said_of("spec S observes e { start state A { } } machine N { start state A { entry { new S(); } } }"),
      "t.p:2:81: `S` is a spec, and cannot be created: tests attach it\n");
}

TEST(Specs, AreWarnedOfEventsThatTheyNeverSee) {
  EXPECT_EQ(said_of("spec S observes e { start state A { on f goto A; ignore e; } }"),
            "t.p:2:40: warning: `S` does not observe `f`, so that this never happens\n");
}

TEST(Scenarios, NeedAColdStateThatIsNotTheFirst) {
  EXPECT_EQ(said_of("scenario S observes e { start state A { on e goto B; } cold state B { } }"), "");
  EXPECT_EQ(said_of("scenario S observes e { start state A { } }"),
            "t.p:2:10: warning: the scenario `S` has no cold state, so that it is never covered\n");
  EXPECT_EQ(said_of("scenario S observes e { start cold state A { } }"),
            "t.p:2:10: warning: the scenario `S` starts in a cold state, which covers nothing yet\n");
}

}  // namespace
}  // namespace ravel::p
