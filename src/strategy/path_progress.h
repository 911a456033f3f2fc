// How a depth-first strategy gets from one execution to the next, and goes on from a position that another
// object has written.
//
// The strategy keeps a path: what it takes at each depth. Ordinarily the next execution keeps a beginning of
// the one before. After a position nothing of the path was executed by this object, so the whole path is gone
// through again, once.

#pragma once

#include <cstddef>
#include <optional>
#include <utility>

#include "base/check.h"
#include "engine/position.h"
#include "engine/strategy.h"

namespace ravel {

class PathProgress {
 public:
  // True once, for the first execution of a search that begins.
  bool begins() { return !std::exchange(has_begun_, true); }
  // The next execution. `advance` moves the path to it, and is not asked if that of the position has not
  // ended; `length` is that of the path then.
  template <class Advance, class Length>
  std::optional<Plan> next(Advance advance, Length length) {
    const bool was_read = std::exchange(was_read_, false);
    const std::optional<Plan> plan = was_read && !has_ended_ ? Plan{.keep = 0} : advance();
    has_ended_ = false;
    if (!was_read || !plan) return plan;
    to_follow_ = length();
    return Plan{.keep = 0};
  }
  // At a point of this depth, which the path has by now.
  void pass(std::size_t depth, std::size_t length) {
    to_follow_ = depth + 1 < to_follow_ ? to_follow_ : 0;
    CHECK(depth + 1 == length || to_follow_ > 0);
  }
  void end_execution() { has_ended_ = true; }
  // Whether the execution that was planned last has ended.
  bool has_ended() const { return has_ended_; }

  // The path is one that nobody has begun: that is what is to be written.
  void plan_again() {
    has_begun_ = true;
    has_ended_ = false;
  }

  void write(PositionWriter& writer) const {
    writer.put(has_begun_ ? 1 : 0);
    writer.put(has_ended_ ? 1 : 0);
  }
  void read(PositionReader& reader) {
    has_begun_ = was_read_ = reader.get() != 0;
    has_ended_ = reader.get() != 0;
  }

 private:
  bool has_begun_ = false;
  bool has_ended_ = false;
  bool was_read_ = false;      // a position, since when nothing was planned
  std::size_t to_follow_ = 0;  // how much of the path is to be gone through again
};

}  // namespace ravel
