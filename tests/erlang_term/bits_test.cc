#include "erlang/term/bits.h"

#include <gtest/gtest.h>

#include "naive_bits.h"

namespace ravel::erlang {
namespace {

TEST(Bits, CopyingTouchesTheCopiedBitsAndNoOthers) {
  Random random(11);
  for (int round = 0; round < 20'000; ++round) {
    std::uint8_t from[40], to[40];
    for (auto& byte : from) byte = static_cast<std::uint8_t>(random.next());
    for (auto& byte : to) byte = static_cast<std::uint8_t>(random.next());
    const std::uint64_t from_bit = random.below(60), to_bit = random.below(60), length = random.below(200);
    NaiveBits expected;
    for (std::uint64_t i = 0; i < 320; ++i)
      expected.push_back(i >= to_bit && i < to_bit + length ? naive_bit(from, from_bit + i - to_bit)
                                                            : naive_bit(to, i));
    copy_bits(to, to_bit, from, from_bit, length);
    NaiveBits actual;
    for (std::uint64_t i = 0; i < 320; ++i) actual.push_back(naive_bit(to, i));
    ASSERT_EQ(actual, expected) << from_bit << ' ' << to_bit << ' ' << length;
  }
}

TEST(Bits, ComparingIsTheLexicalOrderOfBits) {
  Random random(12);
  Heap heap;
  for (int round = 0; round < 20'000; ++round) {
    if (heap.is_full()) heap.reset();
    const NaiveBits left = naive_random(random, random.below(80));
    NaiveBits right = random.chance(1, 2) ? left : naive_random(random, random.below(80));
    if (!right.empty() && random.chance(1, 2)) right.resize(random.below(right.size()));
    const int expected = left < right ? -1 : left == right ? 0 : 1;
    const BitView a = view_bits(to_bitstring(heap, random, left));
    const BitView b = view_bits(to_bitstring(heap, random, right));
    ASSERT_EQ(compare_bits(a.bytes, a.offset, a.length, b.bytes, b.offset, b.length), expected);
  }
}

TEST(Bits, APartOfAPartIsWhatTheBitsSay) {
  Random random(13);
  Heap heap;
  for (int round = 0; round < 5'000; ++round) {
    if (heap.is_full()) heap.reset();
    NaiveBits bits = naive_random(random, random.below(300));
    Term t = to_bitstring(heap, random, bits);
    while (!bits.empty()) {
      const std::size_t from = random.below(bits.size() + 1);
      const std::size_t size = random.below(bits.size() - from + 1);
      t = make_sub_bits(heap, t, from, size);
      bits = naive_slice(bits, from, size);
      ASSERT_EQ(naive_of(t), bits);
      ASSERT_EQ(bit_size(t), bits.size());
    }
  }
}

TEST(Bits, AViewNeverIsAnObjectThatMayGrow) {
  Heap heap;
  const Term exact = make_bytes(heap, 128);
  EXPECT_EQ(make_view(heap, exact, 0, 128), exact);
  const Term roomy = make_bytes(heap, 128, 256);
  EXPECT_NE(make_view(heap, roomy, 0, 128), roomy);
  EXPECT_EQ(bit_size(make_view(heap, roomy, 0, 128)), 128U);
}

}  // namespace
}  // namespace ravel::erlang
