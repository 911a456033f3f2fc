// Random: our own seeded generator, the same on every machine.
//
// The idea: xoshiro256** (Blackman & Vigna, "Scrambled linear pseudorandom number generators", 2021), whose
// state is filled from a 64-bit seed by splitmix64. The distributions of <random> differ between
// standard libraries, so bounded numbers are drawn here, by Lemire's multiplication with rejection
// ("Fast random integer generation in an interval", 2019), which is exactly uniform.

#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "base/check.h"

namespace ravel {

class Random {
 public:
  explicit Random(std::uint64_t seed) {
    for (std::uint64_t& word : state_) {
      seed += 0x9e3779b97f4a7c15;
      std::uint64_t z = seed;
      z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
      z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
      word = z ^ (z >> 31);
    }
  }

  std::uint64_t next() {
    const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
    const std::uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = std::rotl(state_[3], 45);
    return result;
  }

  // Uniform in [0, bound). REQUIRES: bound > 0.
  std::uint64_t below(std::uint64_t bound) {
    CHECK(bound > 0);
    Wide product = static_cast<Wide>(next()) * bound;
    if (static_cast<std::uint64_t>(product) < bound) {
      const std::uint64_t threshold = -bound % bound;
      while (static_cast<std::uint64_t>(product) < threshold) product = static_cast<Wide>(next()) * bound;
    }
    return static_cast<std::uint64_t>(product >> 64);
  }

  // True with probability numerator / denominator. REQUIRES: denominator > 0.
  bool chance(std::uint64_t numerator, std::uint64_t denominator) { return below(denominator) < numerator; }

  // Uniform in [0, 1), a multiple of 2^-53.
  double unit() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

 private:
  __extension__ using Wide = unsigned __int128;

  std::array<std::uint64_t, 4> state_;
};

}  // namespace ravel
