// The step that a System has just taken, if it began in the state that was numbered or gone to last: only of
// such a step can be noted what it does (remembered_steps.h).
#pragma once

#include <optional>

namespace ravel {

template <class Step>
class LastStep {
 public:
  // The System is in the state that was numbered or gone to last.
  void be_at_hand() {
    is_at_hand_ = true;
    step_.reset();
  }
  void take(const Step& step) {
    step_.reset();
    if (is_at_hand_) step_ = step;
    is_at_hand_ = false;
  }
  // The System is in some other state, or another one was looked up since.
  void forget() {
    is_at_hand_ = false;
    step_.reset();
  }
  const std::optional<Step>& get() const { return step_; }

 private:
  bool is_at_hand_ = false;
  std::optional<Step> step_;
};

}  // namespace ravel
