#include "strategy/after_prefix.h"

#include <algorithm>

#include "base/check.h"

namespace ravel {

std::optional<Plan> AfterPrefix::next_execution() {
  std::optional<Plan> plan = strategy_->next_execution();
  if (plan && has_passed_) plan->keep += prefix_.size();
  return plan;
}

Decision AfterPrefix::choose(const Point& point) {
  is_behind_ = point.depth >= prefix_.size();
  if (!is_behind_) {
    const auto place = std::ranges::find(point.enabled, prefix_[point.depth]);
    CHECK_MESSAGE(place != point.enabled.end(), "the steps of a prefix can be taken");
    return Decision::take(static_cast<std::size_t>(place - point.enabled.begin()), Return::kNever);
  }
  if (!has_passed_) preemptions_ = point.preemptions;
  has_passed_ = true;
  Point behind = point;
  behind.depth -= prefix_.size();
  behind.preemptions -= preemptions_;
  return strategy_->choose(behind);
}

void AfterPrefix::observe(const Event& event) {
  if (is_behind_) strategy_->observe(event);
}

}  // namespace ravel
