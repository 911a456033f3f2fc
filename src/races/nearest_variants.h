// The variants of a failing execution of a program whose operations block, nearest first, each found and run
// when it is asked for.
//
// The idea: what could come first instead is guessed from the conflicts of the execution, which costs
// nothing, and sorted. Then whether it can, and how the execution ends that begins so and goes on without
// preemptions, is found by one run. So the effort is what is spent before a passing one is found, and may be
// bounded.
//
// In a long execution the cause may be far from the end, with much that follows from it. There the variants
// around one step are the nearest: up to it, and then by a simple rule (GoOn), the test passes, and with it,
// it fails. There is such a step if the test passes by that rule from its beginning; halving the execution
// finds one. What other actors do later that conflicts with it may come first, too, although other events are
// between the two that would have to be passed one by one.

#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <functional>
#include <optional>
#include <queue>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/race.h"
#include "races/observation.h"

namespace ravel {

// What may be done to explain a bug, in steps. To begin an execution costs as much as some of them, and so
// does to tell of one.
struct Effort {
  std::uint64_t steps = 0;
  std::uint64_t steps_per_reset = 0;

  void spend(std::uint64_t some) { steps -= std::min(steps, some + steps_per_reset); }
};

// A race that is decided otherwise.
struct Variant {
  enum class Kind : std::uint8_t {
    kUnfinished,  // an operation that has not happened when the execution ended comes before `event`
    kOrder,       // `later` comes before `event`
    kChoice,      // `event` goes another way
  };
  Kind kind = Kind::kOrder;
  EventId event = kNoEvent, later = kNoEvent;
  // How it begins, up to the operation that comes first or goes another way
  std::vector<Transition> steps = {};
  Outcome outcome = Outcome::kRunning;
};

class NearestVariants {
 public:
  // REQUIRES: the execution is finished, and the System still where it has ended. The execution and the
  // effort must outlive this object.
  NearestVariants(const Observation& failing, std::uint64_t events_max, Effort& effort);

  // Runs the next one, which leaves the System at its end. Nothing: there are no more, or no effort is left.
  std::optional<Variant> next();
  // Runs the execution once more if it has to.
  RaceDescription describe(const Variant& variant) const;

 private:
  static constexpr std::size_t kNone = ~std::size_t{0};
  struct Candidate {
    std::uint64_t distance = 0;  // from the failing execution
    std::uint64_t number = 0;    // order of finding, for equal distances
    Variant::Kind kind = Variant::Kind::kOrder;
    EventId event = kNoEvent;
    std::size_t source = kNone;  // kUnfinished of a stuck actor, kOrder: of which operations
    EventId later = kNoEvent;    // kOrder without a source
    std::uint32_t alternative = 0;

    auto operator<=>(const Candidate& other) const {
      return std::pair(distance, number) <=> std::pair(other.distance, other.number);
    }
  };
  // An operation that could come before some events; events that follow from one that it can come before need
  // not be tried.
  struct Source {
    std::optional<ActorId> stuck = {};  // the actor, if the operation did not happen
    EventId later = kNoEvent;           // or the operation itself
    EventId needs = kNoEvent;           // what it comes after in any case
    EventId at = 0;                     // events from here on were looked at
    std::vector<EventId> found = {};
  };

  std::optional<std::uint64_t> find_turning_point(GoOn how);
  void add_around_turning_point();
  std::uint64_t distance_of(EventId event);
  void add(Candidate candidate);
  void add_sources();
  void add_next_of(std::size_t source);
  std::optional<EventId> next_conflicting(const Source& source) const;
  bool take_without(EventId event, Variant& variant);
  bool try_candidate(const Candidate& candidate, Variant& variant);
  bool come_to_conflict(Variant& variant);

  const Observation& failing_;
  System& system_;
  const std::uint64_t events_max_;
  Effort& effort_;
  std::vector<Source> sources_;
  std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> candidates_;
  std::uint64_t candidates_count_ = 0;
  std::unordered_map<std::uint64_t, std::vector<EventId>> touching_;  // by object
  std::unordered_map<EventId, std::uint64_t> distances_;
  std::optional<std::uint64_t> turning_point_;  // of a long execution
};

}  // namespace ravel
