// How many events of some kind each actor has in an execution, as earlier executions have shown, and how many
// of these are left.
//
// An actor's share includes that of the actors that it will have started, until they are there: so they count
// from the beginning. To know it without looking at all descendants each actor has the sum of what those
// below it had.
//
// Cost: a few additions an event; at the birth of an actor and at the end of an execution one step for each
// ancestor.

#pragma once

#include <cstdint>
#include <vector>

#include "engine/position.h"
#include "strategy/actor_table.h"

namespace ravel {

class ActorCounts {
 public:
  // REQUIRES: births and counts of an execution come with the table as it is then; actors are its indices.
  void note_birth(std::uint32_t actor, const ActorTable& table);
  void count(std::uint32_t actor, const ActorTable& table) {
    if (at(actor, table).seen++ == 0) counted_.push_back(actor);
  }
  // In this execution.
  std::uint64_t seen(std::uint32_t actor, const ActorTable& table) { return at(actor, table).seen; }
  // How many it has left, with those of its descendants that are not there yet, if all births were noted.
  std::uint64_t left(std::uint32_t actor, const ActorTable& table) {
    const Entry& entry = at(actor, table);
    return (entry.expected > entry.seen ? entry.expected - entry.seen : 0) + entry.unborn;
  }
  // Expects in addition what the other ones do.
  void add(const ActorCounts& other, const ActorTable& table);
  // Learns what this execution has shown.
  void end(const ActorTable& table);

  void write_position(PositionWriter& writer, const ActorTable& table) const;
  void read_position(PositionReader& reader, ActorTable& table);

 private:
  struct Entry {
    std::uint64_t expected = 0;   // the most of one execution
    std::uint64_t below = 0;      // the sum of what its descendants expect
    std::uint64_t execution = 0;  // for which the rest is
    std::uint64_t seen = 0;
    std::uint64_t unborn = 0;  // what those of its descendants expect that are not there
  };
  Entry& at(std::uint32_t actor, const ActorTable& table) {
    if (actor >= entries_.size()) [[unlikely]]
      entries_.resize(actor + 1);
    Entry& entry = entries_[actor];
    if (entry.execution != table.execution()) {
      entry.execution = table.execution();
      entry.seen = entry.unborn = 0;
    }
    return entry;
  }
  void expect(std::uint32_t actor, std::uint64_t number, const ActorTable& table);

  std::vector<Entry> entries_;
  std::vector<std::uint32_t> counted_;  // actors with events in this execution
};

}  // namespace ravel
