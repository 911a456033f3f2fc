#include "front_ends/erlang/explainer.h"

#include <algorithm>
#include <utility>

#include "engine/named_step.h"
#include "engine/round_finder.h"
#include "front_ends/erlang/call_texts.h"
#include "races/fewest_preemptions.h"

namespace ravel::erlang {

namespace {

// How many executions are tried to find a passing one; some milliseconds for most tests.
constexpr std::size_t kExecutionsMax = 200;

// How many places of the search for a simpler schedule are looked at.
constexpr std::size_t kPlacesMax = 20'000;

// Explaining takes time and memory that grow with the square of an execution's length.
constexpr std::size_t kEventsMax = 1'000;

}  // namespace

Explainer::Explainer(Program& program, const TestName& test, const ErlangOptions& options,
                     std::uint64_t events_max)
    : program_(program), test_(test), options_(options), events_max_(events_max) {
  options_.machine.notes_messages = true;
  options_.after_failure = ErlangOptions::AfterFailure::kGoOnAndTell;
  options_.on_output = {};
}

bool Explainer::start() {
  if (system_ != nullptr) return true;
  auto system = ErlangSystem::start(program_, test_, options_);
  if (system) system_ = std::move(*system);
  return system_ != nullptr;
}

std::optional<std::vector<NamedStep>> Explainer::simplify(const Recording& recording) {
  const bool is_endless = recording.bug && recording.bug->kind == kLivelock;
  if (is_endless || recording.events.size() > kEventsMax || recording.preemptions == 0 || !start())
    return std::nullopt;
  Observation failing(*system_, events_max_);
  failing.run(steps_of(recording));
  failing.finish();
  return with_fewer_preemptions(failing, events_max_, kPlacesMax);
}

std::optional<Explanation> Explainer::explain(const Recording& recording) {
  const bool has_end = recording.bug && !recording.lasso && recording.bug->kind != "event_bound" &&
                       recording.bug->kind != kLivelock && recording.bug->kind != "no_progress";
  if (!has_end || recording.events.size() > kEventsMax || !start()) return std::nullopt;
  const std::vector<NamedStep> steps = steps_of(recording);
  Explanation explanation = explain_bug(*system_, steps, events_max_, kExecutionsMax);
  explanation.has_faults = count_faults(steps) > 0;
  for (RaceDescription& change : explanation.changes) {
    change.did.text = say_step(change.did.text);
    change.other_did.text = say_step(change.other_did.text);
    change.value = say_step(change.value);
  }
  return explanation;
}

std::vector<AssumedPlace> Explainer::assumed_by_first_execution() {
  if (!start()) return {};
  // What goes on for ever is looked at for a while.
  Observation first(*system_, std::min<std::uint64_t>(events_max_, kEventsMax));
  first.run({});
  return system_->assumed();
}

}  // namespace ravel::erlang
