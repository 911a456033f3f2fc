// Chooses uniformly among the enabled transitions at every point, each execution from the start.
//
// Promises nothing but that every schedule has a chance.

#pragma once

#include <cstdint>
#include <string>

#include "strategy/sampling.h"

namespace ravel {

class RandomWalk final : public Sampling {
 public:
  using Sampling::Sampling;

  std::string name() const override { return "random walk, seed " + std::to_string(seed()); }

 private:
  Decision draw(const Point& point) override;
};

}  // namespace ravel
