#include "states/effects.h"

#include <algorithm>
#include <bit>

#include "base/hash.h"

namespace ravel {

namespace {

constexpr std::size_t kBits = 64;
// An object, an actor and a set each have some words beside their own.
constexpr std::uint64_t kBytesBeside = 64;

void add(std::vector<std::uint64_t>& words, std::uint32_t number) {
  if (words.size() <= number / kBits) words.resize(number / kBits + 1);
  words[number / kBits] |= std::uint64_t{1} << number % kBits;
}

bool holds(const std::vector<std::uint64_t>& words, std::uint32_t number) {
  return number / kBits < words.size() && (words[number / kBits] >> number % kBits & 1) != 0;
}

template <class Range>
std::uint64_t hash_of(const Range& numbers, std::uint64_t seed) {
  for (const std::uint64_t number : numbers) seed = combine(seed, number);
  return seed;
}

bool takes(Access access) {
  return access == Access::kReceive || access == Access::kReceiveOrExpire || access == Access::kRemove;
}

// Whether messages make the difference: the order of two sends, or a receive that a message comes too late
// for. The message that `now` takes lies in the mailbox already; what `later` takes may be that of `now`.
bool conflict_by_messages(const Touch& now, const Touch& later) {
  if (is_send(now.access) && is_send(later.access)) return true;
  if (is_send(later.access)) return now.access == Access::kExpire || (takes(now.access) && later.is_priority);
  if (!is_send(now.access)) return false;
  return later.access == Access::kExpire || later.access == Access::kReceiveOrExpire ||
         (takes(later.access) && now.is_priority);
}

}  // namespace

Effects::Effects() { intern(Words{}); }

Effects::Step Effects::note(const Event& event, bool stops_others, SystemView& system) {
  touched_.clear();
  created_.clear();
  for (const Touch& touch : event.footprint) {
    if (touch.access == Access::kPass) continue;
    if (touch.access == Access::kCreate)
      if (const auto owner = system.owner_of(touch.object)) created_.push_back(*owner);
    const bool is_of_created = touch.access == Access::kCreate && !created_.empty();
    touched_.push_back(
        number_of(event.actor, touch, is_of_created ? std::optional(created_.back()) : std::nullopt));
  }
  if (stops_others)
    touched_.push_back(number_of(event.actor, {.object = kAllObjects, .access = Access::kWrite}));
  touched_.push_back(number_of(event.actor, {.object = kAllObjects, .access = Access::kCreate}));
  return intern(event.actor);
}

Effects::Step Effects::note_blocked(ActorId actor) {
  created_.clear();
  touched_.assign(1, number_of(actor, {.object = kAllObjects, .access = Access::kWrite}));
  return intern(actor);
}

Effects::Step Effects::intern(ActorId actor) {
  std::ranges::sort(touched_);
  touched_.erase(std::ranges::unique(touched_).begin(), touched_.end());
  const std::uint64_t hash = hash_of(touched_, static_cast<std::uint32_t>(actor));
  std::vector<Number>& same = step_of_hash_[hash];
  for (const Number step : same)
    if (steps_[step].actor == actor && steps_[step].effects == touched_) return Step{step};
  same.push_back(static_cast<Number>(steps_.size()));
  steps_.push_back({.actor = actor, .effects = touched_, .created = created_});
  bytes_ += touched_.size() * sizeof(Number) + kBytesBeside;
  return Step{same.back()};
}

Effects::Number Effects::number_of(ActorId actor, const Touch& touch, std::optional<ActorId> created) {
  std::vector<Number>& same_object = of_object_[touch.object];
  for (const Number known : same_object) {
    const Effect& effect = effects_[known];
    if (effect.actor == actor && effect.touch.access == touch.access &&
        effect.touch.is_priority == touch.is_priority)
      return known;
  }
  const auto number = static_cast<Number>(effects_.size());
  Effect& effect = effects_.emplace_back();
  effect.actor = actor;
  effect.created = created;
  effect.touch = {.object = touch.object, .access = touch.access, .is_priority = touch.is_priority};
  same_object.push_back(number);
  relate(number);
  bytes_ += sizeof(Effect) + kBytesBeside;
  return number;
}

void Effects::relate(Number effect) {
  const auto relate_with = [&](Number other) {
    if (conflict(effects_[effect], effects_[other])) add(effects_[effect].conflicts, other);
    if (conflict(effects_[other], effects_[effect])) add(effects_[other].conflicts, effect);
  };
  if (effects_[effect].touch.object == kAllObjects) {
    for (Number other = 0; other < effect; ++other) relate_with(other);
    return;
  }
  for (const Number other : of_object_[effects_[effect].touch.object]) relate_with(other);
  for (const Number other : of_object_[kAllObjects]) relate_with(other);
}

// An actor whose name is given again has ended before.
bool Effects::conflict(const Effect& now, const Effect& later) {
  if (now.actor == later.actor) return false;
  const auto stops = [](const Effect& one) {
    return one.touch.object == kAllObjects && one.touch.access == Access::kWrite;
  };
  if (stops(now) || stops(later)) return true;
  if (now.touch.object == kAllObjects || later.touch.object == kAllObjects) return false;  // only who moves
  if (later.created == now.actor) return false;
  return conflicts(now.touch.access, later.touch.access) || conflict_by_messages(now.touch, later.touch);
}

Effects::Set Effects::with(Set set, Step step) {
  const Words& old = sets_[static_cast<Number>(set)];
  const std::vector<Number>& effects = steps_[static_cast<Number>(step)].effects;
  if (std::ranges::all_of(effects, [&](Number effect) { return holds(old, effect); })) return set;
  words_ = old;
  for (const Number effect : effects) add(words_, effect);
  return intern(words_);
}

Effects::Set Effects::join(Set a, Set b) {
  if (a == b || b == kNone) return a;
  if (a == kNone) return b;
  const bool a_is_longer = sets_[static_cast<Number>(a)].size() >= sets_[static_cast<Number>(b)].size();
  words_ = sets_[static_cast<Number>(a_is_longer ? a : b)];
  const Words& other = sets_[static_cast<Number>(a_is_longer ? b : a)];
  for (std::size_t i = 0; i < other.size(); ++i) words_[i] |= other[i];
  return intern(words_);
}

Effects::Set Effects::intern(const Words& words) {
  std::vector<Number>& same = set_of_hash_[hash_of(words, 0)];
  for (const Number set : same)
    if (sets_[set] == words) return Set{set};
  same.push_back(static_cast<Number>(sets_.size()));
  sets_.push_back(words);
  bytes_ += words.size() * sizeof(std::uint64_t) + kBytesBeside;
  return Set{same.back()};
}

std::span<const ActorId> Effects::conflicting(Step step, Set set) {
  found_.clear();
  const KnownStep& known = steps_[static_cast<Number>(step)];
  for (const Number effect : known.effects)
    find_actors(effects_[effect].conflicts, sets_[static_cast<Number>(set)], known.created);
  return found_;
}

// Whom the step has created does nothing before it.
void Effects::find_actors(const Words& conflicts, const Words& set, std::span<const ActorId> apart_from) {
  const std::size_t common = std::min(conflicts.size(), set.size());
  for (std::size_t i = 0; i < common; ++i) {
    for (std::uint64_t both = conflicts[i] & set[i]; both != 0; both &= both - 1) {
      const ActorId actor = effects_[i * kBits + static_cast<std::size_t>(std::countr_zero(both))].actor;
      const auto is_it = [actor](ActorId other) { return other == actor; };
      if (std::ranges::none_of(apart_from, is_it) && std::ranges::none_of(found_, is_it))
        found_.push_back(actor);
    }
  }
}

bool Effects::moves(Set set, ActorId actor) {
  const Number moves = number_of(actor, {.object = kAllObjects, .access = Access::kCreate});
  return holds(sets_[static_cast<Number>(set)], moves);
}

}  // namespace ravel
