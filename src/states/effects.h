// What operations do to objects, numbered, and sets of that: which actors may come into conflict with an
// operation, if all that can still happen is known as a set.
//
// The idea: an effect is what one actor does to one object in one way. There are few of them, however many
// states, so that a set is a row of bits, equal sets are kept once, and what an effect conflicts with is a
// set, too. Order between the effects of a set is not known, so more conflicts are told than there are.
//
// Cost of asking: for each effect of the step a pass over the set's words.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "engine/system.h"

namespace ravel {

class Effects {
 public:
  // What one step did, as its actor and effects: equal ones have equal numbers.
  enum class Step : std::uint32_t {};
  // A set of effects: equal ones have equal numbers.
  enum class Set : std::uint32_t {};
  static constexpr Set kNone{0};

  Effects();

  // `stops_others`: nobody moves after it.
  Step note(const Event& event, bool stops_others, SystemView& system);
  // An actor that waits for what another one has to give: what it would do is not known.
  Step note_blocked(ActorId actor);

  Set with(Set set, Step step);
  Set join(Set a, Set b);

  // The other actors of which the set holds something that conflicts with the step, which can happen now,
  // while the set is what can happen later. Valid until the next call.
  std::span<const ActorId> conflicting(Step step, Set set);
  // Whether the set holds a step of the actor.
  bool moves(Set set, ActorId actor);

  std::uint64_t bytes() const { return bytes_; }

 private:
  using Words = std::vector<std::uint64_t>;
  using Number = std::uint32_t;
  struct Effect {
    ActorId actor{};
    Touch touch;
    std::optional<ActorId> created;  // of a touch by which an actor comes to be
    Words conflicts;  // the effects of others with which it conflicts if these can happen instead of it
  };
  struct KnownStep {
    ActorId actor{};
    std::vector<Number> effects;   // ascending
    std::vector<ActorId> created;  // who could not move before
  };

  // As an object: who writes it conflicts with all others; who creates it moves.
  static constexpr std::uint64_t kAllObjects = ~std::uint64_t{0};

  Step intern(ActorId actor);  // with the effects in `touched_`
  Number number_of(ActorId actor, const Touch& touch, std::optional<ActorId> created = {});
  void relate(Number effect);
  static bool conflict(const Effect& now, const Effect& later);
  Set intern(const Words& words);
  void find_actors(const Words& conflicts, const Words& set, std::span<const ActorId> apart_from);

  std::vector<Effect> effects_;
  std::unordered_map<std::uint64_t, std::vector<Number>> of_object_;  // also: with what is about all objects
  std::vector<KnownStep> steps_;
  std::unordered_map<std::uint64_t, std::vector<Number>> step_of_hash_;
  std::vector<Words> sets_;  // without zeros at the end
  std::unordered_map<std::uint64_t, std::vector<Number>> set_of_hash_;
  std::uint64_t bytes_ = 0;

  std::vector<Number> touched_;
  std::vector<ActorId> created_;
  Words words_;
  std::vector<ActorId> found_;
};

}  // namespace ravel
