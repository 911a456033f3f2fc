// What touches touch, in a few words: two lists with a conflict between them may_conflict(), so most lists
// without one need no comparison touch by touch.

#pragma once

#include <cstdint>
#include <span>

#include "engine/transition.h"

namespace ravel {

// Bits of objects, by how they are touched; one bit stands for many objects.
struct TouchSummary {
  std::uint64_t touched = 0, read = 0, written = 0, used = 0;

  void add(const Touch& touch) {
    const std::uint64_t bit = std::uint64_t{1} << (touch.object * 0x9e3779b97f4a7c15 >> 58);
    touched |= bit;
    if (touch.access == Access::kRead)
      read |= bit;
    else if (is_write(touch.access))
      written |= bit;
    else if (touch.access != Access::kExpire)
      used |= bit;
  }

  void add(const TouchSummary& other) {
    touched |= other.touched;
    read |= other.read;
    written |= other.written;
    used |= other.used;
  }

  static TouchSummary of(std::span<const Touch> touches) {
    TouchSummary summary;
    for (const Touch& touch : touches) summary.add(touch);
    return summary;
  }
};

// False only if no touch of the one conflicts with one of the other.
constexpr bool may_conflict(const TouchSummary& a, const TouchSummary& b) {
  return ((a.written & b.touched) | (a.touched & b.written) | (a.read & b.used) | (a.used & b.read)) != 0;
}

}  // namespace ravel
