#include "erlang/term/bit_syntax.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "erlang/term/half_float.h"
#include "naive_bits.h"

namespace ravel::erlang {
namespace {

// The bits of an integer field, from bits in the order of their weight.
NaiveBits field_of_weights(const NaiveBits& weights, bool little) {
  if (!little) return {weights.rbegin(), weights.rend()};
  NaiveBits field;
  for (std::size_t byte = 0; byte < weights.size(); byte += 8)
    for (std::size_t bit = std::min(byte + 8, weights.size()); bit-- > byte;) field.push_back(weights[bit]);
  return field;
}

// The low bits of an integer in two's complement, least significant first.
NaiveBits weights_of(const std::string& text, std::size_t size) {
  mpz_t value;
  mpz_init_set_str(value, text.c_str(), 10);
  NaiveBits bits;
  for (std::size_t i = 0; i < size; ++i) bits.push_back(mpz_tstbit(value, i) != 0);
  mpz_clear(value);
  return bits;
}

unsigned random_flags(Random& random) {
  constexpr unsigned kAll[] = {
      0, kBitLittle, kBitSigned, kBitLittle | kBitSigned, kBitNative, kBitNative | kBitSigned};
  return kAll[random.below(std::size(kAll))];
}

std::size_t random_size(Random& random) { return random.chance(1, 3) ? random.below(300) : random.below(70); }

class BitSyntax : public testing::Test {
 protected:
  Term integer(Random& random) {
    if (heap.is_full()) heap.reset();
    const NaiveBits bits = naive_random(random, random_size(random));
    return match_integer(heap, start_match(heap, to_bitstring(heap, random, bits)), bits.size(),
                         random_flags(random));
  }
  Term binary(const std::string& bytes) { return make_binary(heap, bytes.data(), bytes.size()); }

