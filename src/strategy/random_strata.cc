#include "strategy/random_strata.h"

namespace ravel {

namespace {

constexpr std::uint64_t kWalksOfNext = 3;  // for each one of a stratum

// Of the execution with this number, from 0: strata have numbers from 1.
std::uint64_t stratum_of(std::uint64_t execution) {
  std::uint64_t stratum = 1;
  for (std::uint64_t walks = kWalksOfNext; execution >= walks; walks *= kWalksOfNext) {
    execution -= walks;
    ++stratum;
  }
  return stratum;
}

}  // namespace

std::string RandomStrata::name() const {
  return "random walk by strata of " + std::to_string(steps_) + " steps, seed " + std::to_string(seed());
}

void RandomStrata::begin() { steps_max_ = steps_ * stratum_of(executions_ended()); }

Decision RandomStrata::draw(const Point& point) {
  if (point.depth >= steps_max_) return Decision::abandon();
  // A point without a choice draws nothing, as in a random walk.
  const std::size_t count = point.enabled.size();
  return Decision::take(count == 1 ? 0 : random().below(count), Return::kNever);
}

}  // namespace ravel
