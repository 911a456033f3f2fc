#include "threads/runtime/actor_names.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "threads/protocol/actor_path.h"

namespace ravel::threads {

ActorNames::ActorNames() { add({}, {}); }

ActorId ActorNames::add(NewActor actor, ActorName name) {
  const auto id = static_cast<ActorId>(actors_.size());
  actors_.push_back(actor);
  names_.push_back(std::move(name));
  children_.emplace_back();
  return id;
}

ActorId ActorNames::child_of(ActorId parent, std::uint32_t ordinal) {
  const auto index = static_cast<std::size_t>(parent);
  CHECK(ordinal <= children_[index].size() + 1);
  if (ordinal > children_[index].size()) {
    const ActorId child =
        add({.parent = static_cast<std::uint32_t>(parent), .ordinal = ordinal}, names_[index].child(ordinal));
    children_[index].push_back(child);
  }
  return children_[index][ordinal - 1];
}

ActorId ActorNames::time() {
  if (!time_) time_ = add({.parent = 0, .ordinal = 0}, time_actor_name());
  return *time_;
}

std::optional<ActorId> ActorNames::find(const ActorName& name) const {
  const auto found = std::ranges::find(names_, name);
  if (found == names_.end()) return std::nullopt;
  return static_cast<ActorId>(found - names_.begin());
}

}  // namespace ravel::threads
