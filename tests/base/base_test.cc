#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <set>

#include "base/check.h"
#include "base/clock.h"
#include "base/hash.h"
#include "base/random.h"
#include "base/result.h"

namespace ravel {
namespace {

TEST(Check, PassesSilentlyAndDiesWithExpressionPlaceAndMessage) {
  CHECK(1 + 1 == 2);
  EXPECT_DEATH(CHECK(1 + 1 == 3), "base_test.cc:[0-9]+: internal error: CHECK\\(1 \\+ 1 == 3\\) failed");
  EXPECT_DEATH(CHECK_MESSAGE(false, "the reason"), "failed: the reason");
}

TEST(Result, HoldsAValueOrAnError) {
  const Result<int> value = 7;
  EXPECT_TRUE(value);
  EXPECT_EQ(*value, 7);
  const Result<int> error = Error{"no luck"};
  EXPECT_FALSE(error);
  EXPECT_EQ(error.error().message, "no luck");
}

TEST(Result, HoldsValuesThatCanOnlyMove) {
  Result<std::unique_ptr<int>> result = std::make_unique<int>(3);
  const std::unique_ptr<int> taken = *std::move(result);
  EXPECT_EQ(*taken, 3);
}

TEST(Result, DiesWhenTheWrongSideIsRead) {
  const Result<int> error = Error{"no luck"};
  EXPECT_DEATH(error.value(), "no luck");
  const Result<int> value = 7;
  EXPECT_DEATH(value.error(), "holds a value");
}

TEST(Random, GivesTheSameNumbersOnEveryMachine) {
  // The well-known first outputs of xoshiro256** whose state splitmix64 fills from seed 0.
  Random random(0);
  EXPECT_EQ(random.next(), 0x99ec5f36cb75f2b4u);
  EXPECT_EQ(random.next(), 0xbf6e1f784956452au);
  EXPECT_EQ(random.next(), 0x1a5f849d4933e6e0u);
}

TEST(Random, DrawsEveryNumberBelowTheBoundAboutEquallyOften) {
  Random random(1);
  std::map<std::uint64_t, int> seen;
  for (int i = 0; i < 60'000; ++i) ++seen[random.below(6)];
  ASSERT_EQ(seen.size(), 6u);
  EXPECT_LT(seen.rbegin()->first, 6u);
  for (const auto& [number, times] : seen) EXPECT_NEAR(times, 10'000, 400);
  EXPECT_EQ(random.below(1), 0u);
  EXPECT_DEATH(random.below(0), "bound > 0");
}

TEST(Random, StaysBelowBoundsThatAreNoPowerOfTwoAndHuge) {
  Random random(2);
  const std::uint64_t bound = (std::uint64_t{1} << 63) + 1;  // half of the draws are rejected
  for (int i = 0; i < 1000; ++i) EXPECT_LT(random.below(bound), bound);
}

TEST(Random, UnitIsInTheHalfOpenInterval) {
  Random random(3);
  double sum = 0;
  for (int i = 0; i < 10'000; ++i) {
    const double x = random.unit();
    EXPECT_GE(x, 0);
    EXPECT_LT(x, 1);
    sum += x;
  }
  EXPECT_NEAR(sum / 10'000, 0.5, 0.02);
}

TEST(Hash, TellsApartOrderLengthAndContent) {
  std::set<std::uint64_t> seen;
  std::string text;
  for (int length = 0; length < 40; ++length) {
    EXPECT_TRUE(seen.insert(hash_string(text)).second) << "zeros of different length collide";
    for (std::size_t i = 0; i < text.size(); ++i) {
      std::string other = text;
      other[i] = 1;
      EXPECT_TRUE(seen.insert(hash_string(other)).second);
    }
    text += '\0';
  }
  EXPECT_NE(combine(combine(0, 1), 2), combine(combine(0, 2), 1));
  EXPECT_NE(hash_string("a", 1), hash_string("a", 2));
}

TEST(Hash, IsTheSameInEveryRun) {
  EXPECT_EQ(mix(0), 0xe220a8397b1dcdafu);  // the first output of splitmix64 from seed 0
  EXPECT_EQ(hash_string("ravel"), hash_string(std::string("ravel")));
}

TEST(Clock, NeverGoesBack) {
  SteadyClock clock;
  const double before = clock.seconds();
  EXPECT_LE(before, clock.seconds());
}

}  // namespace
}  // namespace ravel
