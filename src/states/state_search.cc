#include "states/state_search.h"

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace ravel {

namespace {

// Transitions between two looks at the clock and the interrupt flag.
constexpr std::uint32_t kTransitionsPerLook = 256;

constexpr double kSecondsBetweenMemoryLooks = 0.1;

// What strata may take before samples follow.
constexpr double kShareOfTime = 0.5, kShareOfMemory = 0.8;

// How many steps a sample may have: so many, or as many times those of the longest way to a state.
constexpr std::uint64_t kStepsOfSample = 1'000, kTimesDepth = 4;

}  // namespace

StateSearch::StateSearch(System& system, StateOrder order, const Limits& limits, Clock& clock,
                         const Surroundings& surroundings, Translate translate)
    : system_(system),
      order_(order),
      limits_(limits),
      clock_(clock),
      surroundings_(surroundings),
      ends_({.system = system,
             .states = states_,
             .ways = ways_,
             .so_far = exploration_,
             .listener = surroundings_.listener},
            limits_.after_bug, std::move(translate)) {
  if (order != StateOrder::kDepthFirst) ways_.keep_all();
}

Exploration StateSearch::run() {
  if (!has_begun_) begin({});
  if (!is_over_) search();
  if (polling_ && exploration_.stop == Stop::kComplete) look_for_polling_loop();
  note_counts();
  if (is_interruption(exploration_.stop)) {
    growing_ = system_.what_grows(ways_.samples());
    if (has_position() && !exploration_.position) exploration_.position = position();
  }
  const std::optional<HashedStates>& hashed = exploration_.counts.hashed;
  exploration_.counts.coverage.is_complete =
      exploration_.stop == Stop::kComplete && (!strata_ || strata_->is_exhausted()) &&
      (!hashed || (hashed->omitted < kOmittedMax && hashed->abstraction.empty()));
  exploration_.bugs = ends_.take_bugs();
  exploration_.counts.bugs = exploration_.bugs.size();
  add_places(exploration_.assumed, system_.assumed());
  return std::move(exploration_);
}

void StateSearch::begin(Exploration so_far) {
  has_begun_ = true;
  exploration_ = std::move(so_far);
  exploration_.stop = Stop::kComplete;
  exploration_.counts.coverage.unit = CoverageUnit::kStates;
  ends_.begin();
  counts_ = exploration_.counts.states.value_or(StateCounts{});
  start_ = clock_.seconds();
  seconds_before_ = budget_from_ = exploration_.counts.seconds;
  executions_before_ = exploration_.counts.executions;
  next_keeping_ = seconds_before_ + surroundings_.keeping.first;
  system_.set_descriptions(Descriptions::kOff);
  system_.reset();
}

// From the initial state, or from where it was.
void StateSearch::search() {
  if (counts_.states == 0) {
    const Arrival initial = arrive();
    if (formulas_ && initial.state) {
      CHECK(!system_.hashed_states());  // it goes to any state again
      formulas_->run(initial);
    }
    if (formulas_ || !initial.can_go_on) return;
    if (reduction_) return search_reduced(*initial.state);
    if (strata_) strata_->open(*initial.state);
    if (shared_strata_) shared_strata_->begin(*initial.state);
    if (order_ == StateOrder::kDepthFirst) ways_.on_way().push_back({*initial.state, 0, initial.enabled});
  }
  if (part_) return search_shared();
  if (strata_) {
    search_by_delays();
    if (sampling_ && !is_over_) draw_samples();
  } else if (order_ == StateOrder::kDepthFirst) {
    search_depth_first();
  } else {
    search_breadth_first();
  }
}

void StateSearch::search_depth_first() {
  while (!ways_.on_way().empty() && !should_stop()) {
    keep_if_due();
    if (polling_ && polling_->is_due()) look_for_polling_loop();
    WaysToStates::OnWay& from = ways_.on_way().back();
    if (from.next == from.enabled) {
      states_.leave(from.state);
      ways_.on_way().pop_back();
      continue;
    }
    const Arrival arrival = take(from.state, from.next++);
    if (exploration_.stop == Stop::kMemoryBudget) --ways_.on_way().back().next;
    if (!arrival.is_new || !arrival.can_go_on) continue;
    ways_.on_way().push_back({*arrival.state, 0, arrival.enabled});
  }
}

void StateSearch::search_reduced(StateNumber initial) {
  reduction_->open(initial, std::nullopt);
  states_.forget_present();
  while (!should_stop()) {
    if (polling_ && polling_->is_due()) look_for_polling_loop();
    const std::optional<PersistentSets::Choice> choice = reduction_->next();
    if (!choice) break;
    const Arrival arrival = take(choice->state, choice->index);
    if (arrival.state && !arrival.is_new) reduction_->note_met(*arrival.state);
    if (!arrival.is_new || !arrival.can_go_on) continue;
    reduction_->open(*arrival.state, last_actor_);
    states_.forget_present();
  }
}

void StateSearch::search_by_delays() {
  while (!should_stop() && !(sampling_ && sampling_->has_begun)) {
    keep_if_due();
    if (polling_ && polling_->is_due()) look_for_polling_loop();
    const std::optional<DelayStrata::Choice> choice = strata_->next();
    if (!choice) break;
    const Arrival arrival = take(choice->state, choice->index);
    if (exploration_.stop == Stop::kMemoryBudget) strata_->take_back();
    if (exploration_.stop == Stop::kMemoryBudget && sampling_) {  // no state has a number any more
      exploration_.stop = Stop::kComplete;
      is_over_ = false;
      break;
    }
    if (arrival.is_new && arrival.can_go_on) strata_->open(*arrival.state);
  }
}

void StateSearch::begin_samples() {
  sampling_->has_begun = true;
  strata_->stop();
  if (!strata_->is_exhausted()) samples_.emplace(*strata_, sampling_->seed);
}

void StateSearch::draw_samples() {
  const Counts& counts = exploration_.counts;
  if (!samples_) begin_samples();
  if (!samples_) return;  // nothing is left
  states_.forget_present();
  while (!should_stop() &&
         (!sampling_->executions || counts.in_turns + counts.abandoned < *sampling_->executions)) {
    keep_if_due();
    draw_sample();
  }
  exploration_.promise = samples_->promise();
}

void StateSearch::draw_sample() {
  const StateNumber from = samples_->begin();
  states_.go_to_anew(from);
  states_.forget_present();
  std::vector<std::uint32_t> indices;
  // Who keeps states would have to make a fingerprint of each; who keeps hashes has it.
  const bool has_hashes = system_.hashed_states().has_value();
  const std::uint64_t steps_max =
      std::min(std::max(kStepsOfSample, kTimesDepth * counts_.depth), limits_.events_max);
  while (system_.outcome() == Outcome::kRunning && indices.size() < steps_max) {
    if (should_stop()) return;
    const std::optional<Fingerprint> print = has_hashes ? system_.fingerprint() : std::nullopt;
    const std::span<const Transition> enabled = system_.enabled();
    const std::optional<std::size_t> index = samples_->choose(enabled, system_, print);
    if (!index) break;
    const Transition transition = enabled[*index];
    indices.push_back(static_cast<std::uint32_t>(*index));
    system_.step(transition);
    ++exploration_.counts.events;
  }
  samples_->end();
  if (system_.outcome() == Outcome::kRunning) {
    ++exploration_.counts.abandoned;
  } else {
    ++exploration_.counts.in_turns;
    end(ends_.note_end_from(from, indices));
  }
}

void StateSearch::search_breadth_first() {
  for (; next_.state < ways_.size(); next_ = {.state = next_.state + 1, .index = 0}) {
    const StateNumber state{next_.state};
    counts_.depth = ways_.origin(next_.state).depth;
    if (ways_.origin(next_.state).is_end) continue;
    const auto enabled = static_cast<std::uint32_t>(enabled_in(state).size());
    for (; next_.index < enabled && !should_stop(); ++next_.index) {
      keep_if_due();
      if (polling_ && polling_->is_due()) look_for_polling_loop();
      take(state, next_.index);
      if (exploration_.stop == Stop::kMemoryBudget) return;
    }
    if (is_over_) return;
    states_.leave(state);
  }
}

// The last `loop` of these transitions come again and again.
void StateSearch::record_endless(const TemporalQuestion& question, std::span<const std::uint32_t> indices,
                                 std::uint64_t loop) {
  end(ends_.note_endless(question, indices, loop));
}

// Also in a part of the states.
void StateSearch::look_for_polling_loop() {
  const auto loop = polling_->find(fairness_of_polling_);
  if (!loop) return;
  polling_.reset();
  std::vector<std::uint32_t> indices = ways_.indices_to(loop->begin);
  indices.insert(indices.end(), loop->indices.begin(), loop->indices.end());
  record_endless(ask_about_changes(fairness_of_polling_), indices, loop->indices.size());
}

std::span<const Transition> StateSearch::enabled_in(StateNumber state) {
  if (may_repeat()) {
    states_.forget_present();
    if (const std::span<const Transition> enabled = memory_->enabled_in(state); !enabled.empty())
      return enabled;
  }
  states_.go_to(state);
  return system_.enabled();
}

StateSteps::Arrival StateSearch::take(StateNumber from, std::uint32_t index) {
  if (may_repeat()) {
    if (const std::optional<StepMemory::Known> known = states_.repeat(*memory_, from, index)) {
      ways_.begin_step({.state = static_cast<std::uint32_t>(from), .index = index});
      ++counts_.transitions;
      ++exploration_.counts.events;
      ++repeated_;
      return note_met(known->met, known->letter, known->enabled);
    }
  }
  step(from, index);
  ++counts_.transitions;
  const Arrival arrival = arrive();
  if (polling_ && arrival.can_go_on && (system_.letter().step & kOnlyLooked) != 0)
    polling_->note(from, index, enabled_before_, *arrival.state);
  if (arrival.can_go_on) note_look(from, index);
  return arrival;
}

void StateSearch::step(StateNumber from, std::uint32_t index) {
  states_.go_to(from);
  const std::span<const Transition> enabled = system_.enabled();
  CHECK_MESSAGE(index < enabled.size(), kNotTheSameTwice);
  ways_.begin_step({.state = static_cast<std::uint32_t>(from), .index = index});
  const Transition transition = enabled[index];  // the step lists others in its place
  if (polling_ || notes_looks()) enabled_before_.assign(enabled.begin(), enabled.end());
  const Event event = system_.step(transition);
  if (reduction_) reduction_->note_step(event);
  last_actor_ = transition.actor;
  states_.forget_present();
  ++exploration_.counts.events;
}

void StateSearch::end_for_memory() {
  exploration_.stop = Stop::kMemoryBudget;
  is_over_ = true;
}

// What the last step, or the reset, has led to.
StateSteps::Arrival StateSearch::arrive() {
  if (part_ && part_->learns()) {
    is_over_ = true;
    return {};
  }
  const Outcome outcome = system_.outcome();
  const bool is_running = outcome == Outcome::kRunning;
  const std::optional<MetState> met = states_.number();
  if (!met) {
    if (is_running)
      end_for_memory();
    else
      end(ends_.note_end(outcome));
    return {};
  }
  if (is_running) states_.be_in(met->number);
  const auto enabled = is_running ? static_cast<std::uint32_t>(system_.enabled().size()) : 0;
  const Arrival arrival = note_met(*met, formulas_ ? system_.letter() : Letter{}, enabled);
  if (!met->is_new || is_running) return arrival;
  if (reduction_) reduction_->add_end(met->number);
  states_.leave(met->number);
  end(ends_.note_end(outcome));
  return arrival;
}

// A state that a step has led to; nothing can move there if nothing is enabled.
StateSteps::Arrival StateSearch::note_met(const MetState& met, const Letter& letter, std::uint32_t enabled) {
  const bool is_running = enabled > 0;
  if (formulas_) formulas_->note(letter);
  if (met.is_new) {
    ++counts_.states;
    if (const Step& last = ways_.last_step(); last.index != WaysToStates::kNone && has_position() && !strata_)
      ways_.note_discovery(static_cast<std::uint32_t>(met.number), last);
    note_state(enabled);
  }
  return {.state = met.number,
          .is_new = met.is_new,
          .can_go_on = is_running,
          .enabled = enabled,
          .letter = letter};
}

void StateSearch::note_state(std::uint32_t enabled) {
  if (part_) part_->note_state(enabled);
  const std::uint64_t depth = ways_.add(enabled == 0);
  if (order_ != StateOrder::kBreadthFirst || part_) counts_.depth = std::max(counts_.depth, depth);
}

void StateSearch::end(std::optional<Stop> why) {
  if (!why || (is_over_ && *why != Stop::kUnsupported)) return;
  exploration_.stop = *why;
  is_over_ = true;
}

void StateSearch::note_counts() {
  Counts& counts = exploration_.counts;
  // Of a search by levels that others share in, the states beyond the one at hand do not count yet.
  std::uint64_t depth = counts_.depth;
  const bool is_unordered = part_ && !part_->sharing().by_levels;
  if (part_ && !is_unordered && next_.state < ways_.size()) depth = distance();
  if (order_ == StateOrder::kBreadthFirst && !is_unordered) {
    counts.coverage.bounds = {{.on = BoundOn::kEvents,
                               .completed = static_cast<std::uint32_t>(depth),
                               .current = {},
                               .is_exhausted = exploration_.stop == Stop::kComplete}};
  }
  const auto note_strata = [&](const auto& strata) {
    counts.coverage.bounds = {{.on = BoundOn::kStrata,
                               .completed = strata.completed(),
                               .current = strata.stratum(),
                               .is_exhausted = strata.is_exhausted()}};
  };
  if (strata_) note_strata(*strata_);
  if (shared_strata_) note_strata(*shared_strata_);
  // Not even what has no event is done if the search ends before the first one.
  const bool is_left = exploration_.stop == Stop::kUnsupported ||
                       (exploration_.stop == Stop::kFirstBug && order_ == StateOrder::kBreadthFirst);
  if (counts_.transitions == 0 && is_left && !counts.coverage.bounds.empty()) {
    counts.coverage.bounds.front().completed.reset();
    counts.coverage.bounds.front().is_exhausted = false;
  }
  counts_.bytes = system_.bytes_of_states() + ways_.discoveries().size() +
                  (reduction_ ? reduction_->bytes() : 0) + (strata_ ? strata_->bytes() : 0) +
                  (shared_strata_ ? shared_strata_->bytes() : 0) + (polling_ ? polling_->bytes() : 0);
  counts_.reduced = reduction_ ? reduction_->reduced_states() : 0;
  counts.hashed = system_.hashed_states();
  counts.states = counts_;
  counts.states->depth = depth;
  counts.events_max = depth;
  counts.seconds = seconds_before_ + clock_.seconds() - start_;
}

bool StateSearch::should_stop() {
  if (is_over_) return true;
  if (until_look_ > 0) {
    --until_look_;
    return false;
  }
  until_look_ = part_ ? part_->sharing().steps_unattended : kTransitionsPerLook;
  note_counts();
  if (part_) part_->sharing().attend();
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
  const bool is_first_part = sampling_ && !sampling_->has_begun;
  const double seconds = counts.seconds - budget_from_;
  if (limits_.seconds && seconds >= *limits_.seconds) return stop(Stop::kTimeBudget);
  if (is_first_part && limits_.seconds && seconds >= kShareOfTime * *limits_.seconds)
    sampling_->has_begun = true;
  if (limits_.executions && counts.executions - executions_before_ >= *limits_.executions)
    return stop(Stop::kExecutionBudget);
  if (limits_.memory && surroundings_.held_memory != nullptr && counts.seconds >= next_memory_look_) {
    next_memory_look_ = counts.seconds + kSecondsBetweenMemoryLooks;
    if (surroundings_.held_memory(*limits_.memory) > *limits_.memory) return stop(Stop::kMemoryBudget);
    const auto share = static_cast<std::uint64_t>(kShareOfMemory * static_cast<double>(*limits_.memory));
    if (is_first_part && surroundings_.held_memory(share) > share) sampling_->has_begun = true;
  }
  return false;
}

}  // namespace ravel
