#include "strategy/bug_bounds.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/random.h"
#include "engine/preemption.h"

namespace ravel {

namespace {

// An actor is taken to be not needed if the bug stays with so many orders of those that are not needed.
constexpr std::uint32_t kTries = 64;
// A run by other priorities may be longer than the schedule; one that is much longer does not lead to the
// bug.
constexpr std::size_t kLonger = 4, kLongerBy = 1000;

bool is_parent(const ActorName& one, const ActorName& other) {
  return one.root() == other.root() && one.path().size() + 1 == other.path().size() &&
         std::ranges::equal(one.path(), std::span(other.path()).first(one.path().size()));
}

// What one actor does between two preemptions.
struct Fragment {
  std::size_t actor;               // by number
  std::vector<std::size_t> above;  // fragments that it went before
};

class Measurement {
 public:
  Measurement(System& system, std::span<const Transition> schedule, const VariableOf& variable_of)
      : system_(system), schedule_(schedule), variable_of_(variable_of) {}

  std::optional<BugBounds> run() {
    if (!take_apart()) return std::nullopt;
    std::vector<std::size_t> needed(actors_.size());
    std::iota(needed.begin(), needed.end(), std::size_t{0});
    rank();
    if (!shows_bug(ranks_, nullptr)) return std::nullopt;
    for (std::size_t size = (needed.size() + 1) / 2; size > 0; size = size == 1 ? 0 : (size + 1) / 2) {
      for (std::size_t begin = 0; begin < needed.size();) {
        std::vector<std::size_t> fewer = needed;
        const auto first = fewer.begin() + static_cast<std::ptrdiff_t>(begin);
        fewer.erase(first, first + static_cast<std::ptrdiff_t>(std::min(size, fewer.size() - begin)));
        if (stays_with(fewer)) {
          needed = std::move(fewer);
        } else {
          begin += size;
        }
      }
    }
    constexpr std::uint32_t kLeast = 2;
    return BugBounds{.changes = static_cast<std::uint32_t>(fragments_.size() - actors_.size()),
                     .variables = static_cast<std::uint32_t>(variables_.size()),
                     .threads = std::max(kLeast, static_cast<std::uint32_t>(needed.size())),
                     .iterations = iterations_,
                     .objects = objects_};
  }

 private:
  static constexpr std::size_t kUnknown = ~std::size_t{0};
  struct Actor {
    ActorId id{};
    std::size_t parent = kUnknown;            // by number
    bool is_there = false;                    // could move already in this run
    std::size_t has_to_make = 0;              // how many needed ones come of it and are not there yet
    std::vector<std::size_t> fragments = {};  // the last fragment is the current one
    std::uint32_t events = 0;
    std::vector<std::uint32_t> alternatives = {};  // by event
    std::vector<std::uint32_t> preempted = {};     // before which events: one less than fragments
    std::vector<std::size_t> lost_to = {};         // since its last event
  };

  std::size_t number_of(ActorId id) {
    const auto index = static_cast<std::size_t>(id);
    if (index >= numbers_.size()) numbers_.resize(index + 1, kUnknown);
    if (numbers_[index] == kUnknown) {
      numbers_[index] = actors_.size();
      actors_.push_back({.fragments = {fragments_.size()}});
      const ActorName name = system_.actor_name(id);
      for (std::size_t i = 0; i + 1 < actors_.size(); ++i)
        if (is_parent(system_.actor_name(actors_[i].id), name)) actors_.back().parent = i;
      actors_.back().id = id;
      fragments_.push_back({.actor = actors_.size() - 1, .above = {}});
    }
    return numbers_[index];
  }

  // Whether one fragment is known to have a higher priority than another one.
  bool is_above(std::size_t high, std::size_t low) const {
    std::vector<char> seen(fragments_.size());
    std::vector<std::size_t> open{high};
    while (!open.empty()) {
      const std::size_t at = open.back();
      open.pop_back();
      if (at == low) return true;
      for (const std::size_t next : fragments_[at].above)
        if (std::exchange(seen[next], 1) == 0) open.push_back(next);
    }
    return false;
  }

