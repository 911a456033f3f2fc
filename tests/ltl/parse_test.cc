#include "ltl/parse.h"

#include <gtest/gtest.h>

#include "ltl/print.h"
#include "tests/ltl/lasso.h"

namespace ravel::ltl {
namespace {

// What a text is read as, or the error.
std::string read(std::string_view text) {
  FormulaPool pool;
  const auto formula = parse(text, pool);
  return formula ? to_string(pool, *formula) : formula.error().message;
}

TEST(Parse, WordsSignsAndLettersMayBeMixed) {
  const std::string response = "always (request -> eventually release)";
  for (const char* text : {"always (request -> eventually release)", "[](request -> <>release)",
                           "G(request => F release)", "[] (request implies F release)",
                           "always(request->eventually(release))", "G\n(request\t->\n<> release)"})
    EXPECT_EQ(read(text), response) << text;
  EXPECT_EQ(read("a && b || !c"), "a && b || !c");
  EXPECT_EQ(read("a and b or not c"), "a && b || !c");
  EXPECT_EQ(read("a /\\ b \\/ ~c"), "a && b || !c");
  EXPECT_EQ(read("a & b | ! c"), "a && b || !c");
  EXPECT_EQ(read("a iff b"), "a <-> b");
  EXPECT_EQ(read("a <=> b"), "a <-> b");
  EXPECT_EQ(read("a U b"), "a until b");
  EXPECT_EQ(read("a R b"), "a release b");
  EXPECT_EQ(read("a V b"), "a release b");
  EXPECT_EQ(read("a W b"), "a weak until b");
  EXPECT_EQ(read("a weak   until b"), "a weak until b");
  EXPECT_EQ(read("a M b"), "a strong release b");
  EXPECT_EQ(read("a strong release b"), "a strong release b");
  EXPECT_EQ(read("X next a"), "next next a");
  EXPECT_EQ(read("GF a & FG b & XXX c"), "always eventually a && eventually always b && next next next c");
  EXPECT_EQ(read("true U 1 & (false | 0)"), "(true until true) && (false || false)");
}

TEST(Parse, OperatorsBindAsTightlyAsTheTableSays) {
  EXPECT_EQ(read("a -> b -> c"), read("a -> (b -> c)"));
  EXPECT_EQ(read("(a -> b) -> c"), "(a -> b) -> c");
  EXPECT_EQ(read("a U b U c"), "a until (b until c)");
  EXPECT_EQ(read("a U b R c"), "a until (b release c)");
  EXPECT_EQ(read("a | b & c U d"), "a || b && (c until d)");
  EXPECT_EQ(read("(a | b) & c"), "(a || b) && c");
  EXPECT_EQ(read("a <-> b -> c | d"), "a <-> b -> c || d");
  EXPECT_EQ(read("(a <-> b) -> c"), "(a <-> b) -> c");
  EXPECT_EQ(read("! a U b"), "!a until b");
  EXPECT_EQ(read("!(a U b)"), "!(a until b)");
  EXPECT_EQ(read("G a -> F b"), "always a -> eventually b");
  EXPECT_EQ(read("a & (b & c)"), "a && (b && c)");
  EXPECT_EQ(read("(a & b) & c"), "a && b && c");
}

TEST(Parse, PropositionsAreKeptAsText) {
  const auto atom = [](std::string_view text) {
    FormulaPool pool;
    const auto formula = parse(text, pool);
    EXPECT_TRUE(formula && pool.op(*formula) == Operator::kAtom) << text << read(text);
    return formula ? std::string(pool.text(*formula)) : "";
  };
  EXPECT_EQ(atom("holds(client1)"), "holds(client1)");
  EXPECT_EQ(atom("holds( client1 ,{ a , [1, 2] })"), "holds(client1,{a,[1,2]})");
  EXPECT_EQ(atom("f(\"a )  b\", 'x y', not z)"), "f(\"a )  b\",'x y',not z)");
  EXPECT_EQ(atom("my_mod:is_idle"), "my_mod:is_idle");
  EXPECT_EQ(atom("my_mod:is_idle(x)"), "my_mod:is_idle(x)");
  EXPECT_EQ(atom("'my mod':is_idle"), "'my mod':is_idle");
  EXPECT_EQ(atom("my_mod:'is idle'(x)"), "my_mod:'is idle'(x)");
  EXPECT_EQ(atom("My.Server.idle"), "My.Server.idle");
  EXPECT_EQ(atom("ns::is_idle()"), "ns::is_idle()");
  EXPECT_EQ(atom("'x == 3'"), "x == 3");
  EXPECT_EQ(atom("\"x == 3\""), "x == 3");
  EXPECT_EQ(atom("'it\\'s'"), "it's");
  EXPECT_EQ(atom("'holds(client1)'"), "holds(client1)");
  EXPECT_EQ(atom("always:x"), "always:x");
  EXPECT_EQ(atom("'always'"), "always");
  EXPECT_EQ(atom("release"), "release");
  EXPECT_EQ(atom("Gate"), "Gate");
  EXPECT_EQ(atom("R2"), "R2");
  EXPECT_EQ(atom("größe"), "größe");
  EXPECT_EQ(read("release release release"), "release release release");
  EXPECT_EQ(read("X(a) & not(b) & a(b) U (c)"), "next a && !b && (a(b) until c)");
  EXPECT_EQ(read("'always' & 'GFp' & 'U' & '' & x"),
            "column 26: of this proposition there is nothing between the quotes");
  EXPECT_EQ(read("'always' & 'GFp' & 'U' & weak"), "'always' && 'GFp' && 'U' && weak");
  EXPECT_EQ(read("'a & b' & 'it\\'s' & 'c\\\\'"), "'a & b' && 'it\\'s' && 'c\\\\'");
}

TEST(Parse, ErrorsSayWhereAndWhatWasExpected) {
  const std::string operand =
      "expected a proposition, `true`, `false`, `(`, or an operator such as `not` or `always`; found ";
  const std::string op = "expected an operator such as `and`, `->` or `until`";
  EXPECT_EQ(read(""), "column 1: " + operand + "the end");
  EXPECT_EQ(read("a &"), "column 4: " + operand + "the end");
  EXPECT_EQ(read("a & )"), "column 5: " + operand + "`)`");
  EXPECT_EQ(read("always (a -> )"), "column 14: " + operand + "`)`");
  EXPECT_EQ(read("-> a"), "column 1: " + operand + "`->`");
  EXPECT_EQ(read("a b"), "column 3: " + op + ", or the end; found `b`");
  EXPECT_EQ(read("a <> b"), "column 3: " + op + ", or the end; found `<>`");
  EXPECT_EQ(read("a ! b"), "column 3: " + op + ", or the end; found `!`");
  EXPECT_EQ(read("a)"), "column 2: " + op + ", or the end; found `)`");
  EXPECT_EQ(read("(a | (b & c)"), "column 13: " + op + ", or the `)` for the `(` of column 1; found the end");
  EXPECT_EQ(read("größe & ü §"), "column 11: " + op + ", or the end; found `§`");
  EXPECT_EQ(read("a weak b"), "column 3: " + op + ", or the end; found `weak`");
  EXPECT_EQ(
      read("U a"),
      "column 1: the operator `U` has no left operand; if a proposition is meant, write it in quotes: 'U'");
  EXPECT_EQ(read("a & until"),
            "column 5: the operator `until` has no left operand; if a proposition is meant, "
            "write it in quotes: 'until'");
  EXPECT_EQ(read("GFp"),
            "column 1: `GFp` may be operators and a proposition; write `GF p`, or 'GFp' in quotes "
            "if it is one proposition");
  EXPECT_EQ(read("a & 'b"), "column 5: of this proposition the quote is not closed");
  EXPECT_EQ(read("a & f(b, [c)"), "column 5: of this proposition the brackets of its arguments do not match");
  EXPECT_EQ(read("a & f(b"), "column 5: of this proposition the brackets of its arguments do not match");
  EXPECT_EQ(read("2 & a"), "column 1: " + operand + "`2`");
}

TEST(Parse, AFormulaOfAnyDepthIsReadOrRefused) {
  EXPECT_EQ(read(std::string(1001, '!') + "a"),
            "column 1001: more than 1000 operators and parentheses in a formula");
  EXPECT_EQ(read(std::string(1000, '!') + "a"), std::string(1000, '!') + "a");
  EXPECT_EQ(read(std::string(1000, '(') + "a" + std::string(1000, ')')), "a");
  EXPECT_NE(read(std::string(100'000, '(')).find("more than 1000"), std::string::npos);
  std::string chain = "a";
  for (int i = 0; i < 1000; ++i) chain += " U a";
  EXPECT_EQ(read(chain).find("column"), std::string::npos);
  EXPECT_NE(read(chain + " U a").find("more than 1000"), std::string::npos);
}

TEST(Parse, WhatIsPrintedIsReadAsTheSameFormula) {
  for (std::uint64_t seed = 0; seed < 20'000; ++seed) {
    Random random(seed);
    FormulaPool pool;
    const Formula formula = random_formula(random, pool, static_cast<unsigned>(1 + random.below(20)));
    const std::string text = to_string(pool, formula);
    const auto again = parse(text, pool);
    ASSERT_TRUE(again) << text << ": " << again.error().message;
    ASSERT_EQ(*again, formula) << text;
  }
}

TEST(Parse, PropositionsOfAnyTextArePrintedSoThatTheyAreReadAgain) {
  constexpr std::string_view kCharacters = "aGFXU_1.: '\"\\()[],&|!";
  for (std::uint64_t seed = 0; seed < 20'000; ++seed) {
    Random random(seed);
    std::string text;
    for (std::uint64_t i = 1 + random.below(6); i > 0; --i)
      text += kCharacters[random.below(kCharacters.size())];
    FormulaPool pool;
    const Formula formula =
        pool.unary(Operator::kAlways, pool.binary(Operator::kAnd, pool.atom(text), kTrue));
    const auto again = parse(to_string(pool, formula), pool);
    ASSERT_TRUE(again) << text << ": " << again.error().message;
    ASSERT_EQ(*again, formula) << text;
  }
}

TEST(Parse, RandomTextsAreReadOrRefused) {
  const std::vector<std::string> pieces = {"a",  "(",  ")",    "U",    "G",     "&&",      "->", "'",
                                           "\\", "f(", ":",    "weak", "until", " ",       "\"", "[]",
                                           "[",  "]",  "true", "0",    "\xc3",  "release", "<",  "."};
  std::size_t read_count = 0;
  for (std::uint64_t seed = 0; seed < 50'000; ++seed) {
    Random random(seed);
    std::string text;
    for (std::uint64_t i = random.below(8); i > 0; --i) text += pieces[random.below(pieces.size())];
    FormulaPool pool;
    const auto formula = parse(text, pool);
    if (!formula) {
      ASSERT_TRUE(formula.error().message.starts_with("column ")) << text;
    } else {
      ++read_count;
    }
  }
  EXPECT_GT(read_count, 1000u);
}

}  // namespace
}  // namespace ravel::ltl
