// Names of actors as numbers, for messages: the ordinals from the main thread on. Time, which passes as an
// actor of its own, is 0.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/actor.h"

namespace ravel::threads {

inline ActorName time_actor_name() { return ActorName('T'); }

inline ActorName name_of_path(std::span<const std::uint32_t> path) {
  if (!path.empty() && path.front() == 0) return time_actor_name();
  ActorName name;
  for (const std::uint32_t ordinal : path) name = name.child(ordinal);
  return name;
}

inline std::vector<std::uint32_t> path_of(const ActorName& name) {
  if (name == time_actor_name()) return {0};
  std::vector<std::uint32_t> path;
  for (const ActorName::Child& child : name.path()) path.push_back(child.ordinal);
  return path;
}

}  // namespace ravel::threads
