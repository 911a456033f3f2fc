// What would happen if certain steps were taken: executed between two executions of a search, with a history of their own.
//
// A trial that begins like the one before goes on from where they part, by a snapshot, if the System has them.

#pragma once

#include <optional>
#include <span>
#include <vector>

#include "strategy/history.h"

namespace ravel {

class Trial {
 public:
  // Takes these steps from the initial state on; false if one can't be taken. The last one is taken with its actor's first
  // alternative if it does not have that one there.
  bool run(System& system, std::span<const Transition> steps);
  // What the last trial has done.
  const History& history() const { return history_; }
  // Brings the System back to the end of an execution, if a trial has led it away from there.
  void end(System& system, const History& execution);

 private:
  struct Step {
    Transition transition;
    std::optional<Snapshot> before;
    History::Mark mark;
  };
  void drop_behind(System& system, std::size_t length);

  History history_;
  std::vector<Step> steps_;       // as many as it has events
  bool is_displaced_ = false;
};

}  // namespace ravel
