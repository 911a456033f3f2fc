// What the hash functions of terms share: the mixing step and the hash of a block of bytes by Bob Jenkins
// ("Hash functions", Dr. Dobb's Journal, 1997), as erlang:phash2 fixes them.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "erlang/term/bits.h"
#include "erlang/term/term.h"

namespace ravel::erlang {

// Start values, one for each type of term: multiples of the golden ratio.
constexpr std::uint32_t hash_seed(std::uint32_t type) { return 0x9E3779B9U * type; }

inline void mix_three(std::uint32_t& a, std::uint32_t& b, std::uint32_t& c) {
  a = (a - b - c) ^ (c >> 13);
  b = (b - c - a) ^ (a << 8);
  c = (c - a - b) ^ (b >> 13);
  a = (a - b - c) ^ (c >> 12);
  b = (b - c - a) ^ (a << 16);
  c = (c - a - b) ^ (b >> 5);
  a = (a - b - c) ^ (c >> 3);
  b = (b - c - a) ^ (a << 10);
  c = (c - a - b) ^ (b >> 15);
}

inline void mix_words(std::uint32_t& hash, std::uint32_t x, std::uint32_t y, std::uint32_t seed) {
  std::uint32_t a = seed + x;
  std::uint32_t b = seed + y;
  mix_three(a, b, hash);
}

inline void mix_word(std::uint32_t& hash, std::uint32_t x, std::uint32_t seed) {
  mix_words(hash, x, 0, seed);
}

inline void mix_long(std::uint32_t& hash, std::uint64_t x, std::uint32_t seed) {
  mix_words(hash, static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(x >> 32), seed);
}

inline std::uint32_t hash_block(const std::uint8_t* bytes, std::size_t size, std::uint32_t hash) {
  std::uint32_t a = hash_seed(1);
  std::uint32_t b = hash_seed(1);
  std::uint32_t c = hash;
  const auto word_at = [](const std::uint8_t* p) {
    return p[0] | static_cast<std::uint32_t>(p[1]) << 8 | static_cast<std::uint32_t>(p[2]) << 16 |
           static_cast<std::uint32_t>(p[3]) << 24;
  };
  std::size_t left = size;
  for (; left >= 12; left -= 12, bytes += 12) {
    a += word_at(bytes);
    b += word_at(bytes + 4);
    c += word_at(bytes + 8);
    mix_three(a, b, c);
  }
  std::uint8_t last[12] = {};
  if (left > 0) std::memcpy(last, bytes, left);
  a += word_at(last);
  b += word_at(last + 4);
  // The lowest byte of c is the length's.
  c += static_cast<std::uint32_t>(size) + (word_at(last + 8) << 8);
  mix_three(a, b, c);
  return c;
}

// REQUIRES: is_bitstring(t).
inline std::uint32_t hash_bitstring(Term t, std::uint32_t hash) {
  const BitView view = view_bits(t);
  const std::uint32_t start = hash_seed(13) + hash;
  if (view.length == 0) return start;
  const std::size_t size = view.length / 8;
  const auto tail_bits = static_cast<std::uint32_t>(view.length % 8);
  std::vector<std::uint8_t> copy;
  const std::uint8_t* bytes;
  if (view.is_byte_aligned()) {
    bytes = view.data();
  } else {
    copy.resize(size + 1);
    copy_bits(copy.data(), 0, view.bytes, view.offset, view.length);
    bytes = copy.data();
  }
  hash = hash_block(bytes, size, start);
  if (tail_bits > 0)
    mix_words(hash, tail_bits, static_cast<std::uint32_t>(bytes[size] >> (8 - tail_bits)), hash_seed(15));
  return hash;
}

inline bool is_byte(Term t) { return t.is_small() && (t.bits() >> 4) < 256; }

// The bits of a float, the same for both zeros.
inline std::uint64_t float_bits(Term t) {
  const std::uint64_t bits = t.object()[1].bits();
  return bits << 1 == 0 ? 0 : bits;
}

}  // namespace ravel::erlang
