// Floats of 16 bits (IEEE 754 binary16), by hand, because not every supported compiler has them.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace ravel::erlang {

inline double half_to_double(std::uint16_t half) {
  const int exponent = half >> 10 & 0x1F;
  const int fraction = half & 0x3FF;
  const double magnitude = exponent == 0x1F ? (fraction == 0 ? HUGE_VAL : std::nan(""))
                           : exponent == 0  ? std::ldexp(fraction, -24)
                                            : std::ldexp(fraction + 0x400, exponent - 25);
  return (half & 0x8000) != 0 ? -magnitude : magnitude;
}

// Rounds to nearest, ties to even, in one step; what is too large becomes infinite. REQUIRES: not a NaN.
inline std::uint16_t double_to_half(double value) {
  const auto sign = static_cast<std::uint16_t>(std::signbit(value) ? 0x8000 : 0);
  const double magnitude = std::fabs(value);
  if (magnitude >= 65520) return static_cast<std::uint16_t>(sign | 0x7C00);
  // The spacing of halves near the value; below the normal ones it is 2^-24.
  const int exponent = magnitude < 0x1p-14 ? -14 : std::ilogb(magnitude);
  const double steps = std::nearbyint(std::ldexp(magnitude, 10 - exponent));  // at most 2^11
  // Rounding up to the next power of two carries into the exponent by itself.
  const int bits = ((exponent + 14) << 10) + static_cast<int>(steps);
  return static_cast<std::uint16_t>(sign | bits);
}

}  // namespace ravel::erlang
