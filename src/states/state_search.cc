#include "states/state_search.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "engine/preemption.h"
#include "states/lasso_check.h"

namespace ravel {

namespace {

// Transitions between two looks at the clock and the interrupt flag.
constexpr std::uint32_t kTransitionsPerLook = 256;

constexpr double kSecondsBetweenMemoryLooks = 0.1;

// How many states of a way are looked at for what grows, and how long it has to be.
constexpr std::size_t kSamples = 6, kWayToSample = 60;

// What strata may take before samples follow.
constexpr double kShareOfTime = 0.5, kShareOfMemory = 0.8;

// How many steps a sample may have: so many, or as many times those of the longest way to a state.
constexpr std::uint64_t kStepsOfSample = 1'000, kTimesDepth = 4;

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
  if (!has_begun_) begin({});
  if (!is_over_) search();
  if (polling_ && exploration_.stop == Stop::kComplete) look_for_polling_loop();
  note_counts();
  if (is_interruption(exploration_.stop)) {
    growing_ = system_.what_grows(samples_of_way());
    if (has_position() && !exploration_.position) exploration_.position = position();
  }
  const std::optional<HashedStates>& hashed = exploration_.counts.hashed;
  exploration_.counts.coverage.is_complete =
      exploration_.stop == Stop::kComplete && (!strata_ || strata_->is_exhausted()) &&
      (!hashed || (hashed->omitted < kOmittedMax && hashed->abstraction.empty()));
  exploration_.bugs = told_bugs(ledger_.take());
  exploration_.counts.bugs = exploration_.bugs.size();
  add_places(exploration_.assumed, system_.assumed());
  return std::move(exploration_);
}

void StateSearch::begin(Exploration so_far) {
  has_begun_ = true;
  exploration_ = std::move(so_far);
  exploration_.stop = Stop::kComplete;
  exploration_.counts.coverage.unit = CoverageUnit::kStates;
  ledger_ = BugLedger(std::move(exploration_.bugs));
  if (translate_)
    for (const FoundBug& found : ledger_.bugs()) told_bugs_[found.bug.key()] = found.bug;
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
    if (order_ == StateOrder::kDepthFirst)
      on_way_.push_back({*initial.state, 0, static_cast<std::uint32_t>(system_.enabled().size())});
  }
  if (sharing_) return search_shared();
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
  while (!on_way_.empty() && !should_stop()) {
    keep_if_due();
    if (polling_ && polling_->is_due()) look_for_polling_loop();
    OnWay& from = on_way_.back();
    if (from.next == from.enabled) {
      system_.leave(from.state);
      on_way_.pop_back();
      continue;
    }
    const Arrival arrival = take(from.state, from.next++);
    if (exploration_.stop == Stop::kMemoryBudget) --on_way_.back().next;
    if (!arrival.is_new || !arrival.can_go_on) continue;
    on_way_.push_back({*arrival.state, 0, static_cast<std::uint32_t>(system_.enabled().size())});
  }
}

