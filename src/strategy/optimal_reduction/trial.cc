#include "strategy/optimal_reduction/trial.h"

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace ravel {

namespace {

// Steps are named by actor and alternative; of which kind they are, the System says.
bool is_same(const Transition& one, const Transition& other) {
  return one.actor == other.actor && one.alternative == other.alternative;
}

}  // namespace

bool Trial::run(System& system, std::span<const Transition> steps, const History& execution) {
  // Of the trials before, only that is the System's own past which the execution has done as well.
  if (!std::exchange(is_displaced_, true)) drop_behind(system, common_with(execution));
  return take(system, steps);
}

std::size_t Trial::common_with(const History& execution) const {
  const auto is_same = [&](EventId event) {
    const Transition& transition = steps_[event].transition;
    return transition.actor == execution[event].name.actor &&
           transition.alternative == execution[event].alternative;
  };
  EventId common = 0;
  while (common < steps_.size() && common < execution.length() && is_same(common)) ++common;
  return common;
}

bool Trial::take(System& system, std::span<const Transition> steps) {
  std::size_t common = 0;
  while (common < steps.size() && common < steps_.size() && is_same(steps[common], steps_[common].transition))
    ++common;
  // The last step is always taken: only then the System says what it did.
  if (common > 0 && (common == steps_.size() || common == steps.size())) --common;
  if (common < steps_.size() && steps_[common].before) {
    system.restore(*steps_[common].before);
    history_.rewind(common);
    history_.truncate(steps_[common].mark);
  } else {
    common = 0;
    system.reset();
    history_.rewind(0);
    history_.truncate({});
  }
  drop_behind(system, common);
  for (std::size_t i = common; i < steps.size(); ++i) {
    Transition step = steps[i];
    const std::span<const Transition> enabled = system.enabled();
    const auto wanted =
        std::ranges::find_if(enabled, [&](const Transition& one) { return is_same(one, step); });
    if (wanted != enabled.end()) {
      step = *wanted;
    } else {
      const auto first = std::ranges::find_if(enabled, [&](const Transition& one) {
        return one.actor == step.actor && one.kind != TransitionKind::kEarly;
      });
      if (i + 1 < steps.size() || first == enabled.end()) return false;
      step = *first;
    }
    steps_.push_back({.transition = step, .before = system.save(), .mark = history_.mark()});
    history_.append(system.step(step), system);
  }
  if (system.stops_others()) history_.mark_as_end();
  return true;
}

void Trial::end(System& system, const History& execution) {
  if (!std::exchange(is_displaced_, false) || common_with(execution) == execution.length()) return;
  std::vector<Transition> steps;
  for (EventId event = 0; event < execution.length(); ++event)
    steps.push_back({.actor = execution[event].name.actor, .alternative = execution[event].alternative});
  const bool is_back = take(system, steps);
  CHECK_MESSAGE(is_back, "an execution could not be repeated: nondeterminism that is not under control");
}

void Trial::drop_behind(System& system, std::size_t length) {
  for (; steps_.size() > length; steps_.pop_back())
    if (steps_.back().before) system.release(*steps_.back().before);
}

}  // namespace ravel
