// Sets of actors, each stored once and known by a number.
//
// The idea: neighbouring nodes enable mostly the same actors, so a node keeps four bytes for its set. The
// intersections that a search asks for again and again come out of a small table.
//
// Cost: 4 bytes for each member of each distinct set, and up to 32 for the set itself. Sets are never freed.

#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "fair_cycles/graph.h"

namespace ravel::fair_cycles {

enum class ActorSet : std::uint32_t {};
inline constexpr ActorSet kNoActors{0};

class ActorSets {
 public:
  ActorSets();

  // In any order, and some perhaps twice.
  ActorSet intern(std::span<const Actor> actors);
  ActorSet intersection(ActorSet a, ActorSet b);
  ActorSet without(ActorSet set, Actor actor);

  // Sorted. Valid until the next set is made.
  std::span<const Actor> members(ActorSet set) const;
  bool contains(ActorSet set, Actor actor) const;

 private:
  struct Remembered {
    ActorSet a, b, result;
  };

  ActorSet intern_sorted(std::span<const Actor> actors);
  void grow();

  std::vector<Actor> members_;       // of all sets, one after the other
  std::vector<std::uint64_t> ends_;  // in members_, of each set
  std::vector<std::uint64_t> hashes_;
  std::vector<std::uint32_t> slots_;  // a hash table: the number of a set plus one, or 0; a power of two
  std::vector<Actor> scratch_;
  // What was interned last, as it was given: neighbouring nodes often give the same.
  std::vector<Actor> last_given_, sorted_;
  ActorSet last_ = kNoActors;
  std::array<Remembered, 1024> intersections_{};
};

}  // namespace ravel::fair_cycles
