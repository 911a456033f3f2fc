// What would happen if certain steps were taken: executed between two executions of a search, with a history
// of their own.
//
// A trial that begins like the one before goes on from where they part, by a snapshot, if the System has
// them. So does the first one behind another execution, if that begins as the trial before.

#pragma once

#include <optional>
#include <span>
#include <vector>

#include "strategy/history/history.h"

namespace ravel {

class Trial {
 public:
  // Takes these steps from the initial state on; false if one can't be taken. The last one is taken with its
  // actor's first alternative if it does not have that one there. `execution` is what the System has done
  // before the first trial behind it.
  bool run(System& system, std::span<const Transition> steps, const History& execution);
  // What the last trial has done.
  const History& history() const { return history_; }
  // The System's next execution begins with these events: makes them its past again, if a trial was another
  // one.
  void end(System& system, const History& execution);

 private:
  struct Step {
    Transition transition;
    std::optional<Snapshot> before;
    History::Mark mark;
  };
  bool take(System& system, std::span<const Transition> steps);
  std::size_t common_with(const History& execution) const;
  void drop_behind(System& system, std::size_t length);

  History history_;
  std::vector<Step> steps_;  // as many as it has events
  bool is_displaced_ = false;
};

}  // namespace ravel
