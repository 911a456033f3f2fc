#include "front_ends/p/explainer.h"

#include <algorithm>
#include <span>

#include "engine/exploration.h"
#include "races/explain.h"
#include "races/fewest_preemptions.h"
#include "states/state_search.h"

namespace ravel::p {

namespace {

// How many executions are tried to find a passing one.
constexpr std::size_t kExecutionsMax = 200;

// How many places of the search for a schedule with fewer preemptions are looked at.
constexpr std::size_t kPlacesMax = 20'000;

// Explaining takes time and memory that grow with the square of an execution's length.
constexpr std::size_t kEventsMax = 1'000;

constexpr std::uint64_t kTimesAsLong = 3;

// How many states are visited to find a shorter schedule: a second or two. What is short enough to be read
// stays as it is.
constexpr std::uint64_t kStatesMax = 300'000;
constexpr std::size_t kShortEnough = 20;

// Each of them is a variant, of each execution that is tried.
constexpr std::size_t kAlternativesMax = 5'000;

bool has_few_alternatives(System& system, std::span<const NamedStep> steps) {
  const FoundSteps found = find_steps(system, steps);
  if (found.missing) return false;
  std::size_t alternatives = 0;
  system.reset();
  for (const Transition& transition : found.transitions) {
    alternatives += system.enabled().size();
    system.step(transition);
  }
  return alternatives <= kAlternativesMax;
}

bool has_end(const Recording& recording) {
  return recording.bug && !recording.lasso && recording.bug->kind != "event_bound";
}

// Ends a search when it has found this bug, after so many states, or when the user wants it.
class UntilFound final : public Listener {
 public:
  UntilFound(const Bug& wanted, const std::atomic<bool>& interrupt)
      : wanted_(wanted), interrupt_(interrupt) {}
  void on_progress(const Counts& counts) override {
    if (interrupt_ || counts.states.value_or(StateCounts{}).states > kStatesMax) is_over_ = true;
  }
  void on_bug(const FoundBug& found) override {
    if (found.bug.is_same(wanted_)) is_over_ = true;
  }
  const std::atomic<bool>& is_over() const { return is_over_; }

 private:
  const Bug& wanted_;
  const std::atomic<bool>& interrupt_;
  std::atomic<bool> is_over_ = false;
};

}  // namespace

Explainer::Explainer(const Program& program, const TestCase& test, const POptions& options,
                     std::uint64_t events_max, const std::atomic<bool>& interrupt)
    : program_(program), test_(test), options_(options), events_max_(events_max), interrupt_(interrupt) {}

std::uint64_t Explainer::long_enough(std::size_t events) const {
  return std::min<std::uint64_t>(events_max_, kTimesAsLong * events);
}

std::optional<std::vector<NamedStep>> Explainer::shorten(const Recording& recording) const {
  if (!has_end(recording) || recording.events.size() <= kShortEnough) return std::nullopt;
  PSystem system(program_, test_, options_);
  SteadyClock clock;
  UntilFound until(*recording.bug, interrupt_);
  Limits limits;
  limits.after_bug = AfterBug::kKeepGoing;
  StateSearch search(system, StateOrder::kBreadthFirst, limits, clock,
                     {.listener = &until, .interrupt = &until.is_over(), .held_memory = nullptr});
  const Exploration found = search.run();
  for (const FoundBug& one : found.bugs)
    if (one.bug.is_same(*recording.bug)) return name_steps(one.schedule, system);
  return std::nullopt;
}

std::optional<std::vector<NamedStep>> Explainer::simplify(const Recording& recording) const {
  if (!has_end(recording) || recording.events.size() > kEventsMax || recording.preemptions == 0)
    return std::nullopt;
  PSystem system(program_, test_, options_);
  Observation failing(system, events_max_);
  failing.run(steps_of(recording));
  failing.finish();
  return with_fewer_preemptions(failing, long_enough(recording.events.size()), kPlacesMax);
}

std::optional<Explanation> Explainer::explain(const Recording& recording) const {
  const std::size_t length = recording.events.size();
  if (!has_end(recording) || length == 0 || length > kEventsMax) return std::nullopt;
  PSystem system(program_, test_, options_);
  const std::vector<NamedStep> steps = steps_of(recording);
  if (!has_few_alternatives(system, steps)) return std::nullopt;
  return explain_bug(system, steps, long_enough(length), kExecutionsMax);
}

}  // namespace ravel::p
