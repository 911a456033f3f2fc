#include "races/explain.h"

#include <algorithm>
#include <unordered_set>

#include "races/races.h"

namespace ravel {

namespace {

// A variant that has not been run yet.
struct Candidate {
  std::vector<NamedStep> steps;
  std::vector<RaceDescription> changes;
};

// The variants of an execution, those that keep most of it first.
void add_variants(const Observation& observation, const std::vector<RaceDescription>& changes, std::vector<Candidate>& to) {
  std::vector<Candidate> found;
  // First, since they need the System where the execution has left it.
  for (UnfinishedRace& race : find_unfinished_races(observation)) {
    Candidate& candidate = found.emplace_back(Candidate{.steps = std::move(race.steps), .changes = changes});
    candidate.changes.push_back(std::move(race.description));
  }
  for (const Race& race : find_races(observation)) {
    Candidate& candidate = found.emplace_back(Candidate{.steps = steps_of_variant(observation, race), .changes = changes});
    candidate.changes.push_back(describe_race(observation, race));
  }
  std::ranges::stable_sort(found, std::ranges::greater(), [](const Candidate& c) { return c.changes.back().kept; });
  std::ranges::move(found, std::back_inserter(to));
}

}  // namespace

Explanation explain_bug(System& system, std::span<const NamedStep> steps, std::uint64_t events_max,
                        std::size_t executions_max) {
  Explanation explanation;
  std::unordered_set<std::uint64_t> seen;
  std::vector<Candidate> candidates;
  {
    Observation failing(system, events_max);
    failing.run(steps);
    failing.finish();
    seen.insert(failing.history().trace_hash());
    add_variants(failing, {}, candidates);
  }
  // Each further change is tried after all executions with fewer.
  for (std::size_t next = 0; next < candidates.size(); ++next) {
    if (explanation.tried == executions_max) return explanation;
    const Candidate candidate = std::move(candidates[next]);
    Observation variant(system, events_max);
    variant.run(candidate.steps);
    const Recording& recording = variant.finish();
    ++explanation.tried;
    if (recording.outcome == Outcome::kFinished) {
      explanation.changes = candidate.changes;
      return explanation;
    }
    if (!recording.refusal && seen.insert(variant.history().trace_hash()).second)
      add_variants(variant, candidate.changes, candidates);
  }
  explanation.is_complete = true;
  return explanation;
}

}  // namespace ravel
