// What a search has ruled out, for an honest summary.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace ravel {

// What a search counts one by one.
enum class CoverageUnit : std::uint8_t {
  kSchedules,   // each order of events once
  kTraces,      // each order once, up to the order of independent events
  kStates,      // each state of the program once
  kExecutions,  // drawn ones, which may repeat each other
};

enum class BoundOn : std::uint8_t {
  kPreemptions,
  kDelays,
  kEarlyTimeouts,
  kVariables,  // objects that the preempted operations touch
  kPriorityChanges,
  kThreads,     // threads among which orders are tried
  kIterations,  // of what allocates a variable, before it
  kOtherRaces,  // reversed races, except those of messages
  kEvents,      // of an execution, where the shortest come first
  kFaults,
  kStrata,  // of delays; one need not have all that so many delays lead to
};

// The executions with at most so many of something.
struct Bound {
  BoundOn on = BoundOn::kPreemptions;
  std::optional<std::uint32_t> completed = {};  // the largest number up to which everything was executed
  std::optional<std::uint32_t> current = {};    // the number that is being worked on, for progress
  bool is_exhausted = false;                    // no execution has more than `completed`

  friend bool operator==(const Bound&, const Bound&) = default;
};

struct Coverage {
  CoverageUnit unit = CoverageUnit::kExecutions;
  // Whether all units within the bounds were executed. An execution that was cut off counts as one. A search
  // that has ended by itself and is not complete does not know whether it has left something out.
  bool is_complete = false;
  std::vector<Bound> bounds = {};  // at most one on each

  // Null: there is no bound on these.
  const Bound* bound(BoundOn on) const {
    const auto place = std::ranges::find(bounds, on, &Bound::on);
    return place == bounds.end() ? nullptr : &*place;
  }
  std::optional<std::uint32_t> completed(BoundOn on) const {
    const Bound* const found = bound(on);
    return found == nullptr ? std::nullopt : found->completed;
  }

  friend bool operator==(const Coverage&, const Coverage&) = default;
};

// Coverage of a strategy that leaves nothing out, once it has nothing left.
inline Coverage all_of(CoverageUnit unit, std::vector<Bound> bounds = {}) {
  return {.unit = unit, .is_complete = true, .bounds = std::move(bounds)};
}

// The bound on preemptions, or that on delays; null if the search has neither.
inline const Bound* preemption_bound(const Coverage& coverage) {
  const Bound* const delays = coverage.bound(BoundOn::kDelays);
  return delays != nullptr ? delays : coverage.bound(BoundOn::kPreemptions);
}

// The number that stands for what is covered, apart from its bounds, in positions and in older resume files.
std::uint8_t kind_number(const Coverage& coverage);
// `completed`: the largest number of preemptions or delays. Nothing: there is no such kind.
std::optional<Coverage> coverage_of_kind(std::uint64_t number, std::optional<std::uint32_t> completed);

}  // namespace ravel
