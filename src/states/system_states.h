// The states of a System, by the numbers that a search gives them, and the one that the System is in: it is
// not asked to go where it is.
#pragma once

#include <cstdint>
#include <optional>

#include "engine/step_memory.h"
#include "engine/system.h"

namespace ravel {

inline constexpr const char kNotTheSameTwice[] =
    "the program under test did not do the same thing twice: nondeterminism that is not under control";

class SystemStates {
 public:
  // It must outlive this object, and numbers its states.
  explicit SystemStates(System& system) : system_(system) {}

  // Others may have used the System's numbers up to now: the next new state has number 0 here.
  void count_anew() { counts_anew_ = true; }
  // NumberedStates::number_state(), by the numbers of the search.
  std::optional<MetState> number() {
    std::optional<MetState> met = system_.number_state();
    if (met) met->number = of_search(*met);
    return met;
  }
  // StepMemory::repeat(), likewise. `memory`: the System's.
  std::optional<StepMemory::Known> repeat(StepMemory& memory, StateNumber from, std::uint32_t index) {
    forget_present();
    std::optional<StepMemory::Known> known = memory.repeat(of_system(from), index);
    if (known) known->met.number = of_search(known->met);
    return known;
  }

  void go_to(StateNumber state) {
    if (present_ == state) return;
    system_.go_to(of_system(state));
    present_ = state;
  }
  void go_to_anew(StateNumber state) {
    forget_present();
    go_to(state);
  }
  // A step has led to this state, or somewhere else.
  void be_in(StateNumber state) { present_ = state; }
  void forget_present() { present_.reset(); }

  // NumberedStates::leave().
  void leave(StateNumber state) { system_.leave(of_system(state)); }

 private:
  StateNumber of_system(StateNumber state) const {
    return StateNumber{first_ + static_cast<std::uint32_t>(state)};
  }

  StateNumber of_search(const MetState& met) {
    if (!counts_anew_ || !met.is_new) return met.number;
    const auto number = static_cast<std::uint32_t>(met.number);
    if (!has_first_) first_ = number;
    has_first_ = true;
    return StateNumber{number - first_};
  }

  System& system_;
  std::optional<StateNumber> present_;  // none: it is not known
  std::uint32_t first_ = 0;             // the System's number of the search's first state
  bool counts_anew_ = false, has_first_ = false;
};

}  // namespace ravel
