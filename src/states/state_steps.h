// What an order of a search by states takes its steps with: the search itself, as far as an order has to know
// it. It counts, keeps the budgets and records what is found.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "engine/system.h"
#include "engine/transition.h"
#include "states/temporal_question.h"

namespace ravel {

class StateSteps {
 public:
  // Where a transition leads.
  struct Arrival {
    std::optional<StateNumber> state = {};  // nothing: it ends the execution by a bug, or the search is over
    bool is_new = false;
    bool can_go_on = false;
    std::uint32_t enabled = 0;  // transitions, if it can go on
    Letter letter = {};         // if there are questions
  };

  // Takes a transition of a state, by its place among the enabled ones.
  virtual Arrival take(StateNumber from, std::uint32_t index) = 0;
  // Those of a state, valid until the next step.
  virtual std::span<const Transition> enabled_in(StateNumber state) = 0;
  // How many states were met.
  virtual std::uint32_t states() const = 0;

  virtual bool is_over() const = 0;
  // The same, and looks at the budgets now and then.
  virtual bool should_stop() = 0;
  virtual void end_for_memory() = 0;

  // An execution without an end that violates what the question asks about: these transitions from the
  // initial state on, of which the last `loop` come again and again.
  virtual void record_endless(const TemporalQuestion& question, std::span<const std::uint32_t> indices,
                              std::uint64_t loop) = 0;

 protected:
  ~StateSteps() = default;
};

}  // namespace ravel
