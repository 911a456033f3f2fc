#include "strategy/depth_first.h"

#include <utility>

#include "base/check.h"
#include "strategy/alternatives.h"

namespace ravel {

// Increments the last digit that can grow and drops those after it.
std::optional<Plan> DepthFirst::next_execution() {
  if (!started_) {
    started_ = true;
    return Plan{.keep = 0};
  }
  const bool was_read = std::exchange(was_read_, false);
  if (was_read && !has_ended_) {
    to_follow_ = path_.size();
    return Plan{.keep = 0};
  }
  has_ended_ = false;
  while (!path_.empty() && path_.back().position + 1 == path_.back().alternatives) path_.pop_back();
  if (path_.empty()) return std::nullopt;
  ++path_.back().position;
  if (was_read) {
    to_follow_ = path_.size();  // what is kept was not executed by this object
    return Plan{.keep = 0};
  }
  return Plan{.keep = path_.size() - 1};
}

Decision DepthFirst::choose(const Point& point) {
  const Alternatives alternatives(point);
  if (point.depth == path_.size()) path_.push_back({.position = 0, .alternatives = alternatives.count()});
  to_follow_ = point.depth + 1 < to_follow_ ? to_follow_ : 0;
  CHECK(point.depth + 1 == path_.size() || to_follow_ > 0);
  const Digit& digit = path_[point.depth];
  CHECK(digit.alternatives == alternatives.count());
  return Decision::take(alternatives.index(digit.position),
                        digit.position + 1 < digit.alternatives ? Return::kMaybe : Return::kNever);
}

std::optional<double> DepthFirst::executions_estimate() const {
  double done = 0, weight = 1;
  for (const Digit& digit : path_) {
    weight /= digit.alternatives;
    done += weight * digit.position;
  }
  if (has_ended_) done += weight;
  if (done <= 0) return std::nullopt;
  return static_cast<double>(ended_) / done;
}

bool DepthFirst::write_position(PositionWriter& writer) const {
  writer.put(started_ ? 1 : 0);
  writer.put(has_ended_ ? 1 : 0);
  writer.put(ended_);
  writer.put_all(path_, [&](const Digit& digit) {
    writer.put(digit.position);
    writer.put(digit.alternatives);
  });
  return true;
}

bool DepthFirst::read_position(PositionReader& reader) {
  started_ = reader.get() != 0;
  has_ended_ = reader.get() != 0;
  ended_ = reader.get();
  reader.get_all([&] {
    const std::uint32_t position = reader.get32();
    path_.push_back({.position = position, .alternatives = reader.get32()});
  });
  was_read_ = started_;
  return !reader.is_damaged();
}

}  // namespace ravel