  // Runs the schedule and finds its fragments and what it says of their order. False if it does not lead to a
  // bug.
  bool take_apart() {
    system_.reset();
    for (const Transition& step : schedule_) {
      if (system_.outcome() != Outcome::kRunning) return false;
      const std::size_t chosen = number_of(step.actor);
      std::vector<std::size_t> others;
      for (const Transition& transition : system_.enabled()) {
        const std::size_t other = number_of(transition.actor);
        if (other == chosen || std::ranges::count(others, other) > 0) continue;
        others.push_back(other);
        if (is_above(actors_[other].fragments.back(), actors_[chosen].fragments.back()))
          preempt(other, transition);
      }
      Actor& moves = actors_[chosen];
      for (const std::size_t other : others) {
        fragments_[moves.fragments.back()].above.push_back(actors_[other].fragments.back());
        actors_[other].lost_to.push_back(moves.fragments.back());
      }
      moves.alternatives.push_back(step.alternative);
      moves.lost_to.clear();
      ++moves.events;
      system_.step(step);
    }
    if (system_.outcome() != Outcome::kBug) return false;
    bug_ = system_.bug().key();
    return true;
  }

  void preempt(std::size_t actor, const Transition& transition) {
    Actor& preempted = actors_[actor];
    preempted.preempted.push_back(preempted.events);
    // The new one is there from that event on, so it has lost to the same.
    for (const std::size_t winner : preempted.lost_to) fragments_[winner].above.push_back(fragments_.size());
    preempted.fragments.push_back(fragments_.size());
    fragments_.push_back({.actor = actor, .above = {}});
    const std::optional<Touch> touch = system_.pending(transition);
    if (!touch) return;
    const Variable variable = variable_of(variable_of_, touch->object);
    if (std::ranges::count(variables_, variable.name) > 0) return;
    variables_.push_back(variable.name);
    objects_.push_back(touch->object);
    iterations_ = std::max(iterations_, variable.iteration);
  }

  // Priorities that agree with the schedule: highest first.
  void rank() {
    ranks_.assign(fragments_.size(), 0);
    std::vector<std::size_t> below(fragments_.size());
    for (const Fragment& fragment : fragments_)
      for (const std::size_t other : fragment.above) ++below[other];
    std::uint64_t rank = fragments_.size();
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < fragments_.size(); ++i)
      if (below[i] == 0) open.push_back(i);
    for (std::size_t i = 0; i < open.size(); ++i) {
      ranks_[open[i]] = rank--;
      for (const std::size_t other : fragments_[open[i]].above)
        if (--below[other] == 0) open.push_back(other);
    }
    CHECK(open.size() == fragments_.size());
  }

  // Whether the bug stays while only the order of these actors is kept.
  bool stays_with(const std::vector<std::size_t>& needed) {
    // The fragments of the others go into the gaps between those of the needed ones.
    std::vector<std::size_t> kept, others;
    for (std::size_t i = 0; i < fragments_.size(); ++i)
      (std::ranges::binary_search(needed, fragments_[i].actor) ? kept : others).push_back(i);
    std::ranges::sort(kept, {}, [&](std::size_t fragment) { return ranks_[fragment]; });
    std::vector<std::uint64_t> ranks(fragments_.size());
    constexpr std::uint64_t kGap = 1 << 20;
    for (std::size_t i = 0; i < kept.size(); ++i) ranks[kept[i]] = (i + 1) * kGap;
    const auto put = [&](std::size_t fragment, std::uint64_t gap) {
      ranks[fragment] = gap * kGap + 1 + random_.below(kGap - 1);
    };
    for (std::uint32_t attempt = 0; attempt < kTries; ++attempt) {
      for (const std::size_t fragment : others)
        put(fragment, attempt == 0 ? 0 : attempt == 1 ? kept.size() : random_.below(kept.size() + 1));
      // One of the others is below or above all, in its turn.
      if (attempt > 1 && !others.empty())
        put(others[attempt / 2 % others.size()], attempt % 2 == 0 ? 0 : kept.size());
      if (!shows_bug(ranks, &needed)) return false;
    }
    return true;
  }

