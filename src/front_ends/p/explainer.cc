#include "front_ends/p/explainer.h"

#include <algorithm>

#include "engine/named_step.h"
#include "races/explain.h"

namespace ravel::p {

namespace {

// How many executions are tried to find a passing one.
constexpr std::size_t kExecutionsMax = 200;

// Explaining takes time and memory that grow with the square of an execution's length.
constexpr std::size_t kEventsMax = 1'000;

// How many times as long the others may be, which need not have an end.
constexpr std::uint64_t kTimesAsLong = 3;

}  // namespace

std::optional<Explanation> explain_p_bug(PSystem& system, const Recording& recording,
                                         std::uint64_t events_max) {
  const std::size_t length = recording.events.size();
  const bool has_end = recording.bug && !recording.lasso && recording.bug->kind != "event_bound";
  if (!has_end || length == 0 || length > kEventsMax) return std::nullopt;
  return explain_bug(system, steps_of(recording), std::min<std::uint64_t>(events_max, kTimesAsLong * length),
                     kExecutionsMax);
}

}  // namespace ravel::p
