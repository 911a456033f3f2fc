#include "story/story_actors.h"

#include <algorithm>
#include <utility>

#include "story/story_text.h"

namespace ravel {

namespace {

bool is_environment(const ActorName& name) {
  return std::ranges::any_of(name.path(), [](const ActorName::Child& child) { return child.kind != '\0'; });
}

ActorName parent_of(const ActorName& name) {
  ActorName parent(name.root());
  for (std::size_t i = 0; i + 1 < name.path().size(); ++i)
    parent = parent.child(name.path()[i].ordinal, name.path()[i].kind);
  return parent;
}

}  // namespace

std::size_t StoryActors::index_of(ActorId actor) {
  if (const auto known = by_id_.find(actor); known != by_id_.end()) return known->second;
  const ActorName name = system_.actor_name(actor);
  const std::size_t index = by_name_.try_emplace(name, actors_.size()).first->second;
  by_id_[actor] = index;
  if (index == actors_.size()) {
    StoryActor& added = actors_.emplace_back();
    added.name = name.to_string();
    added.label = added.name;
    added.kind = is_environment(name) ? StoryActorKind::kEnvironment : ordinary_;
  }
  return index;
}

std::optional<std::size_t> StoryActors::find(const ActorName& name) const {
  const auto known = by_name_.find(name);
  return known == by_name_.end() ? std::nullopt : std::optional(known->second);
}

std::optional<std::size_t> StoryActors::find(std::string_view name) const {
  if (name.empty()) return std::nullopt;
  const auto parsed = ActorName::parse(name);
  return parsed ? find(*parsed) : std::nullopt;
}

void StoryActors::see_label(std::size_t actor, std::string_view label) {
  if (label.size() > actors_[actor].label.size()) actors_[actor].label = cut_characters(label, 200);
}

std::vector<StoryActor> StoryActors::take() {
  for (const auto& [name, index] : by_name_)
    if (!name.path().empty()) actors_[index].parent = find(parent_of(name));
  return std::move(actors_);
}

}  // namespace ravel
