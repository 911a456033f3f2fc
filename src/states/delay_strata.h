// Which transition of which state comes next, by strata of a delaying explorer: stratified exhaustive search
// (A. Desai, S. Qadeer, S. A. Seshia, "Systematic testing of asynchronous reactive programs", FSE 2015,
// figure 5).
//
// The idea: depth first, with what the explorer prescribes; the transition at place i of its order costs i
// delays, or as the explorer says (DelayCosts). What needs more delays than the present stratum has is put
// off to the next one: a state, the explorer's state there, and how many transitions were taken.
//
// A state is gone on from once, with the explorer's state in which it was met first, also if another way
// would have led there with fewer delays, or with another state of the explorer. So a stratum need not have
// all that so many delays lead to; what all strata together have is every state.
//
// Memory: some 4 bytes for each state that is put off, on disk if these are many (frontier.h), and each state
// of the explorer once.
//
// To go on from a position, the step by which each state was found is taken again, in the order of their
// numbers. The explorer goes along, so that a position holds nothing of its states: in another process actors
// may have other numbers.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/position.h"
#include "engine/system.h"
#include "states/explorer_of_states.h"
#include "states/frontier.h"

namespace ravel {

class DelayStrata {
 public:
  struct Choice {
    StateNumber state;
    std::uint32_t index;  // of its transitions
  };

  // `go_to` brings the system to a state. Without a largest stratum it goes on until nothing is left.
  // `memory_max`: what of the states that are put off may be in memory (Frontier).
  DelayStrata(System& system, std::unique_ptr<const DelayingExplorer> explorer, const ExplorerNeeds& needs,
              std::optional<std::uint32_t> delays_max, std::function<void(StateNumber)> go_to,
              std::size_t memory_max = Frontier::kMemoryMax)
      : system_(system),
        explorer_(system, std::move(explorer), needs),
        delays_max_(delays_max),
        go_to_(std::move(go_to)),
        put_off_(memory_max),
        resuming_(memory_max) {}

  // A new state, after the step that next() has told, or the initial one. The System is there.
  void open(StateNumber state);
  // The transition to take next. Nothing: no stratum is left.
  std::optional<Choice> next();
  // The transition that next() has told last was not taken.
  void take_back();

  // That next() is called no more: what is left of the way to the present state is put off, too.
  void stop();
  // What is left: of the present stratum, and put off to the next one.
  const Frontier& resuming() const { return resuming_; }
  const Frontier& put_off() const { return put_off_; }
  const ExplorerStates& explorer_states() const { return explorer_.states(); }
  ExplorerDriver& driver() { return explorer_.driver(); }

  // The number of delays that is being tried, or was tried last.
  std::uint32_t stratum() const { return stratum_; }
  // The last one of which nothing is left.
  std::optional<std::uint32_t> completed() const {
    if (is_completed()) return stratum_;
    return stratum_ == 0 ? std::nullopt : std::optional(stratum_ - 1);
  }
  // Whether every transition of every state was taken.
  bool is_exhausted() const { return is_completed() && put_off_.size() == 0; }
  std::vector<std::string> complaints() const { return explorer_.driver().complaints(); }
  std::uint64_t bytes() const;

  // Which states and transitions are left.
  void write_position(PositionWriter& writer) const;
  // Instead of open() and next(), on the way to a position. The System is where the step was taken by which
  // the next state was found, and takes the transition at this index. False: the position is damaged.
  bool repeat(StateNumber from, std::uint32_t index);
  // The System has come to this state, by that step or because it is the initial one.
  void open_again(StateNumber state);
  // After all of these. False if the position is damaged, or is of another explorer.
  bool read_position(PositionReader& reader);

 private:
  // A state on the way to the present one.
  struct OnWay {
    PutOff next;
    std::uint32_t delays;   // with which the next transition is taken
    std::uint32_t enabled;  // how many there are; kUnknown: not asked yet
  };
  static constexpr std::uint32_t kUnknown = ~std::uint32_t{0};
  // A state that was opened again.
  struct Opened {
    std::uint32_t explorer = kUnknown;  // unknown: nothing can move there
    std::uint32_t enabled = 0;
  };

  bool is_completed() const { return way_.empty() && resuming_.size() == 0; }
  bool begin_stratum();
  std::uint32_t cost_of_next(const OnWay& from);
  const Opened* opened(std::uint32_t state) const;

  System& system_;
  ExplorerOfStates explorer_;
  const std::optional<std::uint32_t> delays_max_;
  const std::function<void(StateNumber)> go_to_;
  std::vector<OnWay> way_;
  // How many delays more than the transition that next() has told last the one after it costs.
  std::uint32_t last_cost_ = 0;
  Frontier put_off_;   // to the next stratum
  Frontier resuming_;  // of the present one
  std::uint32_t stratum_ = 0;
  std::vector<Opened> opened_;  // by number, on the way to a position
};

}  // namespace ravel
