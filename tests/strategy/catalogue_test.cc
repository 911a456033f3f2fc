#include "strategy/catalogue.h"

#include <gtest/gtest.h>

#include <set>

namespace ravel {
namespace {

TEST(Catalogue, MakesEveryStrategyThatItNames) {
  std::set<std::string_view> names;
  for (const StrategyEntry& entry : strategies()) {
    EXPECT_TRUE(names.insert(entry.name).second);
    // Which has no executions to decide about.
    if (entry.traits.by_states) {
      EXPECT_EQ(entry.make, nullptr);
      EXPECT_EQ(make_strategy(entry.name, {}).error().message,
                std::string(entry.name) + " visits states, and runs no executions");
      continue;
    }
    const auto strategy = make_strategy(entry.name, {.seed = 4, .executions = 2, .bound = 3});
    ASSERT_TRUE(strategy);
    EXPECT_TRUE((*strategy)->next_execution());
  }
  EXPECT_EQ((*make_strategy("random", {.seed = 4, .executions = {}, .bound = {}}))->name(),
            "random walk, seed 4");
  EXPECT_EQ((*make_strategy("preemption", {.seed = 4, .executions = {}, .bound = 3}))->name(),
            "preemption bounding up to 3");
}

TEST(Catalogue, ListsTheNamesWhenItDoesNotKnowOne) {
  EXPECT_EQ(make_strategy("magic", {}).error().message,
            "there is no strategy 'magic'; choose one of: dpor, preemption, delay, variants, vt, dfs, "
            "states, shortest, ses, random, irs, pct, pos, surw, ss, ses,ss");
}

}  // namespace
}  // namespace ravel
