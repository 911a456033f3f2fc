// Hands every call on to a strategy, and keeps the history of the execution at hand.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "engine/strategy_wrapper.h"
#include "engine/system.h"
#include "strategy/history/history.h"

namespace ravel {

template <class KnownSystem>
class TraceHistory : public StrategyWrapper {
 public:
  TraceHistory(Strategy& strategy, KnownSystem& system) : StrategyWrapper(strategy), system_(system) {}

  std::optional<Plan> next_execution() override {
    const std::optional<Plan> plan = StrategyWrapper::next_execution();
    if (!plan) return plan;
    history_.rewind(plan->keep);
    if (plan->keep < marks_.size()) history_.truncate(marks_[plan->keep]);
    marks_.resize(std::min(marks_.size(), plan->keep));
    return plan;
  }
  Decision choose(const Point& point) override {
    history_.see_enabled(point.enabled, *point.system);
    return StrategyWrapper::choose(point);
  }
  void observe(const Event& event) override {
    marks_.push_back(history_.mark());
    history_.append(event, system_);
    StrategyWrapper::observe(event);
  }

 protected:
  KnownSystem& system() const { return system_; }
  const History& history() const { return history_; }

 private:
  KnownSystem& system_;
  History history_;
  std::vector<History::Mark> marks_;
};

}  // namespace ravel