  Heap heap;
};

TEST_F(BitSyntax, IntegersOfAnySizeAreReadAsTheirBitsSay) {
  Random random(1);
  for (int round = 0; round < 50'000; ++round) {
    if (heap.is_full()) heap.reset();
    const NaiveBits bits = naive_random(random, random_size(random) + random.below(20));
    const std::size_t size = random.below(bits.size() + 5);
    const unsigned flags = random_flags(random);
    const Term context = start_match(heap, to_bitstring(heap, random, bits));
    const std::uint64_t before = context_position(context);
    const Term value = match_integer(heap, context, size, flags);
    if (size > bits.size()) {
      ASSERT_TRUE(value.is_none());
      ASSERT_EQ(context_position(context), before);
      continue;
    }
    ASSERT_EQ(decimal(value),
              naive_integer(naive_slice(bits, 0, size), is_little(flags), (flags & kBitSigned) != 0))
        << size << " bits, flags " << flags;
    ASSERT_EQ(context_position(context), before + size);
    ASSERT_EQ(naive_of(context_tail(heap, context)), naive_slice(bits, size, bits.size() - size));
  }
}

TEST_F(BitSyntax, IntegersOfAnySizeAreWrittenAsTheirBitsSay) {
  Random random(2);
  for (int round = 0; round < 50'000; ++round) {
    const Term value = integer(random);
    const std::size_t before = random.below(12), size = random_size(random), behind = random.below(12);
    const unsigned flags = random_flags(random);
    BitBuilder builder;
    const Term result = builder.begin(heap, before + size + behind);
    const NaiveBits first = naive_random(random, before), last = naive_random(random, behind);
    ASSERT_TRUE(builder.put_binary(to_bitstring(heap, random, first), before));
    ASSERT_TRUE(builder.put_integer(value, size, flags));
    ASSERT_TRUE(builder.put_binary(to_bitstring(heap, random, last), behind));
    NaiveBits expected = first;
    naive_append(expected, field_of_weights(weights_of(decimal(value), size), is_little(flags)));
    naive_append(expected, last);
    ASSERT_EQ(naive_of(result), expected) << decimal(value) << " in " << size << " bits, flags " << flags;
  }
}

TEST_F(BitSyntax, WhatIsWrittenSignedIsReadAgainIfItFits) {
  for (std::int64_t value : {std::int64_t{0}, std::int64_t{1}, std::int64_t{-1}, std::int64_t{127},
                             std::int64_t{-128}, kSmallMax, kSmallMin, kSmallMin + 1}) {
    for (unsigned size = 8; size < 130; ++size) {
      const unsigned needed =
          65 -
          static_cast<unsigned>(std::countl_zero(static_cast<std::uint64_t>(value < 0 ? ~value : value)));
      if (size < needed) continue;
      for (const unsigned flags : {unsigned{kBitSigned}, unsigned{kBitSigned | kBitLittle}}) {
        BitBuilder builder;
        const Term bits = builder.begin(heap, size);
        ASSERT_TRUE(builder.put_integer(Term::small(value), size, flags));
        ASSERT_EQ(match_integer(heap, start_match(heap, bits), size, flags), Term::small(value))
            << value << ':' << size;
      }
    }
  }
}

TEST_F(BitSyntax, PartsAndSkipsFollowThePosition) {
  Random random(3);
  for (int round = 0; round < 20'000; ++round) {
    if (heap.is_full()) heap.reset();
    const NaiveBits bits = naive_random(random, random.below(200));
    const Term context = start_match(heap, to_bitstring(heap, random, bits));
    ASSERT_EQ(start_match(heap, context), context);
    std::size_t at = 0;
    while (at < bits.size()) {
      const std::size_t left = bits.size() - at;
      const std::size_t size = random.below(left + 2);
      const unsigned unit = static_cast<unsigned>(random.below(9) + 1);
      ASSERT_EQ(test_tail(context, size), size == left);
      ASSERT_EQ(test_unit(context, unit), left % unit == 0);
      const Term position = get_position(context);
      switch (random.below(4)) {
        case 0: {
          const Term part = match_binary(heap, context, size);
          ASSERT_EQ(part.is_none(), size > left);
          if (size > left) continue;
          ASSERT_EQ(naive_of(part), naive_slice(bits, at, size));
          at += size;
          break;
        }
        case 1:
          ASSERT_EQ(skip_bits(context, size), size <= left);
          if (size <= left) at += size;
          break;
        case 2: {
          const Term rest = match_rest(heap, context, unit);
          ASSERT_EQ(rest.is_none(), left % unit != 0);
          if (rest.is_none()) continue;
          ASSERT_EQ(naive_of(rest), naive_slice(bits, at, left));
          set_position(context, position);
          ASSERT_TRUE(skip_rest(context, unit));
          ASSERT_TRUE(test_tail(context, 0));
          set_position(context, position);
          ++at;
          ASSERT_TRUE(skip_bits(context, 1));
          break;
        }
        default: {
          NaiveBits wanted =
              random.chance(3, 4) && size <= left ? naive_slice(bits, at, size) : naive_random(random, size);
          const Term pattern = make_bytes(heap, size);
          for (std::size_t i = 0; i < size; ++i)
            if (wanted[i]) bytes_of(pattern)[i / 8] |= static_cast<std::uint8_t>(0x80U >> i % 8);
          const bool matches = size <= left && wanted == naive_slice(bits, at, size);
          ASSERT_EQ(match_string(context, bytes_of(pattern), size), matches);
          if (matches) at += size;
        }
      }
      if (size == 0 && at < bits.size()) {
        ASSERT_TRUE(skip_bits(context, 1));
        ++at;
      }
    }
  }
}

TEST_F(BitSyntax, OnlyBitStringsAndContextsAreMatched) {
  EXPECT_TRUE(start_match(heap, Term::small(1)).is_none());
  EXPECT_TRUE(start_match(heap, Term::nil()).is_none());
  EXPECT_TRUE(start_match(heap, heap.cons(Term::small(1), Term::nil())).is_none());
  EXPECT_TRUE(start_match(heap, heap.tuple({Term::small(1)})).is_none());
  EXPECT_TRUE(start_match(heap, heap.floating(1)).is_none());
}

TEST_F(BitSyntax, FloatsOfAllSizesSurvive) {
  Random random(4);
  for (int round = 0; round < 20'000; ++round) {
    if (heap.is_full()) heap.reset();
    const unsigned size = 16U << random.below(3);
    const unsigned flags = random.chance(1, 2) ? unsigned{kBitLittle} : 0U;
    const std::size_t before = random.below(9);
    const NaiveBits bits = naive_random(random, before + size);
    const Term context = start_match(heap, to_bitstring(heap, random, bits));
    ASSERT_TRUE(skip_bits(context, before));
    const Term value = match_float(heap, context, size, flags);
    NaiveBits field = naive_slice(bits, before, size);
    if (flags != 0)  // into the order of bytes of a big-endian field
      field = field_of_weights(naive_by_weight(field, true), false);
    const unsigned exponent_bits = size == 16 ? 5 : size == 32 ? 8 : 11;
    const NaiveBits exponent = naive_slice(field, 1, exponent_bits);
    const bool is_finite = exponent != NaiveBits(exponent_bits, true);
    ASSERT_EQ(!value.is_none(), is_finite);
    ASSERT_EQ(test_tail(context, 0), is_finite);
    if (!is_finite) continue;
    BitBuilder builder;
    const Term written = builder.begin(heap, before + size);
    ASSERT_TRUE(builder.put_binary(to_bitstring(heap, random, bits), before));
    ASSERT_TRUE(builder.put_float(value, size, flags));
    ASSERT_EQ(naive_of(written), bits);
  }
  EXPECT_EQ(float_value(match_float(heap, start_match(heap, binary("")), 0, 0)), 0.0);
  EXPECT_TRUE(match_float(heap, start_match(heap, binary("abcdef")), 24, 0).is_none());
}

TEST_F(BitSyntax, EveryHalfFloatIsItsValue) {
  for (unsigned half = 0; half < 0x10000; ++half) {
    const double value = half_to_double(static_cast<std::uint16_t>(half));
    if (std::isnan(value)) {
      ASSERT_EQ(half & 0x7C00, 0x7C00U);
    } else {
      ASSERT_EQ(double_to_half(value), half);
    }
  }
  // Between two neighbours the nearer one is taken, in the middle the even one; not in two steps.
  EXPECT_EQ(double_to_half(1 + 0x1p-11), 0x3C00);
  EXPECT_EQ(double_to_half(1 + 0x1p-11 + 0x1p-40), 0x3C01);
  EXPECT_EQ(double_to_half(1 + 3 * 0x1p-11), 0x3C02);
  EXPECT_EQ(double_to_half(65519.999), 0x7BFF);
  EXPECT_EQ(double_to_half(65520), 0x7C00);
  EXPECT_EQ(double_to_half(-0x1p-25), 0x8000);
  EXPECT_EQ(double_to_half(0x1p-25 + 0x1p-60), 0x0001);
}

TEST_F(BitSyntax, FloatsAreRoundedAndRefusedAsInTheEmulator) {
  BitBuilder builder;
  const auto bits_of = [&](Term value, unsigned size) {
    const Term result = builder.begin(heap, size);
    return builder.put_float(value, size, 0)
               ? decimal(match_integer(heap, start_match(heap, result), size, 0))
               : "none";
  };
  EXPECT_EQ(bits_of(heap.floating(1e300), 32), std::to_string(0x7F800000));  // infinite
  EXPECT_EQ(bits_of(Term::small((1LL << 58) + (1LL << 34) + 1), 32), std::to_string(0x5C800001));
  EXPECT_EQ(bits_of(Term::small(-1), 64), std::to_string(0xBFF0000000000000));
  EXPECT_EQ(bits_of(atoms::kTrue, 64), "none");
  EXPECT_EQ(builder.error().error, atoms::kType);
  EXPECT_EQ(bits_of(Term::small(1), 24), "none");
  EXPECT_EQ(builder.error().error, atoms::kInvalid);
  EXPECT_EQ(builder.error().value, Term::small(24));
  BitBuilder wide;
  const Term field = wide.begin(heap, 1100);
  ASSERT_TRUE(wide.put_integer(Term::small(1), 60, 0));  // 2^1040 and more is no float
  ASSERT_TRUE(wide.put_integer(Term::small(0), 1040, 0));
  EXPECT_EQ(bits_of(match_integer(heap, start_match(heap, field), 1100, 0), 64), "none");
  EXPECT_EQ(builder.error().error, atoms::kNoFloat);
}

TEST_F(BitSyntax, CharactersAreWrittenAndReadInAllEncodings) {
  Random random(5);
  for (int round = 0; round < 30'000; ++round) {
    if (heap.is_full()) heap.reset();
    const Term character =
        Term::small(static_cast<std::int64_t>(random.below(random.chance(1, 2) ? 0x3000 : 0x111000)));
    const auto code = static_cast<std::uint64_t>(character.small_value());
    const bool is_scalar = code < 0x110000 && !(code >= 0xD800 && code < 0xE000);
    const unsigned flags = random.chance(1, 2) ? unsigned{kBitLittle} : 0U;
    const std::size_t before = random.below(9);
    for (const int encoding : {8, 16, 32}) {
      const std::uint64_t size = encoding == 8    ? utf8_size(character)
                                 : encoding == 16 ? utf16_size(character)
                                                  : 4;
      BitBuilder builder;
      const Term bits = builder.begin(heap, before + size * 8);
      ASSERT_TRUE(builder.put_integer(Term::small(-1), before, 0));
      const bool written = encoding == 8    ? builder.put_utf8(character)
                           : encoding == 16 ? builder.put_utf16(character, flags)
                                            : builder.put_utf32(character, flags);
      ASSERT_EQ(written, is_scalar) << code;
      if (!written) {
        ASSERT_EQ(builder.error().error, atoms::kType);
        continue;
      }
      const Term context = start_match(heap, bits);
      ASSERT_TRUE(skip_bits(context, before));
      const Term read = encoding == 8    ? match_utf8(context)
                        : encoding == 16 ? match_utf16(context, flags)
                                         : match_utf32(context, flags);
      ASSERT_EQ(read, character) << encoding;
      ASSERT_TRUE(test_tail(context, 0));
    }
  }
}

TEST_F(BitSyntax, MalformedCharactersAreNotRead) {
  for (const char* bytes :
       {"\x80", "\xC0\x80", "\xC1\xBF", "\xC3", "\xE0\x80\x80", "\xED\xA0\x80", "\xE1\x80",
        "\xF0\x80\x80\x80", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFF", "\xC3\x28"}) {
    const Term context = start_match(heap, binary(bytes));
    EXPECT_TRUE(match_utf8(context).is_none()) << bytes;
    EXPECT_EQ(context_position(context), 0U);
    EXPECT_FALSE(skip_utf8(context));
  }
  EXPECT_TRUE(match_utf16(start_match(heap, binary(std::string("\xD8\x00", 2))), 0).is_none());
  EXPECT_TRUE(match_utf16(start_match(heap, binary(std::string("\xDC\x00\xDC\x00", 4))), 0).is_none());
  EXPECT_TRUE(match_utf16(start_match(heap, binary(std::string("\xD8\x00\x00\x41", 4))), 0).is_none());
  EXPECT_TRUE(match_utf32(start_match(heap, binary(std::string("\x00\x11\x00\x00", 4))), 0).is_none());
  EXPECT_TRUE(match_utf32(start_match(heap, binary(std::string("\x00\x00\xD8\x00", 4))), 0).is_none());
}

TEST_F(BitSyntax, AppendingContinuesWithoutAnybodyNoticing) {
  Random random(6);
  for (int round = 0; round < 300; ++round) {
    heap.reset();
    std::vector<std::pair<NaiveBits, Term>> known;
    known.push_back({{}, random.chance(1, 2) ? make_writable(heap, random.below(100)) : make_bytes(heap, 0)});
    for (int step = 0; step < 60; ++step) {
      // Mostly the last one, as in a loop; sometimes an older one, or a part of one, which must be copied.
      auto [bits, term] = random.chance(4, 5) ? known.back() : known[random.below(known.size())];
      if (random.chance(1, 8)) {
        const std::size_t from = random.below(bits.size() + 1), size = random.below(bits.size() - from + 1);
        bits = naive_slice(bits, from, size);
        term = make_sub_bits(heap, term, from, size);
      } else if (random.chance(1, 8)) {
        const Term context = start_match(heap, term);
        term = match_rest(heap, context, 1);
      }
      const NaiveBits more = naive_random(random, random.below(100));
      BitBuilder builder;
      const Term longer = builder.append(heap, term, more.size(), 1);
      ASSERT_FALSE(longer.is_none());
      ASSERT_TRUE(builder.put_binary(to_bitstring(heap, random, more), more.size()));
      naive_append(bits, more);
      known.push_back({bits, longer});
      for (const auto& [old_bits, old_term] : known) ASSERT_EQ(naive_of(old_term), old_bits);
    }
  }
}

TEST_F(BitSyntax, AppendingInALoopCopiesLittle) {
  Term t = make_writable(heap, 0);
  constexpr int kBytes = 100'000;
  for (int i = 0; i < kBytes; ++i) {
    BitBuilder builder;
    t = builder.append(heap, t, 8, 8);
    ASSERT_TRUE(builder.put_integer(Term::small(i & 0xFF), 8, 0));
  }
  ASSERT_EQ(bit_size(t), std::uint64_t{kBytes} * 8);
  for (int i = 0; i < kBytes; ++i) ASSERT_EQ(view_bits(t).data()[i], i & 0xFF);
  // A view of four words a step, and objects that double.
  EXPECT_LT(heap.words_used(), std::size_t{kBytes} * 5);
}

TEST_F(BitSyntax, AFailedConstructionLeavesTheOldBinaryAsItWas) {
  BitBuilder builder;
  Term t = builder.append(heap, binary("abc"), 8, 8);
  ASSERT_TRUE(builder.put_integer(Term::small('d'), 8, 0));
  ASSERT_FALSE(builder.append(heap, t, 16, 8).is_none());
  ASSERT_FALSE(builder.put_integer(atoms::kTrue, 16, 0));
  EXPECT_EQ(builder.error().reason, atoms::kBadarg);
  EXPECT_EQ(builder.error().error, atoms::kType);
  EXPECT_EQ(naive_of(t), naive_of(binary("abcd")));
  t = builder.append(heap, t, 8, 8);
  ASSERT_TRUE(builder.put_integer(Term::small('e'), 8, 0));
  EXPECT_EQ(naive_of(t), naive_of(binary("abcde")));
}

TEST_F(BitSyntax, SizesAreCheckedAsTheEmulatorDoes) {
  BitBuilder builder;
  builder.start();
  EXPECT_TRUE(builder.add_size(Term::small(3), 8));
  EXPECT_TRUE(builder.add_binary_all(binary("ab")));
  builder.add_utf8(Term::small(0x20AC));
  builder.add_utf16(Term::small(0x1F600));
  EXPECT_TRUE(builder.add_utf32(Term::small(1)));
  EXPECT_EQ(builder.total_bits(), 24U + 16 + 24 + 32 + 32);
  const auto fails = [&](bool done, Term reason, Term error) {
    return !done && builder.error().reason == reason && builder.error().error == error;
  };
  EXPECT_TRUE(fails(builder.add_size(Term::small(-1), 1), atoms::kBadarg, atoms::kSize));
  EXPECT_TRUE(fails(builder.add_size(atoms::kTrue, 1), atoms::kBadarg, atoms::kSize));
  EXPECT_TRUE(fails(builder.add_size(Term::small(kSmallMax), 256), atoms::kSystemLimit, atoms::kSize));
  EXPECT_TRUE(fails(builder.add_size(heap.integer(INT64_MAX), 1), atoms::kSystemLimit, atoms::kSize));
  EXPECT_TRUE(fails(builder.add_size(heap.integer(INT64_MIN), 1), atoms::kBadarg, atoms::kSize));
  EXPECT_TRUE(fails(builder.add_binary_all(Term::nil()), atoms::kBadarg, atoms::kType));
  EXPECT_TRUE(fails(builder.add_utf32(Term::small(0xD800)), atoms::kBadarg, atoms::kType));
  EXPECT_TRUE(fails(!builder.begin(heap, kBitSizeMax + 1).is_none(), atoms::kSystemLimit, atoms::kSize));
  EXPECT_TRUE(fails(builder.put_binary(binary("a"), 9), atoms::kBadarg, atoms::kShort));
  EXPECT_TRUE(fails(builder.put_binary_all(binary("a"), 3), atoms::kBadarg, atoms::kUnit));
  EXPECT_TRUE(fails(!builder.append(heap, binary("a"), 8, 3).is_none(), atoms::kBadarg, atoms::kUnit));
  EXPECT_TRUE(fails(!builder.append(heap, Term::nil(), 8, 1).is_none(), atoms::kBadarg, atoms::kType));
}

}  // namespace
}  // namespace ravel::erlang
