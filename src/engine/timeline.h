// One recorded execution, to be gone through in both directions.
//
// The idea: to go back is to go to a place before, and forward again from there. If the System has
// snapshots, some are kept on the way, evenly over the execution; else the way begins at the initial state,
// and many steps are taken at once (System::follow).
//
// Cost: going one step back costs as many steps as there are between two kept snapshots, at most
// length / kKeptMax and at least kSpacingMin; without snapshots, as many as come before.
#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include "engine/system.h"
#include "engine/transition.h"

namespace ravel {

class Timeline {
 public:
  // The System has taken these steps from its initial state, in some execution. It must outlive this object,
  // and nobody else changes its state meanwhile. Begins in the initial state, where steps are described.
  Timeline(System& system, std::vector<Transition> schedule);
  ~Timeline();
  Timeline(const Timeline&) = delete;
  Timeline& operator=(const Timeline&) = delete;

  std::size_t length() const { return schedule_.size(); }
  // How many steps have been taken.
  std::size_t position() const { return position_; }
  // False: the program has done something else this time, and position() is where that was.
  // REQUIRES: position <= length().
  bool go_to(std::size_t position);

 private:
  static constexpr std::size_t kKeptMax = 256, kSpacingMin = 16;

  void go_back_before(std::size_t position);
  void keep_snapshot();

  System& system_;
  const std::vector<Transition> schedule_;
  const std::size_t spacing_;
  std::size_t position_ = 0;
  std::map<std::size_t, Snapshot> kept_;  // by position
};

}  // namespace ravel
