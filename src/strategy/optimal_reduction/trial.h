// What would happen if certain steps were taken: a trial of the explorer's, with a history of its own.

#pragma once

#include <span>
#include <vector>

#include "engine/trials.h"
#include "strategy/history/history.h"

namespace ravel {

class Trial final : private TrialListener {
 public:
  // See Trials::run().
  bool run(Trials& trials, std::span<const Transition> steps);
  // What the last trial has done.
  const History& history() const { return history_; }

 private:
  void rewind(std::size_t events) override;
  void observe(const Event& event) override;

  History history_;
  std::vector<History::Mark> marks_;  // before each event
  SystemView* system_ = nullptr;
};

}  // namespace ravel
