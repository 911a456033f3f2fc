// Any strategy, after some steps that every execution begins with: they are not its to decide, and it does
// not see them.
//
// It is told of points and plans as if the execution began after the prefix; only the actor that moved last
// there is known to it. A strategy that has to know what happened in the prefix takes it itself
// (optimal_reduction/).

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/divisible.h"
#include "engine/strategy_wrapper.h"

namespace ravel {

class AfterPrefix final : public StrategyWrapper, public DivisibleWrapper {
 public:
  // REQUIRES: from the initial state, the steps can be taken.
  AfterPrefix(std::vector<Transition> prefix, std::unique_ptr<Strategy> strategy)
      : StrategyWrapper(*strategy),
        DivisibleWrapper(*strategy),
        prefix_(std::move(prefix)),
        strategy_(std::move(strategy)) {}

  std::optional<Plan> next_execution() override;
  Decision choose(const Point& point) override;
  void observe(const Event& event) override;
  // What happens after the prefix may depend on it, of which the strategy knows nothing.
  std::optional<std::vector<std::size_t>> causes_of(std::size_t) const override { return std::nullopt; }

 private:
  const std::vector<Transition> prefix_;
  const std::unique_ptr<Strategy> strategy_;
  std::size_t prefix_left_ = 0;     // of the current execution
  std::vector<Transition> begins_;  // Plan::then of the current execution
  std::uint32_t preemptions_ = 0;   // in the prefix
};

}  // namespace ravel