void StateSearch::search_reduced(StateNumber initial) {
  reduction_->open(initial, std::nullopt);
  present_.reset();
  while (!should_stop()) {
    if (polling_ && polling_->is_due()) look_for_polling_loop();
    const std::optional<PersistentSets::Choice> choice = reduction_->next();
    if (!choice) break;
    const Arrival arrival = take(choice->state, choice->index);
    if (arrival.state && !arrival.is_new) reduction_->note_met(*arrival.state);
    if (!arrival.is_new || !arrival.can_go_on) continue;
    reduction_->open(*arrival.state, last_actor_);
    present_.reset();
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
  present_.reset();
  while (!should_stop() &&
         (!sampling_->executions || counts.in_turns + counts.abandoned < *sampling_->executions)) {
    keep_if_due();
    draw_sample();
  }
  exploration_.promise = samples_->promise();
}

void StateSearch::draw_sample() {
  const StateNumber from = samples_->begin();
  go_to_anew(from);
  present_.reset();
  std::vector<std::uint32_t> indices;
  const std::uint64_t steps_max =
      std::min(std::max(kStepsOfSample, kTimesDepth * counts_.depth), limits_.events_max);
  while (system_.outcome() == Outcome::kRunning && indices.size() < steps_max) {
    if (should_stop()) return;
    const std::span<const Transition> enabled = system_.enabled();
    const std::size_t index = samples_->choose(enabled, system_);
    const Transition transition = enabled[index];
    indices.push_back(static_cast<std::uint32_t>(index));
    system_.step(transition);
    ++exploration_.counts.events;
  }
  samples_->end();
  if (system_.outcome() == Outcome::kRunning)
    ++exploration_.counts.abandoned;
  else
    note_end_of_sample(from, indices);
}

void StateSearch::note_end_of_sample(StateNumber from, std::span<const std::uint32_t> indices) {
  ++exploration_.counts.in_turns;
  Outcome outcome = system_.outcome();
  std::optional<Way> way;
  if (outcome == Outcome::kBug || system_.is_judged_by_execution()) {
    std::vector<std::uint32_t> all = indices_of_way_to(from);
    all.insert(all.end(), indices.begin(), indices.end());
    way = go_way(all);
    outcome = system_.outcome();
  }
  note_outcome(outcome, std::move(way));
}

void StateSearch::search_breadth_first() {
  for (; next_.state < origins_.size(); next_ = {.state = next_.state + 1, .index = 0}) {
    const StateNumber state{next_.state};
    counts_.depth = origins_[next_.state].depth;
    if (origins_[next_.state].is_end) continue;
    go_to(state);
    const auto enabled = static_cast<std::uint32_t>(system_.enabled().size());
    for (; next_.index < enabled && !should_stop(); ++next_.index) {
      keep_if_due();
      if (polling_ && polling_->is_due()) look_for_polling_loop();
      take(state, next_.index);
      if (exploration_.stop == Stop::kMemoryBudget) return;
    }
    if (is_over_) return;
    system_.leave(state);
  }
}

// The last `loop` of these transitions come again and again.
void StateSearch::record_endless(const TemporalQuestion& question, std::span<const std::uint32_t> indices,
                                 std::uint64_t loop) {
  Way way = go_way(indices);
  LassoCheck check(question);
  system_.reset();
  check.note(system_, std::nullopt);
  for (const Transition& transition : way.schedule) {
    system_.step(transition);
    check.note(system_, transition.actor);
  }
  present_.reset();
  const std::optional<Bug> bug = check.judge(system_, loop);
  CHECK_MESSAGE(bug.has_value(), kNondeterminism);
  FoundBug* const found = ledger_.note(
      *bug,
      {.early = count_early(way.schedule), .preemptions = way.preemptions, .events = way.schedule.size()},
      exploration_.counts.executions);
  exploration_.counts.bugs = ledger_.bugs().size();
  ++exploration_.counts.erroneous;
  if (found == nullptr) return;
  found->schedule = std::move(way.schedule);
  found->lasso =
      Lasso{.formula = question.formula, .fairness = std::string(text_of(question.fairness)), .loop = loop};
  if (translate_) told_bugs_[bug->key()] = *bug;
  if (surroundings_.listener != nullptr) surroundings_.listener->on_bug(*found);
  end_at_bug();
}

// Also in a part of the states.
void StateSearch::look_for_polling_loop() {
  const auto loop = polling_->find(fairness_of_polling_);
  if (!loop) return;
  polling_.reset();
  std::vector<std::uint32_t> indices = indices_of_way_to(loop->begin);
  indices.insert(indices.end(), loop->indices.begin(), loop->indices.end());
  record_endless(ask_about_changes(fairness_of_polling_), indices, loop->indices.size());
}

StateSteps::Arrival StateSearch::take(StateNumber from, std::uint32_t index) {
  go_to(from);
  const std::span<const Transition> enabled = system_.enabled();
  CHECK_MESSAGE(index < enabled.size(), kNondeterminism);
  last_ = {.state = static_cast<std::uint32_t>(from), .index = index};
  const Transition transition = enabled[index];  // the step lists others in its place
  const bool notes_looks = sharing_ && sharing_->looking != nullptr;
  if (polling_ || notes_looks) enabled_before_.assign(enabled.begin(), enabled.end());
  const Event event = system_.step(transition);
  if (reduction_) reduction_->note_step(event);
  last_actor_ = transition.actor;
  present_.reset();
  ++counts_.transitions;
  ++exploration_.counts.events;
  const Arrival arrival = arrive();
  if (polling_ && arrival.can_go_on && (system_.letter().step & kOnlyLooked) != 0)
    polling_->note(from, index, enabled_before_, *arrival.state);
  if (notes_looks && arrival.can_go_on && (system_.letter().step & kOnlyLooked) != 0)
    sharing_->looking->note(hashes_[static_cast<std::uint32_t>(from) - first_kept_], index, enabled_before_,
                            sharing_->states->last(), system_);
  return arrival;
}

// Some states on the way to where the search is, in their order; none of a short one.
std::vector<StateNumber> StateSearch::samples_of_way() const {
  std::vector<StateNumber> states;
  for (const OnWay& one : on_way_) states.push_back(one.state);
  if (keeps_origins() && last_.index != kNone) {
    for (Taken taken = last_; taken.index != kNone; taken = origins_[taken.state].from)
      states.push_back(StateNumber{taken.state});
    std::ranges::reverse(states);
  }
  std::vector<StateNumber> samples;
  if (states.size() < kWayToSample) return samples;
  for (std::size_t i = 1; i <= kSamples; ++i) samples.push_back(states[states.size() * i / kSamples - 1]);
  return samples;
}

void StateSearch::end_for_memory() {
  exploration_.stop = Stop::kMemoryBudget;
  is_over_ = true;
}

// What the last step, or the reset, has led to.
StateSteps::Arrival StateSearch::arrive() {
  if (sharing_ && sharing_->states->has_learnt()) {
    has_learnt_ = is_over_ = true;
    return {};
  }
  const Outcome outcome = system_.outcome();
  const bool is_running = outcome == Outcome::kRunning;
  const std::optional<MetState> met = number_state();
  if (!met) {
    if (is_running)
      end_for_memory();
    else
      note_end(outcome);
    return {};
  }
  if (is_running) present_ = met->number;
  Arrival arrival = {.state = met->number, .is_new = met->is_new, .can_go_on = is_running};
  if (formulas_) {
    arrival.letter = system_.letter();
    formulas_->note(arrival.letter);
  }
  if (!met->is_new) return arrival;
  ++counts_.states;
  if (last_.index != kNone && has_position() && !strata_) {
    discoveries_.put(static_cast<std::uint32_t>(met->number) - 1 - last_.state);
    discoveries_.put(last_.index);
  }
  note_origin(!is_running);
  if (is_running) return arrival;
  if (reduction_) reduction_->add_end(met->number);
  system_.leave(number_of_system(met->number));
  note_end(outcome);
  return arrival;
}

void StateSearch::note_origin(bool is_end) {
  if (sharing_) hashes_.push_back(sharing_->states->last());
  if (!keeps_origins()) {
    counts_.depth = std::max<std::uint64_t>(counts_.depth, on_way_.size());
    return;
  }
  const std::uint32_t depth = last_.index == kNone ? 0 : origins_[last_.state].depth + 1;
  origins_.push_back({.from = last_, .is_end = is_end, .depth = depth, .is_done = false});
  if (order_ != StateOrder::kBreadthFirst || sharing_)
    counts_.depth = std::max<std::uint64_t>(counts_.depth, depth);
}

void StateSearch::go_to(StateNumber state) {
  if (present_ == state) return;
  system_.go_to(number_of_system(state));
  present_ = state;
}

void StateSearch::go_to_anew(StateNumber state) {
  present_.reset();
  go_to(state);
}

void StateSearch::note_end(Outcome outcome) {
  std::optional<Way> way;
  if (system_.is_judged_by_execution()) {
    way = go_way();
    outcome = system_.outcome();
  }
  ++exploration_.counts.executions;
  note_outcome(outcome, std::move(way));
}

void StateSearch::note_outcome(Outcome outcome, std::optional<Way> way) {
  if (outcome == Outcome::kUnsupported) {
    exploration_.refusal = system_.refusal();
    exploration_.stop = Stop::kUnsupported;
    is_over_ = true;
  }
  if (outcome == Outcome::kBug) record_bug(std::move(way));
  end_at_bug();
}

void StateSearch::end_at_bug() {
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
std::vector<FoundBug> StateSearch::told_bugs(std::vector<FoundBug> bugs) {
  if (!translate_) return bugs;
  for (FoundBug& found : bugs) found.bug = told_bugs_.at(found.bug.key());
  BugLedger told;
  told.merge(bugs);
  return told.take();
}

// The transitions that lead to where the search is, by their places among the enabled ones.
std::vector<std::uint32_t> StateSearch::indices_of_way() const {
  std::vector<std::uint32_t> indices;
  for (const OnWay& one : on_way_) indices.push_back(one.next - 1);
  if (!keeps_origins()) return indices;
  for (Taken taken = last_; taken.index != kNone; taken = origins_[taken.state].from)
    indices.push_back(taken.index);
  std::ranges::reverse(indices);
  return indices;
}

std::vector<std::uint32_t> StateSearch::indices_of_way_to(StateNumber state) const {
  std::vector<std::uint32_t> indices;
  if (keeps_origins()) {
    for (Taken taken = origins_[static_cast<std::uint32_t>(state)].from; taken.index != kNone;
         taken = origins_[taken.state].from)
      indices.push_back(taken.index);
  } else {
    std::vector<Taken> found_by(1);
    PositionReader reader(discoveries_.bytes());
    for (std::uint32_t number = 1; number <= static_cast<std::uint32_t>(state); ++number) {
      const auto distance = static_cast<std::uint32_t>(reader.get());
      found_by.push_back({.state = number - 1 - distance, .index = reader.get32()});
    }
    for (Taken taken = found_by.back(); taken.index != kNone; taken = found_by[taken.state])
      indices.push_back(taken.index);
  }
  std::ranges::reverse(indices);
  return indices;
}

// Takes these transitions once more, from the initial state.
StateSearch::Way StateSearch::go_way(std::span<const std::uint32_t> indices) {
  Way way;
  std::optional<ActorId> previous;
  present_.reset();
  system_.reset();
  for (const std::uint32_t index : indices) {
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
  // Of a search by levels that others share in, the states beyond the one at hand do not count yet.
  std::uint64_t depth = counts_.depth;
  if (sharing_ && sharing_->by_levels && next_.state < origins_.size()) depth = distance();
  if (order_ == StateOrder::kBreadthFirst && !is_unordered()) {
    counts.coverage.bounds = {{.on = BoundOn::kEvents,
                               .completed = static_cast<std::uint32_t>(depth),
                               .current = {},
                               .is_exhausted = exploration_.stop == Stop::kComplete}};
    // Not even those without an event, if the program is wrong before the first one.
    if (exploration_.stop == Stop::kFirstBug && counts_.transitions == 0)
      counts.coverage.bounds.front().completed.reset();
  }
  if (strata_)
    counts.coverage.bounds = {{.on = BoundOn::kStrata,
                               .completed = strata_->completed(),
                               .current = strata_->stratum(),
                               .is_exhausted = strata_->is_exhausted()}};
  counts_.bytes = system_.bytes_of_states() + discoveries_.bytes().size() +
                  (reduction_ ? reduction_->bytes() : 0) + (strata_ ? strata_->bytes() : 0) +
                  (polling_ ? polling_->bytes() : 0);
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
  until_look_ = kTransitionsPerLook;
  note_counts();
  if (sharing_) sharing_->attend();
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
