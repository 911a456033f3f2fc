// The actors that this process has met, in all executions: threads by their place in the tree of creation,
// and the one that time is.

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/actor.h"
#include "threads/protocol/messages.h"

namespace ravel::threads {

class ActorNames {
 public:
  ActorNames();

  // The main thread of the program.
  static constexpr ActorId kMain{0};
  // The thread that a thread is the how-many-th one to make, from 1. REQUIRES: those before it are known.
  ActorId child_of(ActorId parent, std::uint32_t ordinal);
  // The actor without a thread: time passes by its steps.
  ActorId time();

  const ActorName& name_of(ActorId actor) const { return names_[static_cast<std::size_t>(actor)]; }
  std::optional<ActorId> find(const ActorName& name) const;
  // By ActorId.
  const std::vector<NewActor>& all() const { return actors_; }

 private:
  ActorId add(NewActor actor, ActorName name);

  std::vector<NewActor> actors_;  // by ActorId, as are the next two
  std::vector<ActorName> names_;
  std::vector<std::vector<ActorId>> children_;  // then by ordinal - 1
  std::optional<ActorId> time_;
};

}  // namespace ravel::threads
