// What is P's verifier's: dropped where it means nothing for a test, refused by name where it does, and names
// otherwise.

#include <gtest/gtest.h>

#include "tests/p_checker/checked.h"

namespace ravel::p {
namespace {

constexpr std::string_view kMain = "machine Main { start state S { } }\n";

TEST(Verifier, DeclarationsAreReadOver) {
  EXPECT_EQ(
      said(std::string(kMain) + "pure quorum(s: set[machine]): bool; pure next(m: machine): machine = m;\n"
                                "init-condition forall (m: Main) :: m == m;\n"
                                "invariant one: forall (e: event) :: inflight e ==> !(sent e);\n"
                                "axiom exists (m: machine) :: m is Main;\n"
                                "Lemma l { invariant two: forall (a: machine, e: event) :: e targets a; }\n"
                                "Theorem t { invariant three: true; }\n"
                                "Proof { prove l using one; prove *; } Proof named { prove default; }\n"),
      "");
}

TEST(Verifier, ContractsAndLoopInvariantsAreReadOver) {
  EXPECT_EQ(said("fun choose_one(s: set[int]) return (r: int); requires sizeof(s) > 0; ensures r in s;\n"
                 "machine Main { var i: int; var s: seq[int]; start state S { entry { foreach (i in s) "
                 "invariant i > 0; "
                 "invariant forall (k: int) :: k in s; { i = choose_one(default(set[int])); } } } }"),
            "");
}

TEST(Verifier, ExpressionsInCodeAreRefusedByName) {
  EXPECT_EQ(said_in_handler("assert forall (m: machine) :: m == this;"),
            "t.p:3:8: `forall` is for P's verifier; a test cannot evaluate it\n");
  EXPECT_EQ(said_in_handler("assert exists new (e: event) :: true;"),
            "t.p:3:8: `exists` is for P's verifier; a test cannot evaluate it\n");
  EXPECT_EQ(said_in_handler("assert this is Main;"),
            "t.p:3:13: `is` is for P's verifier; a test cannot evaluate it\n");
  EXPECT_EQ(said_in_handler("assert done targets this;"),
            "t.p:3:13: `targets` is for P's verifier; a test cannot evaluate it\n");
  EXPECT_EQ(said_in_handler("assert inflight done;"),
            "t.p:3:8: `inflight` is for P's verifier; a test cannot evaluate it\n");
  EXPECT_EQ(said_in_handler("assert sent done;"),
            "t.p:3:8: `sent` is for P's verifier; a test cannot evaluate it\n");
  EXPECT_EQ(said_in_handler("assume true; assume (1 == 1), \"why\";"),
            "t.p:3:1: `assume` as a statement is for P's verifier; a test cannot go back to make it true\n"
            "t.p:3:14: `assume` as a statement is for P's verifier; a test cannot go back to make it true\n");
  EXPECT_EQ(said("pure p(): bool; fun f() { assert p(); }"),
            "t.p:1:34: `p` is a `pure` function, which is for P's verifier; a test cannot call it\n");
}

TEST(Verifier, WordsAreNamesElsewhere) {
  EXPECT_EQ(said("event sent; event is: int; event inflight; enum requires { ensures, invariant }\n"
                 "type axiom = int; interface Lemma() receives sent; eventset Theorem = { sent };\n"
                 "fun forall(exists: int, targets: bool): int { if (targets) return exists; return "
                 "forall(exists - 1, true); }\n"
                 "fun init(): bool { return true; } fun assume() { }\n"
                 "machine Main { var targets, param, scenario, pure, prove, using, except: int; var assume: "
                 "seq[int];\n"
                 "  start state Proof { entry {\n"
                 "    targets = forall(targets, init()); assume += (0, targets); assume[0] = param; send "
                 "this, sent; raise is, 1;\n"
                 "  } ignore sent; on is goto pairwise; } state pairwise { on inflight goto Proof; } state "
                 "wise { } }\n"
                 "module main = { Main }; module hidee = main; module rename = hidee;\n"
                 "test param [main = Main]: rename; test assume [main = Main]: main; test pairwise [main = "
                 "Main]: (main);\n"),
            "");
}

TEST(Keywords, ThatAreReservedCannotBeNames) {
  EXPECT_EQ(said("event send;"),
            "t.p:1:7: expected a name of an event; found `send`, which is a word of P\n");
  EXPECT_EQ(said("machine M { start state on { } }"),
            "t.p:1:25: expected a name of a state; found `on`, which is a word of P\n");
}

TEST(Removed, PartsOfTheLanguageAreCalledSo) {
  EXPECT_EQ(said_in_handler("pop;"),
            "t.p:3:1: `pop` is no longer part of P: states are not stacked; write `goto`\n");
  EXPECT_EQ(said("event e; machine M { start state S { on e push S; } }"),
            "t.p:1:43: `push` is no longer part of P: states are not stacked; write `goto`\n");
  EXPECT_EQ(
      said("fun f(a: int) { f(a swap); }"),
      "t.p:1:21: expected `)`; found `swap`; arguments that are moved or swapped are no longer part of P\n");
}

}  // namespace
}  // namespace ravel::p
