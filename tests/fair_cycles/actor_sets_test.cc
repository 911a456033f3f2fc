#include "fair_cycles/actor_sets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>

#include "base/random.h"

namespace ravel::fair_cycles {
namespace {

std::vector<Actor> as_vector(std::span<const Actor> members) { return {members.begin(), members.end()}; }

TEST(ActorSets, EqualSetsAreTheSameNumber) {
  ActorSets sets;
  std::vector<Actor> some = {Actor{7}, Actor{3}, Actor{7}}, same = {Actor{3}, Actor{7}}, none;
  const ActorSet first = sets.intern(some);
  EXPECT_EQ(sets.intern(same), first);
  EXPECT_EQ(as_vector(sets.members(first)), (std::vector<Actor>{Actor{3}, Actor{7}}));
  EXPECT_EQ(sets.intern(none), kNoActors);
  EXPECT_TRUE(sets.contains(first, Actor{7}));
  EXPECT_FALSE(sets.contains(first, Actor{4}));
  EXPECT_FALSE(sets.contains(first, kNoActor));
}

TEST(ActorSets, OperationsAreThoseOfSets) {
  Random random(1);
  ActorSets sets;
  std::vector<ActorSet> known;
  for (int i = 0; i < 300; ++i) {
    std::vector<Actor> actors;
    for (std::uint32_t actor = 0; actor < 12; ++actor)
      if (random.chance(1, 2)) actors.push_back(Actor{actor * 1000});
    known.push_back(sets.intern(actors));
  }
  for (int i = 0; i < 100'000; ++i) {
    const ActorSet a = known[random.below(known.size())], b = known[random.below(known.size())];
    const std::vector<Actor> left = as_vector(sets.members(a)), right = as_vector(sets.members(b));
    std::vector<Actor> expected;
    std::ranges::set_intersection(left, right, std::back_inserter(expected));
    ASSERT_EQ(as_vector(sets.members(sets.intersection(a, b))), expected);
    const Actor actor{static_cast<std::uint32_t>(random.below(12) * 1000)};
    expected = left;
    std::erase(expected, actor);
    ASSERT_EQ(as_vector(sets.members(sets.without(a, actor))), expected);
  }
}

}  // namespace
}  // namespace ravel::fair_cycles
