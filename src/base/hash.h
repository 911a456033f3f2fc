// Hashing to 64 bits, the same on every machine and in every run.
//
// For hash tables and state fingerprints; not for secrets. `mix` is a bijection whose every output bit
// depends on every input bit (the finalizer of splitmix64); the rest is built from it.

#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace ravel {

constexpr std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

// Order matters: combine(combine(s, a), b) differs from combine(combine(s, b), a).
constexpr std::uint64_t combine(std::uint64_t seed, std::uint64_t value) {
  return mix(std::rotl(seed, 23) ^ mix(value));
}

// Eight bytes at a time, little-endian on every machine; the length is part of the hash.
inline std::uint64_t hash_bytes(std::span<const std::byte> bytes, std::uint64_t seed = 0) {
  static_assert(std::endian::native == std::endian::little, "words are read in memory order");
  std::uint64_t hash = combine(seed, bytes.size());
  std::size_t at = 0;
  for (; at + 8 <= bytes.size(); at += 8) {
    std::uint64_t word;
    std::memcpy(&word, bytes.data() + at, 8);
    hash = combine(hash, word);
  }
  if (at < bytes.size()) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, bytes.size() - at);
    hash = combine(hash, word);
  }
  return hash;
}

inline std::uint64_t hash_string(std::string_view text, std::uint64_t seed = 0) {
  return hash_bytes(std::as_bytes(std::span(text.data(), text.size())), seed);
}

}  // namespace ravel
