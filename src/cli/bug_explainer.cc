#include "cli/bug_explainer.h"

#include <algorithm>
#include <utility>

#include "engine/round_finder.h"
#include "races/fewest_preemptions.h"

namespace ravel {

namespace {

// How many executions are tried to find a passing one; some milliseconds for most tests.
constexpr std::size_t kExecutionsMax = 200;

// How many places of the search for a simpler schedule are looked at.
constexpr std::size_t kPlacesMax = 20'000;

// Explaining takes time and memory that grow with the square of an execution's length.
constexpr std::size_t kEventsMax = 1'000;

}  // namespace

BugExplainer::BugExplainer(erlang::Program& program, const erlang::TestName& test, const erlang::ErlangOptions& options,
                           std::uint64_t events_max)
    : program_(program), test_(test), options_(options), events_max_(events_max) {
  options_.machine.notes_messages = true;
  options_.after_failure = erlang::ErlangOptions::AfterFailure::kGoOnAndTell;
  options_.on_output = {};
}

bool BugExplainer::start() {
  if (system_ != nullptr) return true;
  auto system = erlang::ErlangSystem::start(program_, test_, options_);
  if (system) system_ = std::move(*system);
  return system_ != nullptr;
}

std::optional<std::vector<NamedStep>> BugExplainer::simplify(const Recording& recording) {
  const bool is_endless = recording.bug && recording.bug->kind == kLivelock;
  if (is_endless || recording.events.size() > kEventsMax || recording.preemptions == 0 || !start()) return std::nullopt;
  Observation failing(*system_, events_max_);
  failing.run(steps_of(recording));
  failing.finish();
  return with_fewer_preemptions(failing, events_max_, kPlacesMax);
}

std::optional<Explanation> BugExplainer::explain(const Recording& recording) {
  const bool has_end = recording.bug && recording.bug->kind != "event_bound" && recording.bug->kind != kLivelock && recording.bug->kind != "no_progress";
  if (!has_end || recording.events.size() > kEventsMax || !start()) return std::nullopt;
  return explain_bug(*system_, steps_of(recording), events_max_, kExecutionsMax);
}

std::vector<AssumedPlace> BugExplainer::assumed_by_first_execution() {
  if (!start()) return {};
  Observation first(*system_, events_max_);
  first.run({});
  return system_->assumed();
}

FoundSteps find_steps(System& system, std::span<const NamedStep> steps) {
  FoundSteps found;
  system.reset();
  for (const NamedStep& step : steps) {
    const auto actor = system.find_actor(step.actor);
    const auto place = std::ranges::find_if(system.enabled(), [&](const Transition& transition) {
      return transition.actor == actor && transition.alternative == step.alternative && transition.kind == step.kind;
    });
    if (place == system.enabled().end()) {
      found.missing = found.transitions.size() + 1;
      break;
    }
    found.transitions.push_back(*place);
    system.step(found.transitions.back());
  }
  return found;
}

std::vector<NamedStep> steps_of(const Recording& recording) {
  std::vector<NamedStep> steps;
  for (const RecordedEvent& event : recording.events)
    steps.push_back({.actor = event.actor, .alternative = event.transition.alternative, .kind = event.transition.kind});
  return steps;
}

}  // namespace ravel
