#include "strategy/after_prefix.h"

#include <algorithm>

#include "base/check.h"

namespace ravel {

std::optional<Plan> AfterPrefix::next_execution() {
  std::optional<Plan> plan = strategy_->next_execution();
  // What keeps nothing begins with the prefix again: a search that goes on in another explorer has not executed it there.
  if (plan && plan->keep > 0) plan->keep += prefix_.size();
  return plan;
}

Decision AfterPrefix::choose(const Point& point) {
  is_behind_ = point.depth >= prefix_.size();
  if (!is_behind_) {
    const auto place = std::ranges::find(point.enabled, prefix_[point.depth]);
    CHECK_MESSAGE(place != point.enabled.end(), "the steps of a prefix can be taken");
    return Decision::take(static_cast<std::size_t>(place - point.enabled.begin()), Return::kNever);
  }
  if (point.depth == prefix_.size()) preemptions_ = point.preemptions;
  Point behind = point;
  behind.depth -= prefix_.size();
  behind.preemptions -= preemptions_;
  return strategy_->choose(behind);
}

void AfterPrefix::observe(const Event& event) {
  if (is_behind_) strategy_->observe(event);
}

}  // namespace ravel
