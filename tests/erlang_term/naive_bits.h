// Bit strings as vectors of bool: the slow, obvious reference for bits.h, bit_syntax.h and iodata.h.
#pragma once

#include <gmp.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "base/random.h"
#include "erlang/term/bits.h"
#include "erlang/term/header.h"
#include "erlang/term/heap.h"

namespace ravel::erlang {

using NaiveBits = std::vector<bool>;

inline NaiveBits naive_slice(const NaiveBits& bits, std::size_t from, std::size_t size) {
  const auto at = bits.begin() + static_cast<std::ptrdiff_t>(from);
  return {at, at + static_cast<std::ptrdiff_t>(size)};
}

inline void naive_append(NaiveBits& to, const NaiveBits& more) {
  to.insert(to.end(), more.begin(), more.end());
}

inline bool naive_bit(const std::uint8_t* bytes, std::uint64_t at) {
  return (bytes[at / 8] >> (7 - at % 8) & 1) != 0;
}

inline NaiveBits naive_of(Term bitstring) {
  const BitView view = view_bits(bitstring);
  NaiveBits result;
  for (std::uint64_t i = 0; i < view.length; ++i) result.push_back(naive_bit(view.bytes, view.offset + i));
  return result;
}

inline NaiveBits naive_random(Random& random, std::size_t size) {
  NaiveBits result;
  // Runs of equal bits now and then: they reach the edges of integers.
  const std::uint64_t kind = random.below(4);
  for (std::size_t i = 0; i < size; ++i) result.push_back(kind == 0 || (kind != 1 && random.chance(1, 2)));
  return result;
}

// The bits as a term: a whole object, or a view that begins anywhere.
inline Term to_bitstring(Heap& heap, Random& random, const NaiveBits& bits) {
  const std::size_t before = random.chance(1, 2) ? 0 : random.below(20);
  const std::size_t behind = random.chance(1, 2) ? 0 : random.below(20);
  const Term bytes = make_bytes(heap, before + bits.size() + behind);
  const auto set = [&](std::size_t at, bool value) {
    if (value) bytes_of(bytes)[at / 8] |= static_cast<std::uint8_t>(0x80U >> at % 8);
  };
  for (std::size_t i = 0; i < before; ++i) set(i, random.chance(1, 2));
  for (std::size_t i = 0; i < bits.size(); ++i) set(before + i, bits[i]);
  for (std::size_t i = 0; i < behind; ++i) set(before + bits.size() + i, random.chance(1, 2));
  return make_sub_bits(heap, bytes, before, bits.size());
}

// The bits of an integer field in the order of their weight, least significant first.
inline NaiveBits naive_by_weight(const NaiveBits& field, bool is_little) {
  NaiveBits result;
  if (!is_little) return {field.rbegin(), field.rend()};
  for (std::size_t byte = 0; byte < field.size(); byte += 8)
    for (std::size_t bit = std::min(byte + 8, field.size()); bit-- > byte;) result.push_back(field[bit]);
  return result;
}

// The decimal text of an integer field.
inline std::string naive_integer(const NaiveBits& field, bool is_little, bool is_signed) {
  const NaiveBits bits = naive_by_weight(field, is_little);
  mpz_t value, weight;
  mpz_init(value);
  mpz_init_set_ui(weight, 1);
  for (std::size_t i = 0; i < bits.size(); ++i) {
    const bool is_sign = is_signed && i + 1 == bits.size();
    if (bits[i] && is_sign) mpz_sub(value, value, weight);
    if (bits[i] && !is_sign) mpz_add(value, value, weight);
    mpz_mul_2exp(weight, weight, 1);
  }
  char* text = mpz_get_str(nullptr, 10, value);
  const std::string result(text);
  std::free(text);
  mpz_clears(value, weight, nullptr);
  return result;
}

// The decimal text of an integer term. An integer that fits a small one must be one.
inline std::string decimal(Term integer) {
  if (integer.is_small()) return std::to_string(integer.small_value());
  mpz_t value;
  mpz_init(value);
  mpz_import(value, size_of(integer.header()), -1, 8, 0, 0, integer.object() + 1);
  if (kind_of(integer.header()) == Kind::kNegativeBig) mpz_neg(value, value);
  char* text = mpz_get_str(nullptr, 10, value);
  std::string result(text);
  std::free(text);
  if (mpz_cmp_si(value, kSmallMax) <= 0 && mpz_cmp_si(value, kSmallMin) >= 0) result += " (not small)";
  mpz_clear(value);
  return result;
}

}  // namespace ravel::erlang
