// Which transition of which state comes next, by strata of a delaying explorer: stratified exhaustive search
// (A. Desai, S. Qadeer, S. A. Seshia, "Systematic testing of asynchronous reactive programs", FSE 2015,
// figure 5).
//
// The idea: depth first, with what the explorer prescribes; the transition at place i of its order costs i
// delays. What needs more delays than the present stratum has is put off to the next one: a state, the
// explorer's state there, and how many transitions were taken.
//
// A state is gone on from once, with the explorer's state in which it was met first, also if another way
// would have led there with fewer delays, or with another state of the explorer. So a stratum need not have
// all that so many delays lead to; what all strata together have is every state.
//
// Memory: 12 bytes for each state that is put off, and each state of the explorer once.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/system.h"
#include "explorers/explorer_driver.h"
#include "states/explorer_states.h"

namespace ravel {

class DelayStrata {
 public:
  struct Choice {
    StateNumber state;
    std::uint32_t index;  // of its transitions
  };

  // `go_to` brings the system to a state. Without a largest stratum it goes on until nothing is left.
  DelayStrata(System& system, std::unique_ptr<const DelayingExplorer> explorer, const ExplorerNeeds& needs,
              std::optional<std::uint32_t> delays_max, std::function<void(StateNumber)> go_to)
      : system_(system),
        driver_(std::move(explorer), needs),
        delays_max_(delays_max),
        go_to_(std::move(go_to)) {}

  // A new state, after the step that next() has told, or the initial one. The System is there.
  void open(StateNumber state);
  // The transition to take next. Nothing: no stratum is left.
  std::optional<Choice> next();

  // The number of delays that is being tried, or was tried last.
  std::uint32_t stratum() const { return stratum_; }
  // The last one of which nothing is left.
  std::optional<std::uint32_t> completed() const {
    if (is_completed()) return stratum_;
    return stratum_ == 0 ? std::nullopt : std::optional(stratum_ - 1);
  }
  // Whether every transition of every state was taken.
  bool is_exhausted() const { return is_completed() && put_off_.empty(); }
  std::vector<std::string> complaints() const { return driver_.complaints(); }
  std::uint64_t bytes() const;

 private:
  struct PutOff {
    StateNumber state;
    std::uint32_t explorer;  // its state there, by number
    std::uint32_t place;     // in the order of the transitions: those before it were taken
  };
  // A state on the way to the present one.
  struct OnWay {
    PutOff next;
    std::uint32_t delays;   // with which the next transition is taken
    std::uint32_t enabled;  // how many there are; kUnknown: not asked yet
  };
  static constexpr std::uint32_t kUnknown = ~std::uint32_t{0};

  bool is_completed() const { return way_.empty() && resumed_ == resuming_.size(); }
  bool begin_stratum();

  System& system_;
  ExplorerDriver driver_;
  const std::optional<std::uint32_t> delays_max_;
  const std::function<void(StateNumber)> go_to_;
  ExplorerStates explorer_states_;
  ExplorerState state_;  // after the last step
  std::vector<OnWay> way_;
  std::vector<PutOff> put_off_;   // to the next stratum
  std::vector<PutOff> resuming_;  // of the present one
  std::size_t resumed_ = 0;       // how many of these
  std::uint32_t stratum_ = 0;
};

}  // namespace ravel
