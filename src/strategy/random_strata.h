// Random walks by strata of depth: the iterative random scheduler (A. Desai, S. Qadeer, S. A. Seshia,
// "Systematic testing of asynchronous reactive programs", FSE 2015, section 6.1).
//
// The idea: a walk of stratum i is given up after i times so many steps, and stratum i has 3^i walks. So what
// goes wrong early is looked for in short executions, which cost little, and long ones come later.
//
// An execution that ends before its bound is one of a random walk. Walks that are given up count as
// executions that were asked for.
//
// Promises nothing but that every schedule has a chance.

#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "strategy/sampling.h"

namespace ravel {

class RandomStrata final : public Sampling {
 public:
  static constexpr std::uint64_t kUsualSteps = 100;

  // `steps`: by how many a stratum is deeper than the one before; 1 at least. Without a number of executions
  // it goes on until a budget stops it.
  RandomStrata(std::uint64_t steps, std::uint64_t seed, std::optional<std::uint64_t> executions)
      : Sampling(seed, executions), steps_(steps) {}

  std::string name() const override;

 private:
  void begin() override;
  Decision draw(const Point& point) override;

  const std::uint64_t steps_;
  std::uint64_t steps_max_ = 0;  // of the present execution
};

}  // namespace ravel
