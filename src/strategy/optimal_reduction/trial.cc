#include "strategy/optimal_reduction/trial.h"

namespace ravel {

bool Trial::run(Trials& trials, std::span<const Transition> steps) {
  system_ = &trials.view();
  if (!trials.run(steps, *this)) return false;
  if (system_->stops_others()) history_.mark_as_end();
  return true;
}

void Trial::rewind(std::size_t events) {
  if (events >= marks_.size()) return;
  history_.rewind(events);
  history_.truncate(marks_[events]);
  marks_.resize(events);
}

void Trial::observe(const Event& event) {
  marks_.push_back(history_.mark());
  history_.append(event, *system_);
}

}  // namespace ravel
