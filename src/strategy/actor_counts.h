// How many events of some kind each actor has in an execution, as earlier executions have shown, and how many of these are
// left. Actors are known by name, so that what was learned outlives the System.
//
// An actor's share includes that of the actors that it will have started, until they are there: so they count from the
// beginning.

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "engine/actor.h"
#include "engine/position.h"
#include "engine/system.h"

namespace ravel {

class ActorCounts {
 public:
  // At the beginning of an execution: everything is left.
  void begin();
  // The actor is there.
  void meet(ActorId actor, const System& system);
  void count(ActorId actor);
  // How many it has left, with those of its descendants that are not there yet. REQUIRES: it was met.
  std::uint64_t left(ActorId actor) const;
  // Learns what this execution has shown.
  void end();

  void write_position(PositionWriter& writer) const;
  void read_position(PositionReader& reader);

 private:
  struct Entry {
    std::uint64_t expected = 0;  // the most of one execution
    std::uint64_t seen = 0;      // in this execution
    bool is_there = false;
  };
  // In logical order a name comes before those of its descendants, but others may stand between them.
  std::map<ActorName, Entry> entries_;
  std::vector<std::map<ActorName, Entry>::iterator> by_id_;
};

}  // namespace ravel
