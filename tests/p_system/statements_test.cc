// Each statement and operator, by assertions of the program itself; and each error with its place.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/p_system/run.h"

namespace ravel::p {
namespace {

TEST(Statements, ArithmeticIsThatOf64Bits) {
  EXPECT_EQ(verdict_of("var i: int; var f: float; i = 7; assert i / 2 == 3 && -i / 2 == -3 && i % 4 == 3;"
                       "i = 2147483647; i = i * i; assert i > 0; f = 0.5; assert f + 1.5 == 2.0;"
                       "assert (7 to float) / 2.0 == 3.5; assert (-3.7 to int) == -3; assert -i < i;"),
            "passes");
  EXPECT_EQ(verdict_of("var i, j: int; i = 1;\ni = i / j;"), "3: division: a division by zero");
  EXPECT_EQ(verdict_of("var i, j: int; i = 1; i = i % j;"), "2: division: a division by zero");
}

TEST(Statements, TruthsStopEarly) {
  EXPECT_EQ(verdict_of("var m: map[int, int]; assert !(1 in m && m[1] == 2); assert 1 in m || true;"
                       "assert !(1 in m) || m[1] == 1; assert 1 in m ==> m[1] == 1; assert true <==> true;"),
            "passes");
}

TEST(Statements, TextsAreMadeAndPrinted) {
  const Opened program = opened(
      "enum E { A, B } machine Main { start state S { entry { var t: (a: int, b: string);"
      "t = (a = 1, b = \"x\"); print format(\"{0} and {1}\", t, this); assert \"a\" + \"b\" == \"ab\";"
      "assert \"a\" < \"b\"; print \"end\"; } } }");
  search(*program.system, "dfs");
  EXPECT_EQ(program.system->output_so_far(), "<a:1, b:x, > and Main(P)\nend\n");
}

TEST(Statements, CollectionsChangeInPlace) {
  EXPECT_EQ(verdict_of("var s: seq[int]; s += (0, 1); s += (0, 2); s += (1, 3); assert sizeof(s) == 3;"
                       "assert s[0] == 2 && s[1] == 3 && s[2] == 1; s -= 1; assert s[1] == 1; s[0] = 5;"
                       "assert s[0] == 5; assert 5 in s; assert !(2 in s);"),
            "passes");
  EXPECT_EQ(verdict_of("var m: map[int, string]; m[1] = \"a\"; m += (2, \"b\"); assert m[2] == \"b\";"
                       "m[1] = \"c\"; assert m[1] == \"c\"; m -= 1; m -= 7; assert keys(m)[0] == 2;"
                       "assert values(m)[0] == \"b\" && sizeof(m) == 1;"),
            "passes");
  EXPECT_EQ(verdict_of("var s: set[int]; s += (3); s += (3); s += (1); assert sizeof(s) == 2; s -= 3;"
                       "s -= 9; assert s[0] == 1 && 1 in s && !(3 in s);"),
            "passes");
}

TEST(Statements, NestedLocationsChangeAndCopiesStay) {
  EXPECT_EQ(verdict_of("var m, n: map[int, seq[(a: int, b: set[int])]]; var e: (a: int, b: set[int]);"
                       "m[1] = default(seq[(a: int, b: set[int])]); m[1] += (0, e); n = m;"
                       "m[1][0].a = 4; m[1][0].b += (9); assert m[1][0].a == 4 && 9 in m[1][0].b;"
                       "assert n[1][0].a == 0 && sizeof(n[1][0].b) == 0; m[1] -= 0; assert sizeof(m[1]) == 0;"
                       "assert n != m; n[1] -= 0; assert n == m;"),
            "passes");
}

TEST(Statements, WhatIsNotThereIsABug) {
  EXPECT_EQ(verdict_of("var s: seq[int]; s[0] = 1;"), "2: index: index 0 is out of a collection of 0");
  EXPECT_EQ(verdict_of("var s: seq[int]; s += (1, 1);"), "2: index: index 1 is out of a collection of 0");
  EXPECT_EQ(verdict_of("var s: seq[int]; s -= -1;"), "2: index: index -1 is out of a collection of 0");
  EXPECT_EQ(verdict_of("var s: set[int]; var i: int; i = s[0];"),
            "2: index: index 0 is out of a collection of 0");
  EXPECT_EQ(verdict_of("var m: map[int, int]; var i: int; i = m[3];"),
            "2: missing_key: the map does not have this key");
  EXPECT_EQ(verdict_of("var m: map[int, int]; m += (1, 1); m += (1, 2);"),
            "2: existing_key: `+=` of a key that the map has already");
}

TEST(Statements, LoopsBreakAndContinue) {
  EXPECT_EQ(verdict_of("var i, n: int; while (true) { i = i + 1; if (i == 3) continue; if (i > 5) break;"
                       "n = n + i; } assert n == 1 + 2 + 4 + 5;"),
            "passes");
  EXPECT_EQ(verdict_of("var s: seq[int]; var x, y, n: int; s += (0, 1); s += (1, 2); s += (2, 3);"
                       "foreach (x in s) { s += (0, 9); foreach (y in s) { if (y == 2) break; n = n + 1; }"
                       "if (x == 2) continue; if (x == 3) break; } assert n == 2 + 3 + 4; assert x == 3;"),
            "passes");
}

constexpr const char* kFunctions =
    "fun fact(n: int): int { if (n <= 1) return 1; return n * fact(n - 1); }\n"
    "fun deep(n: int): int { return deep(n + 1); }\n"
    "fun swap(a: int, b: int): (int, int) { var t: int; t = a; a = b; b = t; return (a, b); }\n";

TEST(Statements, FunctionsCallEachOther) {
  EXPECT_EQ(verdict(std::string(kFunctions) +
                    "machine Main { var x: int; fun bump(): int { x = x + 1; return x; }"
                    "start state S { entry { assert fact(10) == 3628800; assert swap(1, 2).0 == 2;"
                    "x = 5; assert x + bump() == 12; assert bump() + x == 14; } } }"),
            "passes");
  EXPECT_EQ(verdict(std::string(kFunctions) + "machine Main { start state S { entry { deep(0); } } }"),
            "2: recursion: more than 10000 functions call each other");
}

TEST(Statements, AnEndlessLoopIsTold) {
  EXPECT_EQ(verdict_of("while (true) { }"),
            "2: no_progress: runs on and on without an operation that others could notice");
}

TEST(Statements, ATextThatIsDoubledWithoutEndIsTold) {
  EXPECT_EQ(verdict_of("var s: string; s = \"ab\"; while (true) s = s + s;"),
            "2: too_long: a string of more than 256 MiB is made");
}

TEST(Statements, AssertionsTellTheirMessage) {
  EXPECT_EQ(verdict_of("assert 1 == 2;"), "2: assertion: the assertion does not hold");
  EXPECT_EQ(verdict_of("var m: map[int, int]; assert true, format(\"{0}\", m[1]);\n"
                       "assert false, format(\"{0} is wrong\", 7);"),
            "3: assertion: 7 is wrong");
}

TEST(Statements, CastsAreChecked) {
  EXPECT_EQ(verdict_of("var a: any; var i: int; a = 4; i = a as int; assert i == 4; a = (1, \"x\");"
                       "assert (a as (int, string)).1 == \"x\"; a = null; assert a == null;"),
            "passes");
  EXPECT_EQ(verdict_of("var a: any; var i: int; a = \"x\";\ni = a as int;"),
            "3: cast: the value is not of type `int`");
  EXPECT_EQ(verdict_of("var a: any; var s: seq[int]; a = default(seq[int]); s = a as seq[int];"), "passes");
}

TEST(Statements, ChoicesAreAllTried) {
  EXPECT_EQ(verdict_of("var s: seq[int]; var a, b: int; s += (0, 3); s += (1, 5); a = choose(3);"
                       "b = choose(s); assert a != 2 || b != 5, \"both\";"),
            "2: assertion: both");
  EXPECT_EQ(verdict_of("assert choose(4) < 4; assert choose(0) == 0; if ($) { assert true; }"), "passes");
  EXPECT_EQ(verdict_of("var s: set[int]; var i: int; i = choose(s);"),
            "2: empty_choice: `choose` from nothing");
  EXPECT_EQ(verdict_of("var i: int; i = 10001; i = choose(i);"),
            "2: many_choices: `choose` among 10001 values; at most 10000 are allowed");
}

TEST(Statements, ForeignFunctionsAreRefused) {
  EXPECT_EQ(verdict("fun far(): int; machine Main { start state S { entry { assert far() == 0; } } }"),
            "1: refused: the function `far` is written in another language, and no library has it; name one "
            "that has it with --foreign FILE.so, or choose tests that do not call it (-t)");
}

}  // namespace
}  // namespace ravel::p
