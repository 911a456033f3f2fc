#include "strategy/random_walk.h"

#include "base/hash.h"

namespace ravel {

RandomWalk::RandomWalk(std::uint64_t seed, std::optional<std::uint64_t> executions)
    : seed_(seed), executions_(executions), random_(seed) {}

std::optional<Plan> RandomWalk::next_execution() {
  if (executions_ && begun_ >= *executions_) return std::nullopt;
  random_ = Random(combine(seed_, begun_++));
  return Plan{.keep = 0};
}

Decision RandomWalk::choose(const Point& point) {
  // A point without a choice draws nothing, so that adding local steps to a program changes no choice.
  const std::size_t count = point.enabled.size();
  return Decision::take(count == 1 ? 0 : random_.below(count), Return::kNever);
}

}  // namespace ravel
