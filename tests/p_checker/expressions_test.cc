#include <gtest/gtest.h>

#include "tests/p_checker/checked.h"

namespace ravel::p {
namespace {

constexpr std::string_view kVariables =
    "var i: int; var f: float; var b: bool; var x: any; var d: data; var s: seq[int]; var m: map[string, "
    "bool]; "
    "var t: set[int]; var n: (a: int, b: (int, bool)); var u: (int, bool); var r: machine; var me: Main; var "
    "v: event; "
    "var text: string; var c: Color;";

std::string here(std::string_view statements) { return said_in_handler(statements, kVariables); }

TEST(Operators, TakeNumbersOfOneKind) {
  EXPECT_EQ(here("i = -i + 2 * 3 - 4 / 5 % 6; f = -f + 1.5 * .5; text = \"a\" + text;"), "");
  EXPECT_EQ(here("i = i + 1.0;"),
            "t.p:3:7: `+` needs two `int`, two `float` or two `string`; these are `int` and `float`\n");
  EXPECT_EQ(here("i = i * true;"),
            "t.p:3:7: `*` needs two `int` or two `float`; these are `int` and `bool`\n");
  EXPECT_EQ(here("text = text - text;"),
            "t.p:3:13: `-` needs two `int` or two `float`; these are `string` and `string`\n");
  EXPECT_EQ(here("i = x + 1;"),
            "t.p:3:7: `+` needs two `int`, two `float` or two `string`; these are `any` and `int`\n");
  EXPECT_EQ(here("i = -b;"), "t.p:3:5: `-` needs an `int` or a `float`; this is `bool`\n");
  EXPECT_EQ(here("i = 2147483648;"), "t.p:3:5: this number is too large: literals go up to 2147483647\n");
}

TEST(Operators, CompareWhatCanBeEqual) {
  EXPECT_EQ(here("b = i == 1 && i != 2 || f < 1.0 && text >= \"a\"; b = x == i; b = r == this; b = v == go; "
                 "b = c == RED;"),
            "");
  EXPECT_EQ(here("b = r == null; b = v != null; b = x == null;"), "");
  EXPECT_EQ(here("b = i == b;"), "t.p:3:7: `int` and `bool` cannot be compared: no value is of both types\n");
  EXPECT_EQ(here("b = i == null;"),
            "t.p:3:7: `int` and `null` cannot be compared: no value is of both types\n");
  EXPECT_EQ(here("b = c == 0;"),
            "t.p:3:7: `Color` and `int` cannot be compared: no value is of both types\n");
  EXPECT_EQ(here("b = c < GREEN;"),
            "t.p:3:7: `<` needs two `int`, two `float` or two `string`; these are `Color` and `Color`\n");
}

TEST(Operators, JoinTruths) {
  EXPECT_EQ(here("b = !b && b || b ==> b <==> b;"), "");
  EXPECT_EQ(here("b = b && i;"), "t.p:3:10: this is `int`, but `bool` is needed\n");
  EXPECT_EQ(here("b = !i;"), "t.p:3:6: this is `int`, but `bool` is needed\n");
  EXPECT_EQ(
      here("b = i || f;"),
      "t.p:3:5: this is `int`, but `bool` is needed\nt.p:3:10: this is `float`, but `bool` is needed\n");
}

TEST(Operators, LookIntoCollections) {
  EXPECT_EQ(here("b = 1 in s; b = 1 in t; b = \"k\" in m; b = !(i in s) && b;"), "");
  EXPECT_EQ(here("b = true in s;"), "t.p:3:5: this is `bool`, but `int` is needed\n");
  EXPECT_EQ(here("b = 1 in i;"), "t.p:3:7: `in` needs a seq, a set or a map on its right; this is `int`\n");
  EXPECT_EQ(here("i = s[0] + t[1] + sizeof(s) + sizeof(m); b = m[\"k\"]; s = keys(default(map[int, bool]));"),
            "");
  EXPECT_EQ(here("i = s[b];"), "t.p:3:7: this is `bool`, but `int` is needed\n");
  EXPECT_EQ(here("i = sizeof(u);"),
            "t.p:3:12: `sizeof` needs a seq, a set or a map; this is `(int, bool)`\n");
  EXPECT_EQ(here("s = keys(s);"), "t.p:3:10: `keys` needs a map; this is `seq[int]`\n");
  EXPECT_EQ(here("s = values(t);"), "t.p:3:12: `values` needs a map; this is `set[int]`\n");
}

TEST(Tuples, HaveNamesOrNot) {
  EXPECT_EQ(here("u = (1, true); n = (a = 1, b = u); i = n.b.0; i = (1,).0; i = (a = 1,).a;"), "");
  EXPECT_EQ(here("u = (a = 1, b = true);"),
            "t.p:3:5: this is `(a: int, b: bool)`, but `(int, bool)` is needed\n");
  EXPECT_EQ(here("n = (b = u, a = 1);"),
            "t.p:3:5: this is `(b: (int, bool), a: int)`, but `(a: int, b: (int, bool))` is needed\n");
  EXPECT_EQ(here("x = (a = 1, a = 2);"), "t.p:3:13: this tuple already has a field `a`\n");
  EXPECT_EQ(here("i = u.2;"), "t.p:3:7: `(int, bool)` has no field `2`\n");
  EXPECT_EQ(here("i = n.0;"),
            "t.p:3:7: `.0` needs a tuple without names; this is `(a: int, b: (int, bool))`\n");
  EXPECT_EQ(here("i = u.a;"), "t.p:3:7: `.a` needs a tuple with names; this is `(int, bool)`\n");
  EXPECT_EQ(
      here("i = me.i;"),
      "t.p:3:8: variables of a machine are its own; `.i` needs a tuple with names, and this is `Main`\n");
  EXPECT_EQ(here("x = (a = 1);"), "t.p:3:5: a tuple of one field ends with a comma: (a = ...,)\n");
}

TEST(Conversions, CastToWhatItMayBe) {
  EXPECT_EQ(here("i = x as int; x = i as any; s = x as seq[int]; r = x as machine; me = r as Main;"), "");
  EXPECT_EQ(here("i = b as int;"), "t.p:3:7: `bool` is never `int`\n");
  EXPECT_EQ(
      here("x = q as U;"),
      "t.p:3:5: `q` is not declared: no variable, element of an enum or event has that name\n"
      "t.p:3:10: `U` is not declared: no type, enum, machine, interface, event set or event has that name\n");
}

TEST(Conversions, ConvertNumbersEnumsAndReferences) {
  EXPECT_EQ(here("f = i to float; i = f to int; i = c to int; me = r to Main; i = i to int;"), "");
  EXPECT_EQ(here("c = i to Color;"),
            "t.p:3:7: `to` converts to `int`, `float` or an interface, not to `Color`\n");
  EXPECT_EQ(here("i = b to int;"), "t.p:3:7: `bool` cannot be converted to `int`\n");
  EXPECT_EQ(here("me = i to Main;"), "t.p:3:8: `int` cannot be converted to `Main`\n");
}

TEST(Permissions, FitWhereTheEventsAreTheSame) {
  const std::string_view program =
      "event a; event b; eventset Both = {a, b}; eventset One = {a}; interface I() receives a;\n"
      "machine M { var both: Both; var one: One; var i: I; var d: data; start state S { entry {\n";
  const auto here = [&](std::string_view statements) {
    return said(std::string(program) + std::string(statements) + "\n} } }");
  };
  EXPECT_EQ(here("one = i; i = one; one = both to One; i = both to I;"), "");
  EXPECT_EQ(here("one = both;"), "t.p:3:7: this is `Both`, but `One` is needed\n");
  EXPECT_EQ(here("both = one to Both;"), "t.p:3:12: `One` is no `Both`: it need not receive `b`\n");
  EXPECT_EQ(here("one = null;"), "t.p:3:7: this is `null`, but `One` is needed, which is never null\n");
  EXPECT_EQ(here("d = (1, seq[int]);"), "t.p:3:9: expected an expression; found `seq`\n");
  EXPECT_EQ(here("d = (1, \"a\"); d = null; d = default(seq[event]);"), "");
  EXPECT_EQ(here("d = (1, i);"), "t.p:3:5: this is `(int, I)`, but `data` is needed\n");
}

TEST(Choices, AreOfTruthsNumbersAndElements) {
  EXPECT_EQ(
      here("b = $; b = $$; b = choose(); i = choose(10000); i = choose(s); i = choose(t); text = choose(m);"),
      "");
  EXPECT_EQ(here("i = choose(10001);"),
            "t.p:3:12: `choose` takes at most 10000 alternatives; this is 10001\n");
  EXPECT_EQ(here("i = choose(b);"),
            "t.p:3:12: `choose` needs a number, a seq, a set or a map; this is `bool`\n");
}

TEST(Names, MustBeDeclared) {
  const std::string why = " is not declared: no variable, element of an enum or event has that name\n";
  EXPECT_EQ(here("x = q; x = q; x = p;"), "t.p:3:5: `q`" + why + "t.p:3:19: `p`" + why);
  EXPECT_EQ(here("c = BLUE;"), "t.p:3:5: `BLUE`" + why);
  EXPECT_EQ(said("fun f(): machine { return this; }"), "t.p:1:27: `this` stands outside of a machine\n");
}

TEST(Strings, HavePlacesForArguments) {
  EXPECT_EQ(here("text = format(\"{0} and {1}, {0}\", i, s); text = \"{{}}\\n\\\"\\u0041\";"), "");
  EXPECT_EQ(here("text = format(\"{0} {1}\", i);"),
            "t.p:3:15: this string has places for 2 arguments; it gets 1\n");
  EXPECT_EQ(here("text = \"{0}\";"), "t.p:3:8: this string has places for 1 argument; it gets 0\n");
  const std::string braces =
      "braces in a string are around the number of an argument, as in `{0}`, or doubled\n";
  EXPECT_EQ(here("text = \"{a}\";"), "t.p:3:8: " + braces);
  EXPECT_EQ(here("text = \"}\";"), "t.p:3:8: " + braces);
  EXPECT_EQ(here("text = \"{\";"), "t.p:3:8: " + braces);
  EXPECT_EQ(here("text = \"{99999999999}\";"), "t.p:3:8: " + braces);
  EXPECT_EQ(here("text = \"\\q\";"), "t.p:3:8: `\\q` is no escape that a string of P may have\n");
}

TEST(Faults, AreReportedOnceAndNotWhatFollows) {
  EXPECT_EQ(
      here(
          "i = (q + 1) * 2; b = q == 1 && !q; foreach (i in q) {} send q, q, q; s[q] = q.a.b[q]; i = f1(q);"),
      "t.p:3:6: `q` is not declared: no variable, element of an enum or event has that name\n"
      "t.p:3:91: `f1` is not declared: no function has that name\n");
}

}  // namespace
}  // namespace ravel::p
