#include "strategy/random_walk.h"

namespace ravel {

Decision RandomWalk::draw(const Point& point) {
  // A point without a choice draws nothing, so that adding local steps to a program changes no choice.
  const std::size_t count = point.enabled.size();
  return Decision::take(count == 1 ? 0 : random().below(count), Return::kNever);
}

}  // namespace ravel
