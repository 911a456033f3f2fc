// Hashing to 128 bits, the same on every machine and in every run: for what stands for a content that is
// kept nowhere.
//
// The blocks and the finalizer are those of MurmurHash3_x64_128 (A. Appleby, 2011, public domain). For given
// blocks behind it, each block changes the state by a bijection, so that a long content loses nothing. Not
// for secrets.

#pragma once

#include <bit>
#include <cstdint>

namespace ravel {

struct Hash128 {
  std::uint64_t high = 0, low = 0;

  friend constexpr auto operator<=>(const Hash128&, const Hash128&) = default;
  // Of each half by itself: what sums of hashes are made of.
  constexpr Hash128& operator+=(const Hash128& other) {
    high += other.high, low += other.low;
    return *this;
  }
  constexpr Hash128& operator-=(const Hash128& other) {
    high -= other.high, low -= other.low;
    return *this;
  }
};

// Of a sequence, of whose blocks the order matters and how many there are.
class WideHash {
 public:
  explicit constexpr WideHash(std::uint64_t seed) : high_(seed), low_(seed) {}

  constexpr void add(const Hash128& block) {
    high_ ^= std::rotl(block.high * kFirst, 31) * kSecond;
    high_ = (std::rotl(high_, 27) + low_) * 5 + 0x52dce729;
    low_ ^= std::rotl(block.low * kSecond, 33) * kFirst;
    low_ = (std::rotl(low_, 31) + high_) * 5 + 0x38495ab5;
    ++blocks_;
  }

  constexpr Hash128 finish() const {
    std::uint64_t high = high_ ^ blocks_, low = low_ ^ blocks_;
    high += low, low += high;
    high = spread(high), low = spread(low);
    high += low, low += high;
    return {.high = high, .low = low};
  }

 private:
  static constexpr std::uint64_t kFirst = 0x87c37b91114253d5, kSecond = 0x4cf5ad432745937f;

  static constexpr std::uint64_t spread(std::uint64_t x) {
    x = (x ^ (x >> 33)) * 0xff51afd7ed558ccd;
    x = (x ^ (x >> 33)) * 0xc4ceb9fe1a85ec53;
    return x ^ (x >> 33);
  }

  std::uint64_t high_, low_, blocks_ = 0;
};

// The place among `count` of them that a hash stands for: a larger hash has no smaller one.
constexpr std::uint64_t place_of_hash(std::uint64_t hash, std::uint64_t count) {
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint64_t>(Wide{hash} * count >> 64);
}

}  // namespace ravel
