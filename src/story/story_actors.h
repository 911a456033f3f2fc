// The actors of a story, in the order of their appearance.

#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/actor.h"
#include "engine/system.h"
#include "story/story_model.h"

namespace ravel {

class StoryActors {
 public:
  // `ordinary`: what actors of the program are. The System must outlive this.
  StoryActors(const System& system, StoryActorKind ordinary) : system_(system), ordinary_(ordinary) {}

  // Adds it if it is new.
  std::size_t index_of(ActorId actor);
  // Nothing if it has not appeared.
  std::optional<std::size_t> find(const ActorName& name) const;
  // By logical name, as bugs have it.
  std::optional<std::size_t> find(std::string_view name) const;
  // What an actor is called with: the longest label is kept.
  void see_label(std::size_t actor, std::string_view label);

  StoryActor& operator[](std::size_t actor) { return actors_[actor]; }
  std::size_t size() const { return actors_.size(); }
  // With their parents. REQUIRES: called once, at the end.
  std::vector<StoryActor> take();

 private:
  const System& system_;
  const StoryActorKind ordinary_;
  std::vector<StoryActor> actors_;
  std::map<ActorName, std::size_t> by_name_;
  std::map<ActorId, std::size_t> by_id_;
};

}  // namespace ravel
