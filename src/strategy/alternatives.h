// The order in which the complete strategies try the enabled transitions of a point.
//
// First the actor that took the step before, so that the first execution of all switches only when it has to;
// then the others in logical order. Going on with the previous actor, or choosing anybody when it can't go
// on, is free; everything after that is a preemption. Positions count in this order.

#pragma once

#include <cstdint>

#include "engine/strategy.h"

namespace ravel {

class Alternatives {
 public:
  explicit Alternatives(const Point& point) : count_(static_cast<std::uint32_t>(point.enabled.size())) {
    if (!point.previous) return;
    // An actor that waits can't go on by itself, though it may be let go early, or be struck by a fault.
    const auto is_own = [&](const Transition& one) { return one.actor == *point.previous; };
    while (first_ < count_ &&
           !(is_own(point.enabled[first_]) && happens_by_itself(point.enabled[first_].kind)))
      ++first_;
    std::uint32_t end = first_;
    while (end < count_ && is_own(point.enabled[end]) && point.enabled[end].kind != TransitionKind::kEarly)
      ++end;
    own_ = end - first_;
  }

  std::uint32_t count() const { return count_; }

  // How many positions, from 0, cost no preemption.
  std::uint32_t free() const { return own_ > 0 ? own_ : count_; }

  // The index in Point::enabled. REQUIRES: position < count().
  std::uint32_t index(std::uint32_t position) const {
    if (position < own_) return first_ + position;
    if (position - own_ < first_) return position - own_;
    return position;
  }

 private:
  std::uint32_t count_;
  std::uint32_t first_ = 0;  // the previous actor's transitions are [first_, first_ + own_)
  std::uint32_t own_ = 0;
};

}  // namespace ravel
