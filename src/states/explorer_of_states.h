// A delaying explorer beside a System whose states a search goes back to: which transition it prescribes in a
// state that it was in before. The explorer's state there is known by a number.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "engine/system.h"
#include "explorers/explorer_driver.h"
#include "states/explorer_states.h"

namespace ravel {

class ExplorerOfStates {
 public:
  // The System must outlive this object.
  ExplorerOfStates(System& system, std::unique_ptr<const DelayingExplorer> explorer,
                   const ExplorerNeeds& needs)
      : system_(system), driver_(std::move(explorer), needs) {}

  // The System is where nobody has moved yet; arrive() is next.
  void begin() {
    driver_.begin();
    state_.clear();
  }
  // The System has taken the transition that was chosen last, or is where it begins. The explorer's state is
  // this one now.
  std::uint32_t arrive() {
    driver_.arrive(state_, system_.enabled(), system_);
    return states_.number_of(state_);
  }

  // The System is where arrive() has told this state of the explorer.
  void be_in(std::uint32_t explorer) { state_ = states_.state_of(explorer); }
  // Which of the System's transitions is at this place of the order; it is chosen. REQUIRES: be_in() was
  // called before; there are so many transitions.
  std::size_t choose(std::uint32_t place) {
    return driver_.choose(state_, system_.enabled(), place, system_);
  }
  // How many delays that one costs. REQUIRES: the same.
  std::uint32_t cost_of(std::uint32_t place) { return driver_.cost_of(state_, system_.enabled(), place); }
  // be_in() and choose() of a transition whose place is not known. False: there is none at this index.
  bool choose_index(std::uint32_t explorer, std::size_t index) {
    const std::size_t enabled = system_.enabled().size();
    for (std::uint32_t place = 0; place < enabled; ++place) {
      be_in(explorer);
      if (choose(place) == index) return true;
    }
    return false;
  }

  ExplorerDriver& driver() { return driver_; }
  const ExplorerDriver& driver() const { return driver_; }
  const ExplorerStates& states() const { return states_; }

 private:
  System& system_;
  ExplorerDriver driver_;
  ExplorerStates states_;
  ExplorerState state_;  // after the last step
};

}  // namespace ravel
