// Whether an execution goes round: whether a state comes again, so that it need never end.
//
// A round is fair if nobody who could move all the time has stood still: then no scheduler is to blame, and
// the program has a livelock. A round that is not fair only shows that somebody waits by looking again and
// again, and that it is not his turn that is missing.
//
// Cost: a fingerprint for each state that is noted, and who can move there.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/bug.h"
#include "engine/system.h"

namespace ravel {

struct Round {
  std::size_t begin = 0, end = 0;  // numbers of the two states that are the same, among those that were noted
  bool is_fair = false;
};

class RoundFinder {
 public:
  // Notes the state in which the System is, and who took the step to it; nothing happens once there is a fair
  // round.
  void note(System& system, std::optional<ActorId> moved);
  // The first fair round, else the first round.
  const std::optional<Round>& round() const { return round_; }
  // The actors that move in the round.
  std::vector<ActorId> movers() const;

 private:
  bool is_fair(std::size_t begin, std::size_t end) const;

  std::map<Fingerprint, std::size_t> known_;
  std::vector<std::vector<ActorId>> enabled_;  // at each state
  std::vector<std::optional<ActorId>> moved_;  // the actor that led there
  std::optional<Round> round_;
};

inline constexpr const char kLivelock[] = "livelock";

// "P.1 and P.2 go round, in 7 events that lead from a state to itself", of these movers, each of which may be
// named several times.
std::string describe_round(const System& system, const std::vector<ActorId>& movers, std::size_t events);
Bug livelock_bug(const System& system, const RoundFinder& finder);  // REQUIRES: a fair round

}  // namespace ravel
