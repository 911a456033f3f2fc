#include "strategy/depth_first.h"

#include "base/check.h"
#include "strategy/alternatives.h"

namespace ravel {

// Increments the last digit that can grow and drops those after it.
std::optional<Plan> DepthFirst::next_execution() {
  if (!started_) {
    started_ = true;
    return Plan{.keep = 0};
  }
  while (!path_.empty() && path_.back().position + 1 == path_.back().alternatives) path_.pop_back();
  if (path_.empty()) return std::nullopt;
  ++path_.back().position;
  return Plan{.keep = path_.size() - 1};
}

Decision DepthFirst::choose(const Point& point) {
  const Alternatives alternatives(point);
  if (point.depth == path_.size()) path_.push_back({.position = 0, .alternatives = alternatives.count()});
  CHECK(point.depth + 1 == path_.size());
  const Digit& digit = path_.back();
  CHECK(digit.alternatives == alternatives.count());
  return Decision::take(alternatives.index(digit.position),
                        digit.position + 1 < digit.alternatives ? Return::kMaybe : Return::kNever);
}

}  // namespace ravel
