// How the states of a search were found: the transitions that lead to each of them.
//
// The idea: each state was found by one transition of a state that was found before it. If all are kept, that
// is 12 bytes for each state. A plain search depth first keeps only the states on the way to the present one,
// and notes all others as its position has them: in two or three bytes each (state_search_position.cc).
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/position.h"
#include "engine/system.h"

namespace ravel {

class WaysToStates {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  // A transition of a state, by its place among the enabled ones; kNone: none, but the reset.
  struct Step {
    std::uint32_t state = 0;
    std::uint32_t index = kNone;
  };
  // How a state was found.
  struct Origin {
    Step from;
    std::uint32_t is_end : 1;   // nothing can move there any more
    std::uint32_t depth : 30;   // the steps of this way
    std::uint32_t is_done : 1;  // it was gone on from, or another process does that: if others share in it
  };
  // A state on the way to the present one, depth first.
  struct OnWay {
    StateNumber state;
    std::uint32_t next;     // of its transitions, the first that was not taken
    std::uint32_t enabled;  // how many there are
  };

  // Origins are kept of all states. REQUIRES: called before the first is added.
  void keep_all() { keeps_all_ = true; }
  bool keeps_all() const { return keeps_all_; }

  // The step that the search takes now; or it resets the System.
  void begin_step(Step step) { last_ = step; }
  void begin_anew() { last_ = {}; }
  const Step& last_step() const { return last_; }
  // The last step has found a state. How many steps lead there.
  std::uint64_t add(bool is_end) { return keeps_all_ ? add(last_, is_end) : on_way_.size(); }
  // The same of another step. REQUIRES: keeps_all().
  std::uint64_t add(Step from, bool is_end) {
    const std::uint32_t depth = from.index == kNone ? 0 : origins_[from.state].depth + 1;
    origins_.push_back({.from = from, .is_end = is_end, .depth = depth, .is_done = false});
    return depth;
  }

  // All states, by number. REQUIRES: keeps_all().
  std::uint32_t size() const { return static_cast<std::uint32_t>(origins_.size()); }
  Origin& origin(std::uint32_t state) { return origins_[state]; }
  const Origin& origin(std::uint32_t state) const { return origins_[state]; }
  // Whether nobody went on from there.
  bool is_open(std::uint32_t state) const {
    return origins_[state].is_end == 0 && origins_[state].is_done == 0;
  }

  // Depth first, if not all are kept.
  std::vector<OnWay>& on_way() { return on_way_; }
  const std::vector<OnWay>& on_way() const { return on_way_; }

  // The transitions that lead to where the search is, or to a state, by their places among the enabled ones.
  std::vector<std::uint32_t> indices() const;
  std::vector<std::uint32_t> indices_to(StateNumber state) const;
  // Some states on the way to where the search is, in their order; none of a short one.
  std::vector<StateNumber> samples() const;

  // The discoveries as positions have them: of each state but the initial one by which step it was found.
  void note_discovery(std::uint32_t number, Step from) {
    discoveries_.put(number - 1 - from.state);
    discoveries_.put(from.index);
  }
  const std::string& discoveries() const { return discoveries_.bytes(); }
  // The same of origins. REQUIRES: keeps_all().
  std::string discoveries_by_origins() const;

 private:
  void add_indices(Step step, std::vector<std::uint32_t>& indices) const;

  bool keeps_all_ = false;
  Step last_;  // last of all
  std::vector<OnWay> on_way_;
  std::vector<Origin> origins_;  // by number, if all are kept
  PositionWriter discoveries_;
};

}  // namespace ravel
