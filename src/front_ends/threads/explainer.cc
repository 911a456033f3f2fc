#include "front_ends/threads/explainer.h"

#include <algorithm>

#include "engine/named_step.h"
#include "races/explain.h"

namespace ravel::threads {

namespace {

// Some seconds, however long the execution is; to begin one in a process of its own takes some milliseconds.
constexpr std::uint64_t kEffort = 1'000'000, kStepsPerReset = 50, kStepsPerProcess = 20'000;
constexpr std::size_t kExecutionsMax = 100;
// Of each step of the execution itself more has to be known, which takes time and memory.
constexpr std::size_t kEventsMax = 20'000;

}  // namespace

std::optional<Explanation> explain_threads_bug(RemoteSystem& system, const Recording& recording,
                                               std::uint64_t events_max) {
  const bool has_end =
      recording.bug && recording.bug->kind != "event_bound" && recording.bug->kind != "no_progress";
  const std::size_t length = recording.events.size();
  if (!has_end || length == 0 || length > kEventsMax) return std::nullopt;
  const bool isolates = system.configuration().isolates;
  return explain_blocking(
      system, steps_of(recording), std::min<std::uint64_t>(events_max, 20 * length), kExecutionsMax,
      {.steps = kEffort, .steps_per_reset = isolates ? kStepsPerProcess : kStepsPerReset});
}

}  // namespace ravel::threads
