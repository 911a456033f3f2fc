// Whether an execution that was taken once violates a formula if its last steps come again and again: what a
// search has found is looked at once more by this, and so is what a ticket says.
//
// The idea: note the state's number, the letter and who can move after each step. The last steps can be taken
// for ever if they lead from a state to itself, or if nothing can move any more. The execution is then a word
// that ends in a loop, and its product with the automaton a small graph (fair_cycles/search.h).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/replay.h"
#include "engine/system.h"
#include "fair_cycles/graph.h"
#include "states/temporal_question.h"

namespace ravel {

class LassoCheck final : public EndlessJudge {
 public:
  explicit LassoCheck(TemporalQuestion question) : question_(std::move(question)) {}

  // REQUIRES: the System numbers its states, and gives letters.
  void note(System& system, std::optional<ActorId> moved) override;
  std::optional<Bug> judge(System& system, std::uint64_t loop) override;

 private:
  // A state of the execution, and the step to it.
  struct Place {
    std::optional<StateNumber> state;
    Letter letter;
    std::optional<ActorId> moved;
    std::vector<fair_cycles::Actor> enabled;  // who is sure to move some day, there
  };
  class Word;

  Bug bug_of(System& system, std::uint64_t loop) const;
  void tell_who_waits(System& system, std::uint64_t loop, Bug& bug) const;

  const TemporalQuestion question_;
  std::vector<Place> places_;
};

}  // namespace ravel
