#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "p/checker/parameter_grid.h"
#include "tests/p_checker/checked.h"

namespace ravel::p {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::string_view kProgram =
    "param a, b: int; param up: bool; param name: string;\n"
    "machine Main { var k: int; start state S { entry { k = a + b; if (up) k = 0; } } }\n";

// The declarations are line 3.
CheckedSources with(std::string_view declarations) {
  return checked(std::string(kProgram) + std::string(declarations));
}
std::string said_of(std::string_view declarations) { return with(declarations).messages(); }

std::vector<std::string> tests_of(std::string_view declarations) {
  const CheckedSources result = with(declarations);
  EXPECT_TRUE(result.ok()) << result.messages();
  std::vector<std::string> names;
  for (const TestCase& test : result.program->tests) names.push_back(test.name);
  return names;
}

TEST(Parameters, MakeOneTestOfEachCombination) {
  EXPECT_THAT(
      tests_of("test param (a in [1, -2], up in [true, false]) t [main = Main]: { Main };"),
      ElementsAre("t___a_1__up_true", "t___a_neg2__up_true", "t___a_1__up_false", "t___a_neg2__up_false"));
  EXPECT_THAT(tests_of("test t [main = Main]: { Main };"), ElementsAre("t"));
  const CheckedSources result = with("test param (b in [7]) t [main = Main]: { Main };");
  EXPECT_THAT(result.program->tests[0].parameters, ElementsAre(std::nullopt, 7, std::nullopt, std::nullopt));
}

TEST(Parameters, AreWhatATestAssumes) {
  EXPECT_THAT(
      tests_of(
          "test param (a in [1, 2, 3], b in [1, 2]) assume (a < b || a == b + 1) t [main = Main]: { Main };"),
      ElementsAre("t___a_2__b_1", "t___a_1__b_2", "t___a_3__b_2"));
  EXPECT_THAT(tests_of("test param (a in [1, 2]) assume (up == (a > 1)) t [main = Main]: { Main };"),
              ElementsAre("t___a_1"));
  EXPECT_EQ(said_of("test param (a in [1]) assume a > 1 t [main = Main]: { Main };"),
            "t.p:3:36: warning: no combination of parameters is what this test assumes: it is none\n");
  EXPECT_EQ(said_of("test param (a in [1]) assume (a) t [main = Main]: { Main };"),
            "t.p:3:31: this is `int`, but `bool` is needed\n");
  EXPECT_EQ(said_of("test param (a in [1]) assume (a / 0 == 1) t [main = Main]: { Main };"),
            "t.p:3:31: what this test assumes has no value for a_1\n");
  EXPECT_EQ(said_of("test param (a in [1]) assume ($) t [main = Main]: { Main };"),
            "t.p:3:31: what this test assumes has no value for a_1\n");
}

TEST(Parameters, HaveValuesOfTheirType) {
  EXPECT_EQ(said_of("test param (c in [1]) t [main = Main]: { Main };"),
            "t.p:3:13: `c` is not declared: no `param` has that name\n");
  EXPECT_EQ(said_of("test param (a in [true]) t [main = Main]: { Main };"),
            "t.p:3:19: this is `bool`, but `int` is needed\n");
  EXPECT_EQ(said_of("test param (name in [1]) t [main = Main]: { Main };"),
            "t.p:3:22: this is `int`, but `string` is needed\n");
  EXPECT_EQ(said_of("test param (a in [1, 2, 1]) t [main = Main]: { Main };"),
            "t.p:3:25: the value 1 is given twice\n");
  EXPECT_EQ(said_of("test param (a in [1], a in [2]) t [main = Main]: { Main };"),
            "t.p:3:23: `a` already has values in this test\n");
}

TEST(Parameters, CannotBeChangedOrHidden) {
  const auto in_function = [](std::string_view text) {
    return said("param a: int;\nfun f() { " + std::string(text) + " }");
  };
  EXPECT_EQ(in_function("a = 1;"), "t.p:2:11: `a` is a parameter of tests, and cannot be changed\n");
  EXPECT_EQ(in_function("foreach (a in default(seq[int])) {}"),
            "t.p:2:20: `a` is a parameter of tests, and cannot be changed\n");
  EXPECT_EQ(in_function("var a: int;"), "t.p:2:15: `a` is a parameter of tests, declared at t.p:1:7\n");
  EXPECT_EQ(said("param a: int;\nmachine M { var a: int; start state S { } }"),
            "t.p:2:17: `a` is a parameter of tests, declared at t.p:1:7\n");
}

TEST(Parameters, HaveBoundedlyManyCombinations) {
  std::string text = "param p: bool";
  std::string lists;
  std::string names = "param ";
  for (int i = 0; i < 17; ++i) {
    names += (i > 0 ? ", p" : "p") + std::to_string(i);
    lists += (i > 0 ? ", p" : "p") + std::to_string(i) + " in [true, false]";
  }
  EXPECT_EQ(said(names + ": bool;\nmachine M { start state S { } }\ntest param (" + lists +
                 ") t [main = M]: { M };"),
            "t.p:3:" + std::to_string(12 + lists.size() + 3) +
                ": the parameters of `t` have more than 100000 combinations\n");
}

TEST(Parameters, AreCoveredInPairsOrMore) {
  EXPECT_EQ(said_of("test param (a in [1, 2]) pairwise t [main = Main]: { Main };"),
            "t.p:3:26: `pairwise` needs at least that many parameters; this test has 1\n");
  EXPECT_EQ(said_of("test param (a in [1, 2]) (2 wise) t [main = Main]: { Main };"),
            "t.p:3:26: `(2 wise)` needs at least that many parameters; this test has 1\n");
  EXPECT_EQ(said_of("test param (a in [1, 2]) (0 wise) t [main = Main]: { Main };"),
            "t.p:3:27: `(0 wise)` covers nothing: it is at least 1\n");
  EXPECT_EQ(tests_of("test param (a in [1, 2, 3], b in [4, 5, 6], up in [true, false]) (1 wise) t [main = "
                     "Main]: { Main };")
                .size(),
            3u);
  EXPECT_EQ(tests_of("test param (a in [1, 2, 3], b in [4, 5, 6], up in [true, false]) pairwise t [main = "
                     "Main]: { Main };")
                .size(),
            9u);
}

// Every choice of values for `wise` parameters that some allowed combination has.
std::set<Combination> choices(const std::vector<Combination>& from, std::uint32_t wise) {
  std::set<Combination> result;
  for (const Combination& one : from)
    for (std::uint32_t mask = 0; mask < (1u << one.size()); ++mask) {
      if (static_cast<std::uint32_t>(std::popcount(mask)) != wise) continue;
      Combination choice;
      for (std::uint32_t i = 0; i < one.size(); ++i) choice.push_back((mask >> i & 1) != 0 ? one[i] + 1 : 0);
      result.insert(choice);
    }
  return result;
}

TEST(ParameterGrid, CoversEveryChoiceOfAllSmallGrids) {
  for (std::uint32_t a = 1; a <= 3; ++a)
    for (std::uint32_t b = 1; b <= 3; ++b)
      for (std::uint32_t c = 1; c <= 3; ++c)
        for (std::uint32_t wise = 1; wise <= 3; ++wise)
          for (std::uint32_t without = 0; without < 4; ++without) {
            std::vector<Combination> allowed;
            for (const Combination& one : all_combinations({a, b, c}))
              if (without == 0 || (one[0] + one[1] * 2 + one[2]) % (without + 1) != 0) allowed.push_back(one);
            const std::vector<Combination> taken = covering(allowed, wise);
            EXPECT_EQ(choices(taken, wise), choices(allowed, wise)) << a << b << c << " " << wise;
            EXPECT_LE(taken.size(), allowed.size());
          }
  EXPECT_THAT(covering({}, 2), IsEmpty());
  EXPECT_EQ(covering(all_combinations({3, 3, 3, 3}), 2).size(), 9u);
}

}  // namespace
}  // namespace ravel::p
