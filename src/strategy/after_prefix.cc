#include "strategy/after_prefix.h"

namespace ravel {

std::optional<Plan> AfterPrefix::next_execution() {
  std::optional<Plan> plan = strategy_->next_execution();
  if (!plan) return plan;
  prefix_left_ = 0;
  if (plan->keep > 0) {
    plan->keep += prefix_.size();
  } else if (!plan->from) {
    // What keeps nothing begins with the prefix again: a search that goes on in another explorer has not
    // executed it there.
    prefix_left_ = prefix_.size();
    begins_.assign(prefix_.begin(), prefix_.end());
    begins_.insert(begins_.end(), plan->then.begin(), plan->then.end());
    plan->then = begins_;
  }
  return plan;
}

Decision AfterPrefix::choose(const Point& point) {
  if (point.depth == prefix_.size()) preemptions_ = point.preemptions;
  Point behind = point;
  behind.depth -= prefix_.size();
  behind.preemptions -= preemptions_;
  return strategy_->choose(behind);
}

void AfterPrefix::observe(const Event& event) {
  if (prefix_left_ > 0) {
    --prefix_left_;
  } else {
    strategy_->observe(event);
  }
}

}  // namespace ravel
