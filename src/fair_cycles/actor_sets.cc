#include "fair_cycles/actor_sets.h"

#include <algorithm>

#include "base/hash.h"

namespace ravel::fair_cycles {
namespace {

std::uint32_t number(ActorSet set) { return static_cast<std::uint32_t>(set); }

}  // namespace

ActorSets::ActorSets() : slots_(64) { intern_sorted({}); }

std::span<const Actor> ActorSets::members(ActorSet set) const {
  const std::size_t begin = set == kNoActors ? 0 : ends_[number(set) - 1];
  return std::span(members_).subspan(begin, ends_[number(set)] - begin);
}

bool ActorSets::contains(ActorSet set, Actor actor) const {
  return std::ranges::binary_search(members(set), actor);
}

ActorSet ActorSets::intern(std::span<const Actor> actors) {
  if (std::ranges::equal(actors, last_given_)) return last_;
  last_given_.assign(actors.begin(), actors.end());
  sorted_.assign(actors.begin(), actors.end());
  std::ranges::sort(sorted_);
  sorted_.erase(std::ranges::unique(sorted_).begin(), sorted_.end());
  return last_ = intern_sorted(sorted_);
}

// REQUIRES: `actors` is no part of members_.
ActorSet ActorSets::intern_sorted(std::span<const Actor> actors) {
  const std::uint64_t hash = hash_bytes(std::as_bytes(actors));
  const std::size_t last = slots_.size() - 1;
  std::size_t slot = hash & last;
  for (; slots_[slot] != 0; slot = (slot + 1) & last) {
    const ActorSet set{slots_[slot] - 1};
    if (hashes_[number(set)] == hash && std::ranges::equal(members(set), actors)) return set;
  }
  const auto made = static_cast<std::uint32_t>(ends_.size());
  slots_[slot] = made + 1;
  members_.insert(members_.end(), actors.begin(), actors.end());
  ends_.push_back(members_.size());
  hashes_.push_back(hash);
  if (ends_.size() * 2 > slots_.size()) grow();
  return ActorSet{made};
}

void ActorSets::grow() {
  slots_.assign(slots_.size() * 2, 0);
  const std::size_t last = slots_.size() - 1;
  for (std::size_t set = 0; set < hashes_.size(); ++set) {
    std::size_t slot = hashes_[set] & last;
    while (slots_[slot] != 0) slot = (slot + 1) & last;
    slots_[slot] = static_cast<std::uint32_t>(set + 1);
  }
}

ActorSet ActorSets::intersection(ActorSet a, ActorSet b) {
  if (a == b) return a;
  if (a == kNoActors || b == kNoActors) return kNoActors;
  if (a > b) std::swap(a, b);
  Remembered& place = intersections_[mix(std::uint64_t{number(a)} << 32 | number(b)) % intersections_.size()];
  // A place that is not in use has twice the same set, which is never asked for.
  if (place.a == a && place.b == b) return place.result;
  scratch_.clear();
  std::ranges::set_intersection(members(a), members(b), std::back_inserter(scratch_));
  place = {a, b, intern_sorted(scratch_)};
  return place.result;
}

ActorSet ActorSets::without(ActorSet set, Actor actor) {
  if (!contains(set, actor)) return set;
  scratch_.clear();
  std::ranges::remove_copy(members(set), std::back_inserter(scratch_), actor);
  return intern_sorted(scratch_);
}

}  // namespace ravel::fair_cycles
