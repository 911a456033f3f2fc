#include "strategy/optimal_reduction/step_pool.h"

#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "base/random.h"

namespace ravel {
namespace {

StepName name_of(std::uint32_t actor, std::uint32_t ordinal) {
  return {.event = {.actor = ActorId{actor}, .ordinal = ordinal}};
}

TEST(StepPool, KeepsEqualStepsOnce) {
  StepPool pool;
  const std::vector<Touch> touches = {{.object = 7, .access = Access::kWrite}};
  const std::uint32_t one = pool.use(name_of(1, 0), 0, false, touches);
  EXPECT_EQ(pool.use(name_of(1, 0), 0, false, touches), one);
  EXPECT_EQ(pool[one].touches, touches);
  EXPECT_EQ(pool[one].summary.written, TouchSummary::of(touches).written);
  pool.drop(one);
  EXPECT_EQ(pool.use(name_of(1, 0), 0, false, touches), one);
}

TEST(StepPool, TellsStepsApartByAllThatTheyAre) {
  StepPool pool;
  const std::vector<Touch> write = {{.object = 7, .access = Access::kWrite}},
                           read = {{.object = 7, .access = Access::kRead}};
  std::map<std::uint32_t, int> numbers;
  ++numbers[pool.use(name_of(1, 0), 0, false, write)];
  ++numbers[pool.use(name_of(1, 0), 0, false, read)];
  ++numbers[pool.use(name_of(1, 0), 0, true, write)];
  ++numbers[pool.use(name_of(1, 0), 5, false, write)];
  ++numbers[pool.use(name_of(1, 1), 0, false, write)];
  ++numbers[pool.use(name_of(2, 0), 0, false, write)];
  ++numbers[pool.use(name_of(1, 0), 0, false, {})];
  StepName other = name_of(1, 0);
  other.choice = Choice::kExpiry;
  ++numbers[pool.use(other, 0, false, write)];
  EXPECT_EQ(numbers.size(), 8u);
}

TEST(StepPool, FindsEachStepWhileOthersComeAndGo) {
  StepPool pool;
  Random random(3);
  struct Used {
    std::uint32_t number;
    int uses;
  };
  std::map<std::uint32_t, Used> used;  // by actor
  for (int i = 0; i < 20'000; ++i) {
    const auto actor = static_cast<std::uint32_t>(random.below(500));
    const auto known = used.find(actor);
    if (known != used.end() && random.below(2) == 0) {
      pool.drop(known->second.number);
      if (--known->second.uses == 0) used.erase(known);
      continue;
    }
    const std::vector<Touch> touches(actor % 3, Touch{.object = actor});
    const std::uint32_t number = pool.use(name_of(actor, 0), 0, false, touches);
    if (known != used.end()) {
      ASSERT_EQ(number, known->second.number);
      ++known->second.uses;
    } else {
      for (const auto& [other, use] : used) ASSERT_NE(use.number, number) << other;
      used[actor] = {.number = number, .uses = 1};
    }
    ASSERT_EQ(pool[number].name, name_of(actor, 0));
    ASSERT_EQ(pool[number].touches, touches);
  }
}

TEST(StepPool, FindsStepsByTheirNewNames) {
  StepPool pool;
  const std::uint32_t one = pool.use(name_of(0, 0), 0, false, {}),
                      two = pool.use(name_of(1, 0), 0, false, {});
  const auto swap = [](StepName& name) {
    name.event.actor = name.event.actor == ActorId{0} ? ActorId{1} : ActorId{0};
    return true;
  };
  EXPECT_TRUE(pool.rename(swap));
  EXPECT_EQ(pool.use(name_of(1, 0), 0, false, {}), one);
  EXPECT_EQ(pool.use(name_of(0, 0), 0, false, {}), two);
  EXPECT_FALSE(pool.rename([](StepName&) { return false; }));
}

}  // namespace
}  // namespace ravel
