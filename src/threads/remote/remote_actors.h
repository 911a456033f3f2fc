// The actors of a program under test: their names, our numbers for them, and those of the program's process.
//
// The process numbers actors as it sees them, and another process of the same program differently; a name is
// the same in all.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/actor.h"
#include "engine/transition.h"
#include "threads/protocol/messages.h"

namespace ravel::threads {

class RemoteActors {
 public:
  // What the process has told of those that it sees now.
  void add(const std::vector<NewActor>& actors);
  // A process begins, or an execution in one: it has told of none.
  void forget_theirs() { ours_.clear(); }
  void forget_all() {
    names_.clear();
    ours_.clear();
  }

  bool knows(std::uint32_t theirs) const { return theirs < ours_.size(); }
  // REQUIRES for these three: knows(theirs).
  ActorId ours(std::uint32_t theirs) const { return ours_[theirs]; }
  ActorId ours(ActorId theirs) const { return ours_[static_cast<std::size_t>(theirs)]; }
  const ActorName& name_of_theirs(std::uint32_t theirs) const;
  std::uint32_t theirs(ActorId ours) const { return theirs_[static_cast<std::size_t>(ours)]; }

  // By our numbers.
  const std::vector<ActorName>& names() const { return names_; }
  const ActorName& name(ActorId ours) const;
  std::optional<ActorId> find(const ActorName& name) const;

  // An object that is a thread has its number.
  void to_ours(Touch& touch) const;

 private:
  std::vector<ActorName> names_;       // by our number
  std::vector<ActorId> ours_;          // by the process's number
  std::vector<std::uint32_t> theirs_;  // by ours
};

}  // namespace ravel::threads
