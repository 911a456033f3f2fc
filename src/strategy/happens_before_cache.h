// Notices that a search has come to a state that it has been in: by an equivalent beginning of an execution.
//
// Two beginnings that differ only in the order of independent events lead to the same state (history.h says
// which events are). So a beginning is known by a hash of its events, each with its causal past, and of the
// order of messages in mailboxes: no state has to be saved or compared. What can follow depends on the state,
// and what it costs in preemptions on who moved last and on how many there were already; that is what is
// remembered of each beginning. This is the happens-before caching of M. Musuvathi and S. Qadeer,
// "Partial-order reduction for context-bounded state exploration" (Microsoft Research, 2007). A strategy
// whose choices follow from something else names that (`was_here_in`).
//
// Memory: some 50 bytes for each of the first `capacity` points with a choice; later ones are not remembered,
// so that more is run again, and nothing left out. Two beginnings are taken for one with a probability of
// 2^-64.

#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "engine/strategy.h"
#include "strategy/history/history.h"

namespace ravel {

class HappensBeforeCache {
 public:
  explicit HappensBeforeCache(std::size_t capacity) : capacity_(capacity) {}

  // Goes back to the first events of the execution before.
  void rewind(std::size_t length);
  // Notes who is there, before the next event. was_here() does it, too.
  void see(const Point& point);
  // Whether an equivalent beginning by another schedule has come here with the same actor moving last and no
  // more preemptions. Remembers the point otherwise.
  bool was_here(const Point& point);
  // Whether an equivalent beginning by another schedule has come here in the same situation: all else that
  // decides how it goes on. Remembers the point otherwise.
  bool was_here_in(std::uint64_t situation);
  // All that was remembered of points and ends.
  void forget() {
    reached_.clear();
    situations_.clear();
  }
  // Whether an equivalent execution has come to its end. Here preemptions do not matter any more, nor does
  // what lies in mailboxes.
  bool was_at_end();
  void observe(const Event& event);
  std::vector<std::size_t> causes_of(std::size_t event) const { return history_.causes_of(event); }
  // The hash of an actor's name, equal in all Systems of one program. REQUIRES: the actor was able to move at
  // some time.
  std::uint64_t name_hash(ActorId actor) const { return history_.name_hash(actor); }

  void write_position(PositionWriter& writer) const;
  void read_position(PositionReader& reader);

 private:
  struct Reached {
    std::uint64_t schedule;  // a hash of who moved when
    std::uint32_t preemptions;
  };
  bool reached_otherwise(std::uint64_t key, std::uint32_t preemptions);

  const std::size_t capacity_;
  History history_;
  std::vector<History::Mark> marks_;      // by length: what the history held before the next event
  std::vector<std::uint64_t> schedules_;  // by length: a hash of who moved when
  std::unordered_map<std::uint64_t, Reached> reached_;
  // By a hash of the beginning too: that of who moved when
  std::unordered_map<std::uint64_t, std::uint64_t> situations_;
  SystemView* system_ = nullptr;
};

}  // namespace ravel
