#include "ltl/translate.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "ltl/normal_form.h"
#include "ltl/parse.h"
#include "ltl/print.h"
#include "tests/ltl/lasso.h"

namespace ravel::ltl {
namespace {

// Compares a formula on words with its automaton, and with that of its negation.
void compare(FormulaPool& pool, Formula formula, const std::vector<Lasso>& words) {
  const auto yes = translate(pool, formula);
  const auto no = translate_negation(pool, formula);
  ASSERT_TRUE(yes && no) << to_string(pool, formula);
  const TestAutomaton automaton = for_test(*yes), opposite = for_test(*no);
  for (const Lasso& word : words) {
    const bool expected = holds(pool, formula, word);
    ASSERT_EQ(accepts(automaton, word), expected)
        << to_string(pool, formula) << " on" << word.to_string() << "\n"
        << to_hoa(*yes, "yes");
    ASSERT_EQ(accepts(opposite, word), !expected)
        << "not " << to_string(pool, formula) << " on" << word.to_string() << "\n"
        << to_hoa(*no, "no");
  }
}

// What automaton.h promises.
void check_invariants(const Automaton& automaton) {
  ASSERT_FALSE(automaton.states.empty());
  for (const auto& edges : automaton.states) {
    ASSERT_TRUE(automaton.states.size() == 1 || !edges.empty());
    for (const AutomatonEdge& edge : edges) {
      ASSERT_EQ(edge.required & edge.forbidden, 0u);
      ASSERT_LT(edge.target, automaton.states.size());
      ASSERT_EQ(edge.acceptance & ~automaton.all_acceptance_sets(), 0u);
    }
  }
}

TEST(Translate, AutomataOfRandomFormulasAcceptWhatTheFormulasSay) {
  for (std::uint64_t seed = 0; seed < 6000; ++seed) {
    Random random(seed);
    FormulaPool pool;
    const Formula formula = random_formula(random, pool, static_cast<unsigned>(2 + random.below(10)));
    std::vector<Lasso> words;
    for (int i = 0; i < 30; ++i) words.push_back(random_lasso(random, 7));
    SCOPED_TRACE(seed);
    compare(pool, formula, words);
    check_invariants(*translate(pool, formula));
    if (testing::Test::HasFatalFailure()) return;
  }
}

TEST(Translate, AutomataOfLongFormulasAcceptWhatTheFormulasSay) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Random random(1'000'000 + seed);
    FormulaPool pool;
    const Formula formula = random_formula(random, pool, static_cast<unsigned>(12 + random.below(6)));
    std::vector<Lasso> words;
    for (int i = 0; i < 50; ++i) words.push_back(random_lasso(random, 12));
    SCOPED_TRACE(seed);
    compare(pool, formula, words);
    if (testing::Test::HasFatalFailure()) return;
  }
}

TEST(Translate, SmallFormulasAreRightOnAllShortWords) {
  const std::vector<Lasso> words = all_lassos(4, 2);
  FormulaPool pool;
  // Formulas of up to two operators, with simple right operands.
  std::vector<Formula> simple = {pool.atom("p0"), pool.atom("p1"), kTrue, kFalse};
  std::vector<Formula> formulas = simple;
  for (int round = 0; round < 2; ++round) {
    const std::vector<Formula> inner = formulas;
    for (int op = 0; op <= static_cast<int>(Operator::kStrongRelease); ++op)
      for (const Formula a : inner) {
        if (is_unary(Operator{static_cast<std::uint8_t>(op)}))
          formulas.push_back(pool.unary(Operator{static_cast<std::uint8_t>(op)}, a));
        if (is_binary(Operator{static_cast<std::uint8_t>(op)}))
          formulas.push_back(pool.binary(Operator{static_cast<std::uint8_t>(op)}, a, simple[1]));
      }
  }
  for (const Formula formula : formulas) {
    compare(pool, formula, words);
    if (testing::Test::HasFatalFailure()) return;
  }
}

TEST(Translate, FormulasInNormalFormSayTheSame) {
  for (std::uint64_t seed = 0; seed < 5000; ++seed) {
    Random random(seed);
    FormulaPool pool;
    NormalForm normal(pool);
    const Formula formula = random_formula(random, pool, static_cast<unsigned>(2 + random.below(14)));
    const Formula yes = normal.of(formula), no = normal.of_negation(formula);
    for (int i = 0; i < 40; ++i) {
      const Lasso word = random_lasso(random, 6);
      const bool expected = holds(pool, formula, word);
      ASSERT_EQ(holds(pool, yes, word), expected) << seed << ": " << to_string(pool, formula) << " and "
                                                  << to_string(pool, yes) << " on" << word.to_string();
      ASSERT_EQ(holds(pool, no, word), !expected) << seed << ": not " << to_string(pool, formula) << " and "
                                                  << to_string(pool, no) << " on" << word.to_string();
    }
  }
}

