#include "tests/ltl/other_translators.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

#include "ltl/print.h"
#include "ltl/translate.h"

namespace ravel::ltl {
namespace {

using Translator = std::optional<TestAutomaton> (*)(const FormulaPool&, Formula);

// The languages agree on random words, and no automaton of ours has more states.
void compare_with(Translator translator, std::uint64_t formulas, bool with_next) {
  std::size_t ours = 0, theirs = 0, larger = 0;
  for (std::uint64_t seed = 0; seed < formulas; ++seed) {
    Random random(seed);
    FormulaPool pool;
    const Formula formula = random_formula(random, pool, static_cast<unsigned>(2 + random.below(9)));
    if (!with_next && uses_next(pool, formula)) continue;
    const auto other = translator(pool, formula);
    ASSERT_TRUE(other) << to_string(pool, formula);
    const auto own = translate(pool, formula);
    ASSERT_TRUE(own);
    const TestAutomaton automaton = for_test(*own);
    for (int i = 0; i < 100; ++i) {
      const Lasso word = random_lasso(random, 8);
      ASSERT_EQ(accepts(automaton, word), accepts(*other, word))
          << seed << ": " << to_string(pool, formula) << " on" << word.to_string();
    }
    // An automaton of ours has a state although it accepts nothing.
    larger += automaton.states.size() > std::max<std::size_t>(1, other->states.size()) ? 1 : 0;
    ours += automaton.states.size();
    theirs += other->states.size();
  }
  EXPECT_EQ(larger, 0u);
  EXPECT_LT(ours, theirs);
  std::printf("states: %zu of ours, %zu of theirs\n", ours, theirs);
}

TEST(OtherTranslators, LbtAcceptsTheSameWords) {
  if (!is_installed("lbt")) GTEST_SKIP() << "lbt is not installed";
  compare_with(translated_by_lbt, 1000, true);
}

TEST(OtherTranslators, SpinAcceptsTheSameWords) {
  if (!is_installed("spin")) GTEST_SKIP() << "spin is not installed";
  compare_with(translated_by_spin, 150, false);
}

}  // namespace
}  // namespace ravel::ltl
