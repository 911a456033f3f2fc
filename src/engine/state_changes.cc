#include "engine/state_changes.h"

#include <algorithm>
#include <utility>

namespace ravel {

namespace {

const ActorState* find_actor(std::span<const ActorState> states, std::optional<ActorId> actor) {
  const auto found = std::ranges::find(states, actor, &ActorState::actor);
  return found == states.end() ? nullptr : &*found;
}

const StatePart* find_part(const ActorState* state, const StatePart& part) {
  if (state == nullptr) return nullptr;
  const auto is_same = [&](const StatePart& one) { return one.kind == part.kind && one.name == part.name; };
  const auto found = std::ranges::find_if(state->parts, is_same);
  return found == state->parts.end() ? nullptr : &*found;
}

}  // namespace

std::vector<StateChange> state_changes(std::span<const ActorState> before,
                                       std::span<const ActorState> after) {
  std::vector<StateChange> changes;
  for (const ActorState& now : after) {
    const ActorState* const old = find_actor(before, now.actor);
    for (const StatePart& part : now.parts) {
      const StatePart* const same = find_part(old, part);
      if (same == nullptr || *same != part) changes.push_back({.actor = now.actor, .part = part});
    }
  }
  for (const ActorState& old : before) {
    const ActorState* const now = find_actor(after, old.actor);
    for (const StatePart& part : old.parts)
      if (find_part(now, part) == nullptr)
        changes.push_back({.actor = old.actor, .part = {.kind = part.kind, .name = part.name}});
  }
  return changes;
}

std::vector<StateChange> StateFollower::changes() {
  std::vector<ActorState> now = system_.inspect();
  std::vector<StateChange> changes = state_changes(present_, now);
  present_ = std::move(now);
  return changes;
}

}  // namespace ravel
