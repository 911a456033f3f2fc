#include <gtest/gtest.h>

#include "tests/p_checker/checked.h"

namespace ravel::p {
namespace {

constexpr std::string_view kVariables =
    "var i: int; var b: bool; var x: any; var s: seq[int]; var m: map[string, bool]; var t: set[int]; "
    "var n: (a: int, b: (int, bool)); var r: machine; var v: event; var text: string; fun f() {} fun g(): "
    "int { return 1; }";

std::string here(std::string_view statements) { return said_in_handler(statements, kVariables); }

TEST(Statements, Assign) {
  EXPECT_EQ(here("i = 1; x = i; s[0] = 2; m[\"k\"] = b; n.a = 1; n.b.1 = true; r = this; r = null; v = null; "
                 "v = go;"),
            "");
  EXPECT_EQ(here("i = true;"), "t.p:3:5: this is `bool`, but `int` is needed\n");
  EXPECT_EQ(here("i = null;"), "t.p:3:5: this is `null`, but `int` is needed, which is never null\n");
  EXPECT_EQ(here("i = x;"), "t.p:3:5: this is `any`, but `int` is needed\n");
  EXPECT_EQ(here("q = 1;"), "t.p:3:1: `q` is not declared: no variable has that name\n");
  EXPECT_EQ(here("q = 1; q = 2; i = q;"), "t.p:3:1: `q` is not declared: no variable has that name\n");
  EXPECT_EQ(here("n.c = 1;"), "t.p:3:3: `(a: int, b: (int, bool))` has no field `c`\n");
  EXPECT_EQ(here("t[0] = 1;"), "t.p:3:2: an element of a set cannot be assigned to\n");
  EXPECT_EQ(here("i[0] = 1;"), "t.p:3:2: `[...]` needs a seq, a set or a map; this is `int`\n");
  EXPECT_EQ(here("go = 1;"), "t.p:3:1: `go` is not declared: no variable has that name\n");
}

TEST(Statements, InsertAddAndRemove) {
  EXPECT_EQ(here("s += (0, 1); m += (\"k\", true); t += (1); s -= (0); m -= (\"k\"); t -= 1;"), "");
  EXPECT_EQ(here("s += (true, 1);"), "t.p:3:7: this is `bool`, but `int` is needed\n");
  EXPECT_EQ(here("m += (\"k\", 1);"), "t.p:3:12: this is `int`, but `bool` is needed\n");
  EXPECT_EQ(here("t += (0, 1);"),
            "t.p:3:1: `+= (index, element)` needs a seq or a map; this is `set[int]`\n");
  EXPECT_EQ(here("s += (1);"), "t.p:3:1: `+= (element)` needs a set; this is `seq[int]`\n");
  EXPECT_EQ(here("t += (true);"), "t.p:3:7: this is `bool`, but `int` is needed\n");
  EXPECT_EQ(here("s -= true;"), "t.p:3:6: this is `bool`, but `int` is needed\n");
  EXPECT_EQ(here("i -= 1;"), "t.p:3:1: `-=` needs a seq, a set or a map; this is `int`\n");
}

TEST(Statements, TestConditions) {
  EXPECT_EQ(
      here(
          "if (b) i = 1; else if ($) { } while (i < 3) i = i + 1; assert b; assert b, \"why\"; print \"x\";"),
      "");
  EXPECT_EQ(here("if (i) {}"), "t.p:3:5: this is `int`, but `bool` is needed\n");
  EXPECT_EQ(here("while (x) {}"), "t.p:3:8: this is `any`, but `bool` is needed\n");
  EXPECT_EQ(
      here("assert i, b;"),
      "t.p:3:8: this is `int`, but `bool` is needed\nt.p:3:11: this is `bool`, but `string` is needed\n");
  EXPECT_EQ(here("print i;"), "t.p:3:7: this is `int`, but `string` is needed\n");
}

TEST(Statements, LoopOverCollections) {
  EXPECT_EQ(here("foreach (i in s) { i = 2; break; } foreach (i in t) continue; foreach (i in "
                 "values(default(map[bool, int]))) {}"),
            "");
  EXPECT_EQ(here("foreach (k in s) {}"), "t.p:3:10: `k` is not declared: no variable has that name\n");
  EXPECT_EQ(here("foreach (b in s) {}"), "t.p:3:10: `b` is `bool`, but the elements are `int`\n");
  EXPECT_EQ(here("foreach (x in s) {}"), "t.p:3:10: `x` is `any`, but the elements are `int`\n");
  EXPECT_EQ(here("foreach (i in m) {}"),
            "t.p:3:15: `foreach` needs a seq or a set; this is `map[string, bool]`\n");
}

TEST(Statements, LeaveLoopsOnlyInside) {
  EXPECT_EQ(here("while (b) { if (b) break; else continue; }"), "");
  EXPECT_EQ(here("break;"), "t.p:3:1: `break` stands outside of a loop\n");
  EXPECT_EQ(here("if (b) continue;"), "t.p:3:8: `continue` stands outside of a loop\n");
}

TEST(Statements, SendEvents) {
  EXPECT_EQ(here("send this, go, 1; send r, done; send r, v; send r, v, 1, 2; send r, halt;"), "");
  EXPECT_EQ(here("send i, done;"), "t.p:3:6: this is `int`, but `machine` is needed\n");
  EXPECT_EQ(here("send r, i;"), "t.p:3:9: this is `int`, but `event` is needed\n");
  EXPECT_EQ(here("send r, null;"), "t.p:3:9: `null` is no event that could be sent\n");
  EXPECT_EQ(here("send r, go;"), "t.p:3:1: the event carries `int`; here it gets nothing\n");
  EXPECT_EQ(here("send r, go, true;"), "t.p:3:13: the event carries `int`; here it gets `bool`\n");
  EXPECT_EQ(here("send r, done, 1;"), "t.p:3:15: the event carries nothing; here it gets `int`\n");
  EXPECT_EQ(here("send r, go, 1, true;"),
            "t.p:3:13: the event carries `int`; here it gets 2 arguments, `(int, bool)`\n");
}

TEST(Statements, RaiseAndAnnounce) {
  EXPECT_EQ(here("if ($) raise done; if ($) raise go, 1; announce go, 2; announce done;"), "");
  EXPECT_EQ(here("raise null;"), "t.p:3:7: `null` is no event that could be raised\n");
  EXPECT_EQ(here("announce null;"), "t.p:3:10: `null` is no event that could be announced\n");
  EXPECT_EQ(here("raise i;"), "t.p:3:7: this is `int`, but `event` is needed\n");
  EXPECT_EQ(here("raise go;"), "t.p:3:1: the event carries `int`; here it gets nothing\n");
}

TEST(Statements, GoToStatesOfTheMachine) {
  EXPECT_EQ(here("goto Next;"), "");
  EXPECT_EQ(here("goto Nowhere;"), "t.p:3:6: `Nowhere` is not declared: this machine has no such state\n");
  EXPECT_EQ(here("goto Next, 1;"), "t.p:3:12: the entry of `Next` takes nothing; here it gets `int`\n");
  EXPECT_EQ(here("goto Next, q;"),
            "t.p:3:1: the entry of `Next` takes nothing; here it gets 1 argument\n"
            "t.p:3:12: `q` is not declared: no variable, element of an enum or event has that name\n");
  EXPECT_EQ(said("fun f() { goto S; }"),
            "t.p:1:16: `S` is not declared: outside of machines there are no states\n");
  EXPECT_EQ(said("machine M { start state S { entry (n: int) { goto S; } } }"),
            "t.p:1:46: the entry of `S` takes `int`; here it gets nothing\n");
}

TEST(Statements, Create) {
  EXPECT_EQ(here("new Main(); r = new Main();"), "");
  EXPECT_EQ(here("new Nobody();"),
            "t.p:3:5: `Nobody` is not declared: no machine or interface has that name\n");
  EXPECT_EQ(here("new Main(1);"), "t.p:3:10: `Main` begins with nothing; here it gets `int`\n");
}

TEST(Statements, Call) {
  EXPECT_EQ(here("f(); g(); i = g();"), "");
  EXPECT_EQ(here("h();"), "t.p:3:1: `h` is not declared: no function has that name\n");
  EXPECT_EQ(here("f(1);"), "t.p:3:1: the function `f` takes 0 arguments; here it gets 1\n");
  EXPECT_EQ(here("x = f();"), "t.p:3:5: the function `f` returns nothing, so that this has no value\n");
  EXPECT_EQ(here("h(q);"),
            "t.p:3:1: `h` is not declared: no function has that name\n"
            "t.p:3:3: `q` is not declared: no variable, element of an enum or event has that name\n");
}

TEST(Statements, ReturnWhatTheFunctionReturns) {
  EXPECT_EQ(said("fun f(): int { if (true) return 1; else { return 2; } }"), "");
  EXPECT_EQ(said("fun f() { return; }"), "");
  EXPECT_EQ(said("fun f(): any { return null; }"), "");
  EXPECT_EQ(said("fun f(): int { return true; }"), "t.p:1:23: this is `bool`, but `int` is needed\n");
  EXPECT_EQ(said("fun f(): int { return; }"), "t.p:1:16: this returns nothing, but `int` is needed\n");
  EXPECT_EQ(said("fun f() { return 1; }"),
            "t.p:1:18: this function returns nothing, so it cannot return `int`\n");
}

TEST(Functions, ThatOweAValueReturnOnEveryWay) {
  const std::string missing = "not every way through the function `f` returns `int`\n";
  EXPECT_EQ(said("fun f(): int { }"), "t.p:1:16: " + missing);
  EXPECT_EQ(said("fun f(): int { if ($) return 1; }"), "t.p:1:33: " + missing);
  EXPECT_EQ(said("fun f(): int { while (true) { return 1; } }"), "t.p:1:43: " + missing);
  EXPECT_EQ(said("fun f(): int { assert false; }"), "");
  EXPECT_EQ(said("fun f(): int { assert true; }"), "t.p:1:29: " + missing);
}

TEST(Functions, ThatOweAValueDoNotLeave) {
  EXPECT_EQ(said("event e; fun f(): int { raise e; }"),
            "t.p:1:25: `raise` in a function that returns a value: it would never return it\n");
  EXPECT_EQ(said("machine M { start state S {} fun f(): int { goto S; } }"),
            "t.p:1:45: `goto` in a function that returns a value: it would never return it\n");
}

TEST(Functions, DeclareNamesOnce) {
  EXPECT_EQ(said("fun f(a: int, a: bool) {}"), "t.p:1:15: `a` is already declared at t.p:1:7\n");
  EXPECT_EQ(said("fun f(a: int) { var a: int; }"), "t.p:1:21: `a` is already declared at t.p:1:7\n");
  EXPECT_EQ(said("machine M { var a: int; start state S { entry { var a: bool; a = true; } } }"), "");
  EXPECT_EQ(said("fun f() { f(); var a: int; }"),
            "t.p:1:16: variables are declared where the body of a function begins, before its statements\n");
}

TEST(Receive, TakesEventsInCases) {
  EXPECT_EQ(here("receive { case go: (n: int) { i = n; } case done, halt: { } }"), "");
  EXPECT_EQ(here("receive { case go: (n: bool) { } }"),
            "t.p:3:16: the event `go` carries `int`, but `bool` is needed\n");
  EXPECT_EQ(here("receive { case go: { } case done, go: { } }"),
            "t.p:3:35: this `receive` already has a case for `go`\n");
  EXPECT_EQ(here("receive { case q: { } }"), "t.p:3:16: `q` is not declared: no event has that name\n");
}

TEST(Receive, HasVariablesOfItsCases) {
  EXPECT_EQ(here("receive { case go: (i: int) { var b: int; b = i; } } b = true;"), "");
  EXPECT_EQ(here("receive { case go: (k: int) { } } i = k;"),
            "t.p:3:39: `k` is not declared: no variable, element of an enum or event has that name\n");
}

TEST(Receive, ReturnsOnlyFromWhatReturnsNothing) {
  EXPECT_EQ(here("receive { case done: { return; } }"), "");
  EXPECT_EQ(said("event e; fun f(): int { receive { case e: { return 1; } } }"),
            "t.p:1:45: inside `receive`, a function that returns a value cannot return\n");
}

TEST(Receive, BreakEndsTheCaseUnlessALoopIsInside) {
  const CheckedSources result = checked(in_handler(
      "while (b) { receive { case done: { if (b) break; else continue; while (b) break; } } }", kVariables));
  ASSERT_TRUE(result.ok()) << result.messages();
  const Program& program = *result.program;
  const Function& entry = program.function(*program.state(program.machines[0].start).entry);
  const Statement& loop = *entry.body->statements[0];
  const Statement& body = *loop.statements[0]->statements[0]->cases[0].body;
  EXPECT_EQ(body.statements[0]->statements[0]->kind, StatementKind::kLeaveCase);
  EXPECT_EQ(body.statements[0]->statements[1]->kind, StatementKind::kContinue);
  EXPECT_EQ(body.statements[1]->statements[0]->kind, StatementKind::kBreak);
}

}  // namespace
}  // namespace ravel::p
