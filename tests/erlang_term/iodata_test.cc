#include "erlang/term/iodata.h"

#include <gtest/gtest.h>

#include "erlang/term/atoms.h"
#include "naive_bits.h"

namespace ravel::erlang {
namespace {

class Iodata : public testing::Test {
 protected:
  // A random I/O list; appends its bits to `bits`.
  Term random_list(Random& random, int depth, std::size_t unit, NaiveBits& bits) {
    const std::size_t length = random.below(6);
    std::vector<Term> elements;
    for (std::size_t i = 0; i < length; ++i) elements.push_back(random_element(random, depth, unit, bits));
    Term tail = Term::nil();
    if (length > 0 && random.chance(1, 4)) tail = random_bits(random, unit, bits);
    return heap.list(elements, tail);
  }
  Term random_element(Random& random, int depth, std::size_t unit, NaiveBits& bits) {
    if (depth > 0 && random.chance(1, 3)) return random_list(random, depth - 1, unit, bits);
    if (random.chance(1, 2)) return random_bits(random, unit, bits);
    const std::uint64_t byte = random.below(256);
    for (int i = 7; i >= 0; --i) bits.push_back((byte >> i & 1) != 0);
    return Term::small(static_cast<std::int64_t>(byte));
  }
  Term random_bits(Random& random, std::size_t unit, NaiveBits& bits) {
    const NaiveBits part = naive_random(random, random.below(120 / unit) * unit);
    naive_append(bits, part);
    return to_bitstring(heap, random, part);
  }
  std::vector<std::size_t> part_sizes(Term list) {
    std::vector<std::size_t> sizes;
    for (; list.is_cons(); list = list.tail()) sizes.push_back(bit_size(list.head()) / 8);
    return sizes;
  }
  Term zeros(std::size_t size) { return make_bytes(heap, size * 8); }

  Heap heap;
};

TEST_F(Iodata, RandomListsHaveTheSizeAndBitsOfTheirParts) {
  Random random(21);
  for (int round = 0; round < 20'000; ++round) {
    if (heap.is_full()) heap.reset();
    const auto unit = random.chance(1, 2) ? IodataUnit::kByte : IodataUnit::kBit;
    NaiveBits bits;
    const Term t = random_list(random, 4, unit == IodataUnit::kByte ? 8 : 1, bits);
    ASSERT_EQ(iodata_bits(t, unit), bits.size());
    ASSERT_EQ(naive_of(flatten_iodata(heap, t, unit)), bits);
    if (unit == IodataUnit::kBit) continue;
    const auto text = iodata_text(t);
    ASSERT_TRUE(text);
    ASSERT_EQ(naive_of(make_binary(heap, text->data(), text->size())), bits);
    NaiveBits parts;
    for (Term part = iodata_vector(heap, t); part.is_cons(); part = part.tail())
      naive_append(parts, naive_of(part.head()));
    ASSERT_EQ(parts, bits);
  }
}

TEST_F(Iodata, WhatIsNoIodataIsRefused) {
  const auto list = [&](std::initializer_list<Term> elements, Term tail = Term::nil()) {
    return heap.list(std::vector<Term>(elements), tail);
  };
  const Term bits = make_sub_bits(heap, zeros(1), 0, 3);
  for (const Term t : {Term::small(1), atoms::kTrue, list({Term::small(256)}), list({Term::small(-1)}),
                       list({atoms::kTrue}), list({Term::small(1)}, Term::small(2)), list({bits}),
                       list({}, bits), bits, list({list({Term::small(1)}, Term::small(1))})}) {
    EXPECT_FALSE(iodata_bits(t));
    EXPECT_TRUE(flatten_iodata(heap, t).is_none());
    EXPECT_FALSE(iodata_text(t));
    EXPECT_TRUE(iodata_vector(heap, t).is_none());
  }
  EXPECT_EQ(iodata_bits(list({bits, Term::small(7)}, bits), IodataUnit::kBit), 14U);
}

TEST_F(Iodata, DepthCostsNoStack) {
  Term deep = zeros(3);
  for (int i = 0; i < 1'000'000; ++i) deep = heap.cons(deep, i % 2 == 0 ? zeros(1) : Term::nil());
  EXPECT_EQ(iodata_bits(deep), (3U + 500'000U) * 8);
  EXPECT_EQ(bit_size(flatten_iodata(heap, deep)), (3U + 500'000U) * 8);
}

TEST_F(Iodata, VectorsAreCutWhereTheEmulatorCutsThem) {
  const auto list = [&](std::vector<Term> elements) { return heap.list(elements); };
  using Sizes = std::vector<std::size_t>;
  EXPECT_EQ(part_sizes(iodata_vector(heap, Term::nil())), Sizes{});
  EXPECT_EQ(part_sizes(iodata_vector(heap, zeros(0))), Sizes{});
  EXPECT_EQ(part_sizes(iodata_vector(heap, zeros(5))), Sizes{5});
  EXPECT_EQ(part_sizes(iodata_vector(heap, list({Term::small(1), zeros(5), zeros(255)}))), Sizes{261});
  EXPECT_EQ(part_sizes(iodata_vector(heap, list({zeros(256), Term::small(1)}))), (Sizes{256, 1}));
  EXPECT_EQ(part_sizes(iodata_vector(heap, list({zeros(10), zeros(600)}))), (Sizes{256, 354}));
  EXPECT_EQ(part_sizes(iodata_vector(heap, list({zeros(10), zeros(300)}))), Sizes{310});
  EXPECT_EQ(part_sizes(iodata_vector(heap, list({zeros(200), zeros(200), zeros(300)}))), (Sizes{400, 300}));
}

}  // namespace
}  // namespace ravel::erlang
