// How many samples there are of the executions with so many delays (A. Desai, S. Qadeer, S. A. Seshia,
// "Systematic testing of asynchronous reactive programs", FSE 2015, figure 7: c1 * c2^d).
#pragma once

#include <cstdint>
#include <limits>

namespace ravel {

// 100 * 3^delays, or somewhat less than that where it would be no number of 64 bits.
constexpr std::uint64_t samples_with(std::uint32_t delays) {
  constexpr std::uint64_t kSamples = 100, kSamplesForDelay = 3;
  std::uint64_t samples = kSamples;
  for (std::uint32_t i = 0; i < delays; ++i) {
    if (samples > std::numeric_limits<std::uint64_t>::max() / kSamplesForDelay) break;
    samples *= kSamplesForDelay;
  }
  return samples;
}

// Of a chance that something is found no more is told: it is not rounded to certainty.
inline constexpr double kChanceTold = 0.99;

}  // namespace ravel
