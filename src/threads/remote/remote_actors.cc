#include "threads/remote/remote_actors.h"

#include <algorithm>

#include "base/check.h"
#include "threads/protocol/actor_path.h"

namespace ravel::threads {

void RemoteActors::add(const std::vector<NewActor>& actors) {
  for (const NewActor& actor : actors) {
    const ActorName name = ours_.empty()        ? ActorName()
                           : actor.ordinal == 0 ? time_actor_name()
                                                : name_of_theirs(actor.parent).child(actor.ordinal);
    auto known = find(name);
    if (!known) {
      known = static_cast<ActorId>(names_.size());
      names_.push_back(name);
      theirs_.resize(names_.size());
    }
    theirs_[static_cast<std::size_t>(*known)] = static_cast<std::uint32_t>(ours_.size());
    ours_.push_back(*known);
  }
}

const ActorName& RemoteActors::name_of_theirs(std::uint32_t theirs) const {
  CHECK(knows(theirs));
  return names_[static_cast<std::size_t>(ours_[theirs])];
}

const ActorName& RemoteActors::name(ActorId ours) const {
  const auto index = static_cast<std::size_t>(ours);
  CHECK(index < names_.size());
  return names_[index];
}

std::optional<ActorId> RemoteActors::find(const ActorName& name) const {
  const auto found = std::ranges::find(names_, name);
  if (found == names_.end()) return std::nullopt;
  return static_cast<ActorId>(found - names_.begin());
}

void RemoteActors::to_ours(Touch& touch) const {
  if ((touch.object & kThreadObjects) != 0)
    touch.object = kThreadObjects + static_cast<std::uint64_t>(ours_[touch.object & ~kThreadObjects]);
}

}  // namespace ravel::threads
