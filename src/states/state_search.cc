#include "states/state_search.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "engine/preemption.h"

namespace ravel {

namespace {

// Transitions between two looks at the clock and the interrupt flag.
constexpr std::uint32_t kTransitionsPerLook = 256;

constexpr double kSecondsBetweenMemoryLooks = 0.1;

// How many states of a way are looked at for what grows, and how long it has to be.
constexpr std::size_t kSamples = 6, kWayToSample = 60;

constexpr const char kNondeterminism[] =
    "the program under test did not do the same thing twice: nondeterminism that is not under control";

constexpr const char kNamesMatter[] =
    "), but not where names are counted: the program orders pids or references, or makes numbers of them, so "
    "that a search by states, which gives free names again, says nothing about it; choose another strategy";

}  // namespace

StateSearch::StateSearch(System& system, StateOrder order, const Limits& limits, Clock& clock,
                         const Surroundings& surroundings, Translate translate)
    : system_(system),
      order_(order),
      limits_(limits),
      clock_(clock),
      surroundings_(surroundings),
      translate_(std::move(translate)) {}

Exploration StateSearch::run() {
  start_ = clock_.seconds();
  exploration_.stop = Stop::kComplete;
  exploration_.counts.coverage.unit = CoverageUnit::kStates;
  system_.set_descriptions(Descriptions::kOff);
  system_.reset();
  const std::optional<StateNumber> initial = arrive();
  if (initial && order_ == StateOrder::kDepthFirst) {
    on_way_.push_back({*initial, 0, static_cast<std::uint32_t>(system_.enabled().size())});
    search_depth_first();
  } else if (initial) {
    search_breadth_first();
  }
  note_counts();
  if (is_interruption(exploration_.stop)) growing_ = system_.what_grows(samples_of_way());
  exploration_.counts.coverage.is_complete = exploration_.stop == Stop::kComplete;
  exploration_.bugs = told_bugs();
  add_places(exploration_.assumed, system_.assumed());
  return std::move(exploration_);
}

void StateSearch::search_depth_first() {
  while (!on_way_.empty() && !is_over_) {
    OnWay& from = on_way_.back();
    if (from.next == from.enabled) {
      on_way_.pop_back();
      continue;
    }
    const std::optional<StateNumber> found = take(from.state, from.next++);
    if (!found) continue;
    on_way_.push_back({*found, 0, static_cast<std::uint32_t>(system_.enabled().size())});
  }
}

void StateSearch::search_breadth_first() {
  std::size_t level_end = origins_.size();
  for (std::uint32_t state = 0; state < origins_.size() && !is_over_; ++state) {
    if (state == level_end) {
      ++counts_.depth;
      level_end = origins_.size();
    }
    if (origins_[state].is_end) continue;
    go_to(StateNumber{state});
    const auto enabled = static_cast<std::uint32_t>(system_.enabled().size());
    for (std::uint32_t index = 0; index < enabled && !is_over_; ++index) take(StateNumber{state}, index);
  }
}

std::optional<StateNumber> StateSearch::take(StateNumber from, std::uint32_t index) {
  if (should_stop()) return std::nullopt;
  go_to(from);
  const std::span<const Transition> enabled = system_.enabled();
  CHECK_MESSAGE(index < enabled.size(), kNondeterminism);
  last_ = {.state = static_cast<std::uint32_t>(from), .index = index};
  system_.step(enabled[index]);
  present_.reset();
  ++counts_.transitions;
  ++exploration_.counts.events;
  return arrive();
}

// Some states on the way to where the search is, in their order; none of a short one.
std::vector<StateNumber> StateSearch::samples_of_way() const {
  std::vector<StateNumber> states;
  for (const OnWay& one : on_way_) states.push_back(one.state);
  if (order_ == StateOrder::kBreadthFirst && last_.index != kNone) {
    for (Taken taken = last_; taken.index != kNone; taken = origins_[taken.state].from)
      states.push_back(StateNumber{taken.state});
    std::ranges::reverse(states);
  }
  std::vector<StateNumber> samples;
  if (states.size() < kWayToSample) return samples;
  for (std::size_t i = 1; i <= kSamples; ++i) samples.push_back(states[states.size() * i / kSamples - 1]);
  return samples;
}

// What the last step, or the reset, has led to. Nothing: no state that is new and can go on.
std::optional<StateNumber> StateSearch::arrive() {
  const Outcome outcome = system_.outcome();
  const bool is_running = outcome == Outcome::kRunning;
  const std::optional<MetState> met = system_.number_state();
  if (!met) {
    if (is_running) {
      exploration_.stop = Stop::kMemoryBudget;
      is_over_ = true;
    } else {
      note_end(outcome);
    }
    return std::nullopt;
  }
  if (is_running) present_ = met->number;
  if (!met->is_new) return std::nullopt;
  ++counts_.states;
  if (order_ == StateOrder::kBreadthFirst) {
    origins_.push_back({.from = last_, .is_end = !is_running});
  } else {
    counts_.depth = std::max<std::uint64_t>(counts_.depth, on_way_.size());
  }
  if (is_running) return met->number;
  note_end(outcome);
  return std::nullopt;
}

void StateSearch::go_to(StateNumber state) {
  if (present_ == state) return;
  system_.go_to(state);
  present_ = state;
}

void StateSearch::note_end(Outcome outcome) {
  std::optional<Way> way;
  if (system_.is_judged_by_execution()) {
    way = go_way();
    outcome = system_.outcome();
  }
  ++exploration_.counts.executions;
  if (outcome == Outcome::kUnsupported) {
    exploration_.refusal = system_.refusal();
    exploration_.stop = Stop::kUnsupported;
    is_over_ = true;
  }
  if (outcome == Outcome::kBug) record_bug(std::move(way));
  const bool ends_there = limits_.after_bug == AfterBug::kStop && !ledger_.bugs().empty();
  if (ends_there && !is_over_) {
    exploration_.stop = Stop::kFirstBug;
    is_over_ = true;
  }
  if (surroundings_.listener != nullptr && surroundings_.listener->ends_search() && !is_over_) {
    exploration_.stop = Stop::kInterrupted;
    is_over_ = true;
  }
}

void StateSearch::record_bug(std::optional<Way> way) {
  ++exploration_.counts.erroneous;
  const Bug bug = system_.bug();
  FoundBug* const known = ledger_.find(bug);
  const std::size_t length = way ? way->schedule.size() : indices_of_way().size();
  if (known != nullptr && known->schedule.size() <= length) {
    ++known->executions;
    return;
  }
  if (!way) way = go_way();
  Bug told = bug;
  if (translate_) {
    auto translated = translate_(way->schedule);
    present_.reset();
    if (!translated) {
      exploration_.refusal = {
          .message = "a bug was found (" + bug.message + kNamesMatter, .file = "", .line = 0};
      exploration_.stop = Stop::kUnsupported;
      is_over_ = true;
      return;
    }
    way->schedule = std::move(translated->schedule);
    told = std::move(translated->bug);
  }
  FoundBug* const found = ledger_.note(bug,
                                       {.faults = count_faults(way->schedule),
                                        .early = count_early(way->schedule),
                                        .preemptions = way->preemptions,
                                        .events = way->schedule.size()},
                                       exploration_.counts.executions);
  exploration_.counts.bugs = ledger_.bugs().size();
  if (found == nullptr) return;
  found->schedule = std::move(way->schedule);
  if (translate_) told_bugs_[bug.key()] = told;
  if (surroundings_.listener == nullptr) return;
  FoundBug heard = *found;
  heard.bug = std::move(told);
  surroundings_.listener->on_bug(heard);
}

// Two of them can be told as one.
std::vector<FoundBug> StateSearch::told_bugs() {
  std::vector<FoundBug> bugs = ledger_.take();
  if (!translate_) return bugs;
  for (FoundBug& found : bugs) found.bug = told_bugs_.at(found.bug.key());
  BugLedger told;
  told.merge(bugs);
  exploration_.counts.bugs = told.bugs().size();
  return told.take();
}

// The transitions that lead to where the search is, by their places among the enabled ones.
std::vector<std::uint32_t> StateSearch::indices_of_way() const {
  std::vector<std::uint32_t> indices;
  for (const OnWay& one : on_way_) indices.push_back(one.next - 1);
  if (order_ == StateOrder::kDepthFirst) return indices;
  for (Taken taken = last_; taken.index != kNone; taken = origins_[taken.state].from)
    indices.push_back(taken.index);
  std::ranges::reverse(indices);
  return indices;
}

// Takes them once more, from the initial state.
StateSearch::Way StateSearch::go_way() {
  Way way;
  std::optional<ActorId> previous;
  present_.reset();
  system_.reset();
  for (const std::uint32_t index : indices_of_way()) {
    const std::span<const Transition> enabled = system_.enabled();
    CHECK_MESSAGE(index < enabled.size(), kNondeterminism);
    const Transition transition = enabled[index];
    if (preempts(previous, enabled, transition.actor)) ++way.preemptions;
    way.schedule.push_back(transition);
    system_.step(transition);
    ++exploration_.counts.events;
    previous = transition.actor;
  }
  return way;
}

void StateSearch::note_counts() {
  Counts& counts = exploration_.counts;
  if (order_ == StateOrder::kBreadthFirst) {
    counts.coverage.bounds = {{.on = BoundOn::kEvents,
                               .completed = static_cast<std::uint32_t>(counts_.depth),
                               .current = {},
                               .is_exhausted = exploration_.stop == Stop::kComplete}};
    // Not even those without an event, if the program is wrong before the first one.
    if (exploration_.stop == Stop::kFirstBug && counts_.transitions == 0)
      counts.coverage.bounds.front().completed.reset();
  }
  counts_.bytes = system_.bytes_of_states();
  counts.states = counts_;
  counts.events_max = counts_.depth;
  counts.seconds = clock_.seconds() - start_;
}

bool StateSearch::should_stop() {
  if (until_look_ > 0) {
    --until_look_;
    return false;
  }
  until_look_ = kTransitionsPerLook;
  note_counts();
  is_over_ = is_told_to_stop();
  if (!is_over_ && surroundings_.listener != nullptr)
    surroundings_.listener->on_progress(exploration_.counts);
  return is_over_;
}

bool StateSearch::is_told_to_stop() {
  const Counts& counts = exploration_.counts;
  const auto stop = [this](Stop why) {
    exploration_.stop = why;
    return true;
  };
  if (surroundings_.interrupt != nullptr && surroundings_.interrupt->load(std::memory_order_relaxed))
    return stop(Stop::kInterrupted);
  if (limits_.seconds && counts.seconds >= *limits_.seconds) return stop(Stop::kTimeBudget);
  if (limits_.executions && counts.executions >= *limits_.executions) return stop(Stop::kExecutionBudget);
  if (limits_.memory && surroundings_.held_memory != nullptr && counts.seconds >= next_memory_look_) {
    next_memory_look_ = counts.seconds + kSecondsBetweenMemoryLooks;
    if (surroundings_.held_memory(*limits_.memory) > *limits_.memory) return stop(Stop::kMemoryBudget);
  }
  return false;
}

}  // namespace ravel