TEST(Translate, WhatFormulasAreCalledIsTrueOfThem) {
  for (std::uint64_t seed = 0; seed < 5000; ++seed) {
    Random random(seed);
    FormulaPool pool;
    NormalForm normal(pool);
    const auto some = [&] {
      return normal.of(random_formula(random, pool, static_cast<unsigned>(1 + random.below(6))));
    };
    const Formula a = some(), b = some();
    for (int i = 0; i < 40; ++i) {
      const Lasso word = random_lasso(random, 5);
      const bool holds_now = holds(pool, a, word);
      ASSERT_TRUE(!normal.implies(a, b) || !holds_now || holds(pool, b, word))
          << to_string(pool, a) << " implies " << to_string(pool, b);
      const bool holds_next = holds(pool, pool.unary(Operator::kNext, a), word);
      ASSERT_TRUE(!normal.is_eventual(a) || !holds_next || holds_now) << to_string(pool, a);
      ASSERT_TRUE(!normal.is_universal(a) || !holds_now || holds_next) << to_string(pool, a);
      Lasso stuttered = word;
      const std::size_t place = random.below(word.letters.size());
      stuttered.letters.insert(stuttered.letters.begin() + static_cast<long>(place), word.letters[place]);
      if (place < word.loop) ++stuttered.loop;
      ASSERT_TRUE(uses_next(pool, a) || holds(pool, a, stuttered) == holds_now) << to_string(pool, a);
    }
  }
}

TEST(Translate, AutomataSayWhetherTheFormulaIsASafetyPropertyAndUsesNext) {
  const auto translated = [](std::string_view text) {
    FormulaPool pool;
    return *translate(pool, *parse(text, pool));
  };
  for (const char* text : {"always p", "p weak until q", "always (p -> next q)", "!eventually p", "p R q"})
    EXPECT_TRUE(translated(text).is_safety) << text;
  for (const char* text : {"eventually p", "p until q", "always eventually p", "!(p R q)"})
    EXPECT_FALSE(translated(text).is_safety) << text;
  EXPECT_TRUE(translated("always (p -> next q)").uses_next);
  EXPECT_FALSE(translated("always (p -> eventually q)").uses_next);
  EXPECT_FALSE(translated("next always eventually q").uses_next);  // says the same without
  EXPECT_EQ(translated("always (p -> next q)").acceptance_sets, 0u);
  EXPECT_TRUE(translated("p && !p").is_empty());
  EXPECT_TRUE(translated("p || !p").accepts_all(0));
  EXPECT_TRUE(translated("eventually p && always !p").is_empty());
}

TEST(Translate, AnAutomatonIsWrittenInTheHanoiFormat) {
  FormulaPool pool;
  EXPECT_EQ(to_hoa(*translate(pool, *parse("always (p -> eventually holds(\"x\"))", pool)), "it"),
            "HOA: v1\n"
            "name: \"it\"\n"
            "States: 2\n"
            "Start: 0\n"
            "AP: 2 \"p\" \"holds(\\\"x\\\")\"\n"
            "acc-name: generalized-Buchi 1\n"
            "Acceptance: 1 Inf(0)\n"
            "properties: trans-labels explicit-labels trans-acc\n"
            "--BODY--\n"
            "State: 0\n"
            "[!0] 0 {0}\n"
            "[0&!1] 1\n"
            "[0&1] 0 {0}\n"
            "State: 1\n"
            "[!1] 1\n"
            "[1] 0 {0}\n"
            "--END--\n");
}

std::string many(unsigned count, const std::string& before, const std::string& between) {
  std::string text;
  for (unsigned i = 0; i < count; ++i) text += (i > 0 ? between : "") + before + "p" + std::to_string(i);
  return text;
}

TEST(Translate, LimitsAreToldAsErrors) {
  const auto error = [](const std::string& text) {
    FormulaPool pool;
    const auto automaton = translate(pool, *parse(text, pool));
    return automaton ? std::string() : automaton.error().message;
  };
  EXPECT_EQ(error(many(64, "", " | ")), "");
  EXPECT_NE(error(many(65, "", " | ")).find("more than 64 propositions"), std::string::npos);
  EXPECT_EQ(error(many(64, "G F ", " | ")), "");  // becomes one acceptance set
  EXPECT_EQ(error(many(64, "F ", " | ")), "");
  std::string pairs = "q";
  for (int i = 0; i < 72; ++i)
    pairs += " | X (p" + std::to_string(i % 9) + " U r" + std::to_string(i / 9) + " & G q)";
  EXPECT_NE(error(pairs).find("acceptance sets"), std::string::npos) << error(pairs);
  EXPECT_NE(error(many(20, "F ", " & ")).find("needs more than"), std::string::npos);
}

}  // namespace
}  // namespace ravel::ltl
