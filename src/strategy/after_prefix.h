// Any strategy, behind some steps that every execution begins with: they are not its to decide, and it does not see them.
//
// It is told of points and plans as if the execution began behind the prefix; only the actor that moved last there is
// known to it. A strategy that has to know what happened in the prefix takes it itself (optimal_reduction.h).

#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "engine/strategy.h"

namespace ravel {

class AfterPrefix final : public Strategy {
 public:
  // REQUIRES: from the initial state, the steps can be taken.
  AfterPrefix(std::vector<Transition> prefix, std::unique_ptr<Strategy> strategy)
      : prefix_(std::move(prefix)), strategy_(std::move(strategy)) {}

  std::string name() const override { return strategy_->name(); }
  std::optional<Plan> next_execution() override;
  Decision choose(const Point& point) override;
  void observe(const Event& event) override;
  Novelty end_execution(Outcome outcome) override { return strategy_->end_execution(outcome); }
  Coverage coverage() const override { return strategy_->coverage(); }
  // What happens behind the prefix may depend on it, of which the strategy knows nothing.
  std::optional<std::vector<std::size_t>> causes_of(std::size_t) const override { return std::nullopt; }
  std::optional<BugBounds> bounds() const override { return strategy_->bounds(); }
  std::string promise() const override { return strategy_->promise(); }
  std::optional<double> executions_estimate() const override { return strategy_->executions_estimate(); }
  bool write_position(PositionWriter& writer) const override { return strategy_->write_position(writer); }
  bool read_position(PositionReader& reader) override { return strategy_->read_position(reader); }

 private:
  const std::vector<Transition> prefix_;
  const std::unique_ptr<Strategy> strategy_;
  bool is_behind_ = false;         // the current step, or the next one
  bool has_passed_ = false;        // the prefix, once
  std::uint32_t preemptions_ = 0;  // in the prefix
};

}  // namespace ravel