  // Runs the system by priorities, with the preemptions of the schedule. `needed`: with the others making
  // these first.
  bool shows_bug(const std::vector<std::uint64_t>& ranks, const std::vector<std::size_t>* needed) {
    for (Actor& actor : actors_) {
      actor.events = 0;
      actor.is_there = false;
      actor.has_to_make = 0;
    }
    if (needed != nullptr) {
      for (const std::size_t number : *needed) {
        for (std::size_t at = actors_[number].parent; at != kUnknown; at = actors_[at].parent)
          if (!std::ranges::binary_search(*needed, at)) ++actors_[at].has_to_make;
      }
    }
    system_.reset();
    const std::size_t events_max = schedule_.size() * kLonger + kLongerBy;
    for (std::size_t events = 0; system_.outcome() == Outcome::kRunning; ++events) {
      if (events == events_max) return false;
      const Transition* best = nullptr;
      std::uint64_t highest = 0;
      for (const Transition& transition : system_.enabled()) note_there(transition.actor, needed);
      for (const Transition& transition : system_.enabled()) {
        const std::uint64_t priority = priority_of(transition.actor, ranks);
        if (best != nullptr && priority <= highest) continue;
        best = &transition;
        highest = priority;
      }
      Transition step = *best;
      if (Actor* const actor = find(step.actor)) {
        // The schedule's way is taken, if it is there.
        if (actor->events < actor->alternatives.size()) {
          Transition same = step;
          same.alternative = actor->alternatives[actor->events];
          if (std::ranges::count(system_.enabled(), same) > 0) step = same;
        }
        ++actor->events;
      }
      system_.step(step);
    }
    return system_.outcome() == Outcome::kBug && system_.bug().key() == bug_;
  }

  // Null: the schedule does not have it.
  Actor* find(ActorId id) {
    const auto index = static_cast<std::size_t>(id);
    return index < numbers_.size() && numbers_[index] != kUnknown ? &actors_[numbers_[index]] : nullptr;
  }

  void note_there(ActorId id, const std::vector<std::size_t>* needed) {
    Actor* const actor = find(id);
    if (actor == nullptr || needed == nullptr || std::exchange(actor->is_there, true)) return;
    if (!std::ranges::binary_search(*needed, static_cast<std::size_t>(actor - actors_.data()))) return;
    for (std::size_t at = actor->parent; at != kUnknown; at = actors_[at].parent)
      if (actors_[at].has_to_make > 0) --actors_[at].has_to_make;
  }

  // Actors that the schedule does not have come last.
  std::uint64_t priority_of(ActorId id, const std::vector<std::uint64_t>& ranks) {
    const Actor* const actor = find(id);
    if (actor == nullptr) return 0;
    if (actor->has_to_make > 0) return ~std::uint64_t{0};
    std::size_t fragment = 0;
    while (fragment < actor->preempted.size() && actor->preempted[fragment] <= actor->events) ++fragment;
    return ranks[actor->fragments[fragment]];
  }

  System& system_;
  const std::span<const Transition> schedule_;
  const VariableOf& variable_of_;
  std::string bug_;
  std::vector<std::size_t> numbers_;  // by ActorId
  std::vector<Actor> actors_;
  std::vector<Fragment> fragments_;
  std::vector<std::uint64_t> variables_, objects_;
  std::uint32_t iterations_ = 0;
  std::vector<std::uint64_t> ranks_;  // by fragment: the higher the earlier
  Random random_{1};
};

}  // namespace

std::optional<BugBounds> measure_bounds(System& system, std::span<const Transition> schedule,
                                        const VariableOf& variables) {
  return Measurement(system, schedule, variables).run();
}

}  // namespace ravel
