#include "cli/threads_explainer.h"

#include <algorithm>

#include "cli/bug_explainer.h"
#include "races/explain.h"

namespace ravel {

namespace {

// Each execution that is looked at is begun again for some of its pairs of events, and each step is a message to the program: so
// the effort grows with the square of its length.
constexpr std::size_t kEffort = 40'000, kExecutionsMax = 100, kEventsMax = 200;

}  // namespace

std::optional<Explanation> explain_threads_bug(threads::RemoteSystem& system, const Recording& recording, std::uint64_t events_max) {
  const bool has_end = recording.bug && recording.bug->kind != "event_bound" && recording.bug->kind != "no_progress";
  const std::size_t length = recording.events.size();
  if (!has_end || length == 0 || length > kEventsMax || system.configuration().isolates) return std::nullopt;
  const std::size_t executions = std::clamp<std::size_t>(kEffort / (length * length), 1, kExecutionsMax);
  const std::vector<NamedStep> steps = steps_of(recording);
  return explain_bug(system, steps, std::min<std::uint64_t>(events_max, 20 * length), executions);
}

}  // namespace ravel
