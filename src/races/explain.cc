#include "races/explain.h"

#include <algorithm>
#include <deque>
#include <memory>
#include <unordered_set>
#include <utility>

#include "races/head_start.h"
#include "races/races.h"

namespace ravel {

namespace {

// A variant that has not been run yet.
struct Candidate {
  std::vector<NamedStep> steps;
  std::vector<RaceDescription> changes;
};

// The variants of an execution, those that keep most of it first.
void add_variants(const Observation& observation, const std::vector<RaceDescription>& changes,
                  std::vector<Candidate>& to) {
  std::vector<Candidate> found;
  for (const Race& race : find_races(observation)) {
    Candidate& candidate =
        found.emplace_back(Candidate{.steps = steps_of_variant(observation, race), .changes = changes});
    candidate.changes.push_back(describe_race(observation, race));
  }
  std::ranges::stable_sort(found, std::ranges::greater(),
                           [](const Candidate& c) { return c.changes.back().kept; });
  std::ranges::move(found, std::back_inserter(to));
}

}  // namespace

Explanation explain_bug(System& system, std::span<const NamedStep> steps, std::uint64_t events_max,
                        std::size_t executions_max) {
  Explanation explanation;
  std::unordered_set<std::uint64_t> seen;
  std::vector<Candidate> candidates;
  Observation failing(system, events_max);
  failing.run(steps);
  failing.finish();
  seen.insert(failing.history().trace_hash());
  add_variants(failing, {}, candidates);
  // Each further change is tried after all executions with fewer.
  for (std::size_t next = 0; next < candidates.size(); ++next) {
    if (explanation.tried == executions_max) {
      if (auto found = find_head_start(failing, events_max, 2 * executions_max, explanation.tried)) {
        explanation.changes.push_back(std::move(found->change));
        explanation.passing = std::move(found->passing);
      }
      return explanation;
    }
    const Candidate candidate = std::move(candidates[next]);
    Observation variant(system, events_max);
    variant.run(candidate.steps);
    const Recording& recording = variant.finish();
    ++explanation.tried;
    if (recording.outcome == Outcome::kFinished) {
      explanation.changes = candidate.changes;
      explanation.passing = steps_of(recording);
      return explanation;
    }
    // Those after the last one that will be tried need not be known, and to find them takes long where many
    // messages could have been taken by many receives. One more says that there are some.
    const bool has_enough = candidates.size() > executions_max;
    if (!recording.refusal && seen.insert(variant.history().trace_hash()).second && !has_enough)
      add_variants(variant, candidate.changes, candidates);
  }
  explanation.is_complete = true;
  return explanation;
}

namespace {

// To tell of a step costs as much as taking so many.
constexpr std::uint64_t kStepsPerTold = 30;

// What is refused tells nothing, and may have waited long for a call of the system.
constexpr std::size_t kRefusedMax = 3;

// An execution that fails, and how it departs from the one before it.
struct Failing {
  std::unique_ptr<Observation> observation;
  std::unique_ptr<NearestVariants> variants;
  const Failing* before = nullptr;
  Variant variant = {};  // of `before`
};

std::vector<RaceDescription> changes_of(const Failing* failing, const Variant& last) {
  std::vector<RaceDescription> changes = {failing->variants->describe(last)};
  for (; failing->before != nullptr; failing = failing->before)
    changes.insert(changes.begin(), failing->before->variants->describe(failing->variant));
  return changes;
}

}  // namespace

Explanation explain_blocking(System& system, std::span<const NamedStep> steps, std::uint64_t events_max,
                             std::size_t executions_max, Effort effort) {
  Explanation explanation;
  std::unordered_set<std::uint64_t> seen;
  std::deque<Failing> all;
  std::deque<std::pair<const Failing*, Variant>> left;  // failed ones, not looked at more closely
  std::size_t refused = 0;
  const auto look_at = [&](std::span<const NamedStep> beginning, const Failing* before,
                           const Variant& variant) {
    auto observation = std::make_unique<Observation>(system, events_max);
    observation->run(beginning);
    observation->finish();
    if (before != nullptr) effort.spend(kStepsPerTold * observation->length());
    if (!seen.insert(observation->history().trace_hash()).second) return false;
    auto variants = std::make_unique<NearestVariants>(*observation, events_max, effort);
    all.push_back({.observation = std::move(observation),
                   .variants = std::move(variants),
                   .before = before,
                   .variant = variant});
    return true;
  };
  look_at(steps, nullptr, {});
  while (true) {
    const Failing& failing = all.back();
    while (const auto variant = failing.variants->next()) {
      ++explanation.tried;
      if (variant->outcome == Outcome::kFinished) {
        explanation.passing = name_steps(variant->steps, system);
        explanation.changes = changes_of(&failing, *variant);
        return explanation;
      }
      if (variant->outcome == Outcome::kUnsupported) {
        if (++refused == kRefusedMax) return explanation;
      } else {
        left.emplace_back(&failing, *variant);
      }
      if (explanation.tried == executions_max) return explanation;
    }
    bool has_more = false;
    while (!has_more) {
      if (effort.steps == 0) return explanation;
      if (left.empty()) break;
      const auto [before, variant] = std::move(left.front());
      left.pop_front();
      has_more = look_at(name_steps(variant.steps, system), before, variant);
    }
    if (!has_more) break;
  }
  explanation.is_complete = true;
  return explanation;
}

}  // namespace ravel
