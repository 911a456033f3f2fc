// What is kept of states as hashes, against a set of them.
#include "states/visited_hashes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <vector>

#include "base/random.h"
#include "states/bit_filter.h"
#include "states/hash_set.h"

namespace ravel {
namespace {

Hash128 hash_of(std::uint64_t number) {
  WideHash hash(7);
  hash.add({.high = number, .low = 0});
  return hash.finish();
}

template <class Hash>
Hash part_of(const Hash128& hash) {
  if constexpr (sizeof(Hash) == sizeof(std::uint64_t))
    return hash.high;
  else
    return hash;
}

template <class Hash>
class HashSetTest : public testing::Test {};
using Sizes = testing::Types<std::uint64_t, Hash128>;
TYPED_TEST_SUITE(HashSetTest, Sizes);

// With every hash that was inserted looked for again, and as many others, after each time that it grows.
TYPED_TEST(HashSetTest, KnowsWhatWasInsertedWhileItGrows) {
  HashSet<TypeParam> set;
  constexpr std::uint64_t kHashes = 300'000;
  std::size_t bytes = set.bytes(), growths = 0;
  for (std::uint64_t i = 0; i < kHashes; ++i) {
    ASSERT_TRUE(set.insert(part_of<TypeParam>(hash_of(i)))) << i;
    ASSERT_EQ(set.size(), i + 1);
    if (set.bytes() == bytes) continue;
    bytes = set.bytes();
    ++growths;
    for (std::uint64_t known = 0; known <= i; ++known)
      ASSERT_FALSE(set.insert(part_of<TypeParam>(hash_of(known)))) << known << " of " << i;
  }
  EXPECT_EQ(set.size(), kHashes);
  EXPECT_GT(growths, 15u);
  EXPECT_LE(set.bytes(), kHashes * sizeof(TypeParam) * 3 / 2);
  EXPECT_FALSE(set.is_full());
}

TYPED_TEST(HashSetTest, AgreesWithASetOnHashesThatLieCloseTogether) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Random random(seed);
    HashSet<TypeParam> set;
    std::set<Hash128> known;
    for (int i = 0; i < 3'000; ++i) {
      // Zeros, neighbours, and the ends of the range; of the low half only where the high ones are told
      // apart.
      const std::uint64_t high = (random.below(4) << 62) - random.below(2) + random.below(40);
      const Hash128 hash = {.high = high, .low = sizeof(TypeParam) == 8 ? 0 : random.below(3)};
      Hash128 stored = hash;
      if (stored == Hash128{}) (sizeof(TypeParam) == 8 ? stored.high : stored.low) = 1;
      ASSERT_EQ(set.contains(part_of<TypeParam>(hash)), known.contains(stored)) << seed << " " << i;
      ASSERT_EQ(set.insert(part_of<TypeParam>(hash)), known.insert(stored).second) << seed << " " << i;
      ASSERT_TRUE(set.contains(part_of<TypeParam>(hash))) << seed << " " << i;
    }
    EXPECT_EQ(set.size(), known.size());
  }
}

TEST(VisitedHashes, TellHowManyStatesAreExpectedToBeLeftOut) {
  for (const std::uint32_t bits : {64u, 128u}) {
    const auto visited = make_visited_hashes({.hash_bits = bits});
    for (std::uint64_t i = 0; i < 1'000; ++i) EXPECT_TRUE(visited->insert(hash_of(i)));
    EXPECT_FALSE(visited->insert(hash_of(5)));
    EXPECT_TRUE(visited->contains(hash_of(5)));
    EXPECT_FALSE(visited->contains(hash_of(1'000)));
    EXPECT_EQ(visited->told(), (HashedStates{.hash_bits = bits, .omitted = 1e6 / std::pow(2, bits + 1)}));
    EXPECT_FALSE(visited->is_full());
  }
}

TEST(BitFilter, NeverTakesAnOldStateForANewOne) {
  BitFilter filter(1 << 14);
  for (std::uint64_t i = 0; i < 100'000; ++i) {
    filter.insert(hash_of(i));
    EXPECT_FALSE(filter.insert(hash_of(i)));
  }
}

// From a filter that is nearly empty to one that is nearly full.
TEST(BitFilter, EstimatesHowManyItTakesForOthers) {
  constexpr std::uint64_t kBytes = 1 << 17;
  for (const double bits_per_state : {100.0, 20.0, 8.0, 4.0, 2.0}) {
    BitFilter filter(kBytes);
    const auto states = static_cast<std::uint64_t>(kBytes * 8 / bits_per_state);
    double omitted = 0;
    for (std::uint64_t i = 0; i < states; ++i) {
      const bool is_taken_for_old = filter.contains(hash_of(i));
      ASSERT_EQ(filter.insert(hash_of(i)), !is_taken_for_old);
      omitted += is_taken_for_old ? 1 : 0;
    }
    EXPECT_NEAR(filter.told().omitted, omitted, 5 * std::sqrt(omitted) + 3) << bits_per_state;
    EXPECT_EQ(filter.told().filter_bits, kBytes * 8);
    EXPECT_EQ(filter.bytes(), kBytes);
  }
}

TEST(WideHash, TellsSequencesApart) {
  std::set<Hash128> seen;
  std::set<std::uint64_t> high, low;
  std::size_t sequences = 0;
  // All of up to six blocks out of four.
  std::vector<WideHash> level = {WideHash(1)};
  for (int length = 0; length <= 6; ++length) {
    std::vector<WideHash> longer;
    for (const WideHash& hash : level) {
      ++sequences;
      seen.insert(hash.finish());
      high.insert(hash.finish().high);
      low.insert(hash.finish().low);
      for (const Hash128& block : {Hash128{0, 0}, Hash128{0, 1}, Hash128{1, 0}, Hash128{1, 1}})
        longer.emplace_back(hash).add(block);
    }
    level = std::move(longer);
  }
  EXPECT_EQ(seen.size(), sequences);
  EXPECT_EQ(high.size(), sequences);
  EXPECT_EQ(low.size(), sequences);
}

}  // namespace
}  // namespace ravel
