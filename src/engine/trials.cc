#include "engine/trials.h"

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace ravel {

namespace {

// Steps are named by actor and alternative; of which kind they are, the System says.
bool is_same(const Transition& one, const Transition& other) {
  return one.actor == other.actor && one.alternative == other.alternative;
}

const std::vector<TakenStep> kNoSteps;

}  // namespace

Trials::Trials(System& system) : Trials(system, kNoSteps) {}

bool Trials::run(std::span<const Transition> steps, TrialListener& listener) {
  // Of the trial before, only what the execution has done as well is the System's own past.
  if (!std::exchange(is_displaced_, true)) drop_after(common_with_execution());
  CHECK(listener_ == nullptr || listener_ == &listener);
  listener_ = &listener;
  return take_all(steps, listener);
}

void Trials::begin() {
  CHECK(execution_.empty());
  is_displaced_ = true;
  drop_after(0);
  system_.reset();
}

std::size_t Trials::common_with_execution() const {
  std::size_t common = 0;
  while (common < tried_.size() && common < execution_.size() &&
         is_same(tried_[common], execution_[common].transition))
    ++common;
  return common;
}

bool Trials::take_all(std::span<const Transition> steps, TrialListener& listener) {
  std::size_t common = 0;
  while (common < steps.size() && common < tried_.size() && is_same(steps[common], tried_[common])) ++common;
  // The last step is always taken: only then the System says what it did.
  if (common > 0 && (common == tried_.size() || common == steps.size())) --common;
  if (common < tried_.size() && snapshots_[common]) {
    system_.restore(*snapshots_[common]);
  } else {
    common = 0;
    system_.reset();
  }
  listener.rewind(common);
  drop_after(common);
  for (std::size_t i = common; i < steps.size(); ++i) {
    Transition step = steps[i];
    const std::span<const Transition> enabled = allowed();
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
    snapshots_.push_back(system_.save());
    tried_.push_back(step);
    listener.observe(system_.step(step));
  }
  return true;
}

void Trials::end(std::size_t kept) {
  if (!std::exchange(is_displaced_, false) || common_with_execution() >= kept) return;
  std::vector<Transition> steps;
  for (std::size_t i = 0; i < kept; ++i) steps.push_back(execution_[i].transition);
  // Going back is a trial as well: the next one may begin like it.
  const bool is_back = take_all(steps, *listener_);
  CHECK_MESSAGE(is_back, "an execution could not be repeated: nondeterminism that is not under control");
}

void Trials::drop_after(std::size_t length) {
  for (; tried_.size() > length; tried_.pop_back(), snapshots_.pop_back())
    if (snapshots_.back()) system_.release(*snapshots_.back());
}

std::span<const Transition> Trials::allowed() {
  if (!restriction_) return system_.enabled();
  const std::span<const Transition> enabled = system_.enabled();
  allowed_.assign(enabled.begin(), enabled.end());
  restriction_(tried_, allowed_);
  return allowed_;
}

}  // namespace ravel
