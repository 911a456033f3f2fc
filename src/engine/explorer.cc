#include "engine/explorer.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "engine/explorer_loop.h"

namespace ravel {

namespace {

// Reading the clock costs about as much as an event of a small program; a budget need not be kept more
// exactly than to some microseconds.
constexpr std::uint32_t kEventsPerLook = 256;

// An estimate costs about as much as an execution, and nobody reads it more often.
constexpr double kSecondsBetweenEstimates = 0.2;

// Where returns are seldom, it takes less time to take some steps again than to save each state.
constexpr std::size_t kStepsBetweenSnapshots = 3;

// An execution that is longer is asked whether it goes round, and again when it is eight times as long. Most
// are shorter.
constexpr std::size_t kFirstLook = 8'192;
constexpr std::size_t kLookFactor = 8;

// How many states before that are compared: a longer round is not found.
constexpr std::size_t kStatesCompared = 8'192;

// Where so many looks have found nothing, only each of so many is taken.
constexpr std::size_t kLooksInVain = 16;

// So many steps are compared in a tenth of a second. What takes less than that is finished, whoever wants to
// stop, since afterwards the search has a position to go on from.
constexpr std::uint64_t kLongWork = std::uint64_t{1} << 24;

// In this time a search allocates some megabytes.
constexpr double kSecondsBetweenMemoryLooks = 0.1;

}  // namespace

Explorer::Explorer(System& system, Strategy& strategy, const Limits& limits, Clock& clock,
                   const Surroundings& surroundings)
    : system_(system),
      strategy_(strategy),
      limits_(limits),
      clock_(clock),
      surroundings_(surroundings),
      trials_(system, schedule_) {}

Exploration Explorer::run(Exploration so_far) {
  exploration_ = std::move(so_far);
  exploration_.position.reset();
  exploration_.strategy = strategy_.name();
  ledger_ = BugLedger(std::move(exploration_.bugs));
  Counts& counts = exploration_.counts;
  const std::uint64_t executions_before = counts.executions + counts.abandoned;
  const std::size_t bugs_before = ledger_.bugs().size();
  seconds_before_ = next_estimate_ = counts.seconds;
  start_ = clock_.seconds();
  next_keeping_ = seconds_before_ + surroundings_.keeping.first;
  system_.set_descriptions(Descriptions::kOff);
  strategy_.begin_search(*this);
  strategy_.interrupt_by([this](std::uint64_t steps) {
    if (surroundings_.listener != nullptr) surroundings_.listener->on_long_work(steps);
    long_work_ += steps;
    return long_work_ >= kLongWork && is_told_to_stop();
  });
  while (true) {
    long_work_ = 0;
    const std::optional<Plan> plan = strategy_.next_execution();
    if (strategy_.has_given_up()) break;
    if (!plan) {
      exploration_.stop = Stop::kComplete;
      break;
    }
    if (limits_.executions &&
        counts.executions + counts.abandoned - executions_before >= *limits_.executions) {
      exploration_.stop = Stop::kExecutionBudget;
      break;
    }
    if (should_stop()) break;
    keep_if_due();
    begin_as(*plan);
    next_look_ = std::min<std::size_t>(kFirstLook, limits_.events_max);
    while (next_look_ <= schedule_.size() && next_look_ < limits_.events_max)
      next_look_ = std::min<std::size_t>(next_look_ * kLookFactor, limits_.events_max);
    const Ending ending = execute();
    if (ending == Ending::kStopped) break;
    end_execution(ending);
    if (exploration_.refusal) {
      exploration_.stop = Stop::kUnsupported;
      break;
    }
    if (ledger_.bugs().size() > bugs_before && limits_.after_bug == AfterBug::kStop) {
      exploration_.stop = Stop::kFirstBug;
      break;
    }
    if (unfinished_events_ > limits_.unfinished_events_max) {
      exploration_.stop = Stop::kTooLong;
      break;
    }
    if (surroundings_.listener != nullptr && surroundings_.listener->ends_search()) {
      exploration_.stop = Stop::kInterrupted;
      break;
    }
  }
  strategy_.interrupt_by(nullptr);
  while (!snapshots_.empty()) drop_last_snapshot();
  for (const std::optional<Kept>& kept : kept_)
    if (kept && kept->snapshot) system_.release(*kept->snapshot);
  kept_.clear();
  free_kept_.clear();
  exploration_.bugs = ledger_.take();
  counts.seconds = seconds_before_ + clock_.seconds() - start_;
  counts.coverage = strategy_.coverage();
  counts.coverage.is_complete = counts.coverage.is_complete && exploration_.stop == Stop::kComplete;
  counts.executions_estimate.reset();
  exploration_.promise = strategy_.promise();
  add_places(exploration_.assumed, system_.assumed());
  if (is_interruption(exploration_.stop)) {
    counts.executions_estimate = strategy_.executions_estimate();
    PositionWriter writer;
    if (!strategy_.has_given_up() && strategy_.write_position(writer)) exploration_.position = writer.bytes();
  }
  return std::move(exploration_);
}

std::vector<Transition> Explorer::schedule() const {
  std::vector<Transition> schedule;
  for (const TakenStep& taken : schedule_) schedule.push_back(taken.transition);
  return schedule;
}

void Explorer::begin_as(const Plan& plan) {
  if (plan.from) {
    const auto index = static_cast<std::size_t>(*plan.from);
    CHECK_MESSAGE(index < kept_.size() && kept_[index], "a plan begins at a state that is kept");
    go_to(*kept_[index]);
  } else {
    trials_.end(plan.keep);
    rewind(plan.keep);
  }
  planned_ = plan.then;
}

void Explorer::rewind(std::size_t keep) {
  CHECK(keep <= schedule_.size());
  drop_snapshots_after(keep);
  std::size_t depth = 0;
  if (snapshots_.empty()) {
    system_.reset();
  } else {
    system_.restore(snapshots_.back().snapshot);
    depth = snapshots_.back().depth;
  }
  step_again(depth, keep);
  expected_enabled_ = keep < schedule_.size() ? schedule_[keep].enabled : 0;
  schedule_.resize(keep);
}

void Explorer::go_to(const Kept& kept) {
  const auto is_same = [](const TakenStep& one, const TakenStep& other) {
    return one.transition == other.transition;
  };
  const std::vector<TakenStep>& steps = kept.steps;
  const auto common =
      static_cast<std::size_t>(std::ranges::mismatch(schedule_, steps, is_same).in1 - schedule_.begin());
  if (kept.snapshot) {
    drop_snapshots_after(common);
    system_.restore(*kept.snapshot);
  } else {
    trials_.end(common);
    rewind(common);
  }
  expected_enabled_ = 0;
  schedule_ = steps;
  if (!kept.snapshot) step_again(common, steps.size());
}

KeptState Explorer::keep_state() {
  Kept kept = {.steps = schedule_,
               .snapshot = system_.parts().whole_snapshots ? system_.save() : std::nullopt};
  if (free_kept_.empty()) {
    kept_.push_back(std::move(kept));
    return static_cast<KeptState>(kept_.size() - 1);
  }
  const std::uint32_t index = free_kept_.back();
  free_kept_.pop_back();
  kept_[index] = std::move(kept);
  return static_cast<KeptState>(index);
}

void Explorer::forget_state(KeptState state) {
  const auto index = static_cast<std::uint32_t>(state);
  CHECK(index < kept_.size() && kept_[index]);
  if (kept_[index]->snapshot) system_.release(*kept_[index]->snapshot);
  kept_[index].reset();
  free_kept_.push_back(index);
}

void Explorer::drop_last_snapshot() {
  system_.release(snapshots_.back().snapshot);
  snapshots_.pop_back();
}

void Explorer::drop_snapshots_after(std::size_t depth) {
  while (!snapshots_.empty() && snapshots_.back().depth > depth) drop_last_snapshot();
}

std::uint32_t Explorer::planned_step(std::span<const Transition> enabled) {
  const auto place = std::ranges::find(enabled, planned_.front());
  CHECK_MESSAGE(place != enabled.end(), "the steps of a plan can be taken");
  planned_ = planned_.subspan(1);
  return static_cast<std::uint32_t>(place - enabled.begin());
}

void Explorer::step_again(std::size_t from, std::size_t to) {
  for (std::size_t depth = from; depth < to; ++depth) {
    const TakenStep& taken = schedule_[depth];
    const std::span<const Transition> enabled = system_.enabled();
    CHECK_MESSAGE(enabled.size() == taken.enabled && enabled[taken.index] == taken.transition,
                  kNondeterminism);
    system_.step(taken.transition);
    ++exploration_.counts.events;
    if (until_look_ > 0) --until_look_;
  }
}

Explorer::Ending Explorer::execute() { return execute_on(system_); }

void Explorer::keep_or_release_snapshot(std::size_t alternatives, Return may_return) {
  const std::size_t depth = schedule_.size();
  const bool saved = !snapshots_.empty() && snapshots_.back().depth == depth;
  const bool is_close = !snapshots_.empty() && depth - snapshots_.back().depth < kStepsBetweenSnapshots;
  const bool wanted = alternatives > 1 && (may_return == Return::kMaybe ||
                                           (may_return == Return::kSeldom && (saved || !is_close)));
  if (wanted && !saved) {
    if (const std::optional<Snapshot> snapshot = system_.save()) snapshots_.push_back({depth, *snapshot});
  } else if (!wanted && saved) {
    drop_last_snapshot();
  }
}

std::optional<Explorer::Ending> Explorer::look_at_length() {
  const bool is_at_bound = schedule_.size() >= limits_.events_max;
  next_look_ = std::min<std::size_t>(schedule_.size() * kLookFactor, limits_.events_max);
  const bool is_due = looks_in_vain_ < kLooksInVain || ++looks_skipped_ % kLooksInVain == 0;
  if (limits_.long_executions == LongExecutions::kCutOff && is_due) {
    find_round();
    if (const auto& round = round_finder_->round())
      return round->is_fair ? Ending::kFairRound : Ending::kUnfairRound;
    ++looks_in_vain_;
  }
  return is_at_bound ? std::optional(Ending::kEventBound) : std::nullopt;
}

// Takes the steps of the execution once more; so the System is where it was.
void Explorer::find_round() {
  round_finder_.emplace();
  const std::size_t length = schedule_.size();
  round_from_ = length - std::min(length, kStatesCompared);
  system_.reset();
  if (!system_.fingerprint()) return step_again(0, length);
  step_again(0, round_from_);
  round_finder_->note(system_, std::nullopt);
  for (std::size_t depth = round_from_; depth < length; ++depth) {
    step_again(depth, depth + 1);
    round_finder_->note(system_, schedule_[depth].transition.actor);
  }
}

void Explorer::note_cut_off(Ending ending) {
  Counts& counts = exploration_.counts;
  ++counts.cut_off;
  // An execution that went on after a bug is told up to there, as if it had not been cut off.
  if (system_.events_to_bug()) return record_bug(system_.bug(), *system_.events_to_bug());
  if (limits_.long_executions == LongExecutions::kBug)
    return record_bug(event_bound_bug(limits_.events_max), schedule_.size());
  if (limits_.long_executions == LongExecutions::kIgnored) return;
  ++counts.unfinished;
  if (ending == Ending::kUnfairRound) ++counts.unfair;
  unfinished_events_ += schedule_.size();
}

void Explorer::end_execution(Ending ending) {
  Counts& counts = exploration_.counts;
  counts.events_max = std::max<std::uint64_t>(counts.events_max, schedule_.size());
  const bool is_cut_off = ending == Ending::kEventBound || ending == Ending::kUnfairRound;
  const Outcome outcome_of_cut =
      limits_.long_executions == LongExecutions::kBug ? Outcome::kBug : Outcome::kFinished;
  const Outcome outcome = ending == Ending::kOutcome     ? system_.outcome()
                          : ending == Ending::kFairRound ? Outcome::kBug
                          : is_cut_off                   ? outcome_of_cut
                                                         : Outcome::kRunning;
  const Novelty novelty = strategy_.end_execution(outcome);
  if (novelty == Novelty::kKnown) {
    // Counted before the search was interrupted.
  } else if (ending == Ending::kAbandoned || novelty == Novelty::kDiscarded) {
    ++counts.abandoned;
  } else if (novelty == Novelty::kRepeated) {
    ++counts.redundant;
  } else {
    ++counts.executions;
    note_unreceived(ending);
    if (is_cut_off) {
      note_cut_off(ending);
    } else if (ending == Ending::kFairRound) {
      if (system_.events_to_bug()) {
        record_bug(system_.bug(), *system_.events_to_bug());
      } else {
        record_bug(livelock_bug(system_, *round_finder_), round_from_ + round_finder_->round()->end);
      }
    } else if (outcome == Outcome::kBug && !is_last_bug_again()) {
      record_bug(system_.bug(), system_.events_to_bug().value_or(schedule_.size()));
    }
  }
  if (outcome == Outcome::kUnsupported) exploration_.refusal = system_.refusal();
}

void Explorer::note_unreceived(Ending ending) {
  if (schedule_.empty() || schedule_.back().unreceived <= 0) return;
  std::optional<UnreceivedMessages>& noted = exploration_.unreceived;
  const bool is_complete = ending == Ending::kOutcome && !system_.stops_others();
  if (!noted) noted.emplace();
  ++noted->executions;
  if (noted->messages > 0 && (noted->is_complete || !is_complete)) return;
  noted->is_complete = is_complete;
  noted->messages = static_cast<std::uint64_t>(schedule_.back().unreceived);
  noted->schedule = schedule();
}

Simplicity Explorer::simplicity_until(std::size_t length) const {
  Simplicity simplicity{.preemptions = length == 0 ? 0 : schedule_[length - 1].preemptions, .events = length};
  for (std::size_t i = 0; i < length; ++i) {
    const TransitionKind kind = schedule_[i].transition.kind;
    simplicity.faults += kind == TransitionKind::kFault ? 1 : 0;
    simplicity.early += kind == TransitionKind::kEarly ? 1 : 0;
  }
  return simplicity;
}

FoundBug* Explorer::note_bug(const Bug& bug, const Simplicity& simplicity) {
  FoundBug* const found = ledger_.note(bug, simplicity, exploration_.counts.executions);
  exploration_.counts.bugs = ledger_.bugs().size();
  if (found != nullptr) found->bounds = strategy_.bounds();
  return found;
}

// Counts an execution that fails in the way of the one before, as most of those that fail do, if there is no
// more to tell of it.
bool Explorer::is_last_bug_again() {
  FoundBug* const last = ledger_.last();
  if (last == nullptr || system_.events_to_bug()) return false;
  const Simplicity simplicity = simplicity_until(schedule_.size());
  if (simplicity < BugLedger::simplicity(*last) || !system_.is_bug(last->bug)) return false;
  ++exploration_.counts.erroneous;
  ++last->executions;
  return true;
}

void Explorer::record_bug(Bug bug, std::size_t length) {
  ++exploration_.counts.erroneous;
  // One that went on after its bug is told up to there.
  length = std::min(schedule_.size(), length);
  FoundBug* const found = note_bug(bug, simplicity_until(length));
  std::vector<FoundBug> to_tell;
  if (found != nullptr) {
    for (std::size_t i = 0; i < length; ++i) found->schedule.push_back(schedule_[i].transition);
    to_tell.push_back(*found);
  }
  const bool has_left = record_later_bugs(to_tell);
  // The listener may step the System.
  if (surroundings_.listener != nullptr)
    for (const FoundBug& told : to_tell) surroundings_.listener->on_bug(told);
  if (has_left || !to_tell.empty()) return_to_execution();
}

// What a System notes of its execution besides its state is no part of a snapshot: it must have been in this
// execution last when a snapshot of it is restored.
void Explorer::return_to_execution() {
  // Whether a bug is told depends on what was found before; how many events a search has does not.
  const std::uint64_t events = exploration_.counts.events;
  system_.reset();
  step_again(0, schedule_.size());
  exploration_.counts.events = events;
}

// A later bug is one of its own if it does not depend on the first: then it happens first in an execution
// that begins with its causes alone. Returns whether the System has left the execution for that.
bool Explorer::record_later_bugs(std::vector<FoundBug>& to_tell) {
  if (system_.outcome() != Outcome::kBug) return false;
  bool has_left = false;
  const std::vector<LaterBug> later_bugs = system_.later_bugs();
  if (later_bugs.empty()) return false;
  std::vector<std::size_t> failed = {system_.events_to_bug().value_or(schedule_.size()) - 1};
  for (const LaterBug& later : later_bugs) {
    const auto causes = strategy_.causes_of(later.events - 1);
    const bool is_alone = causes && std::ranges::none_of(failed, [&](std::size_t event) {
                            return std::ranges::binary_search(*causes, event);
                          });
    failed.push_back(later.events - 1);
    if (!is_alone) continue;
    std::vector<Transition> schedule;
    for (const std::size_t event : *causes) schedule.push_back(schedule_[event].transition);
    if (FoundBug* const known = ledger_.find(later.bug)) {
      ++known->executions;
      continue;
    }
    has_left = true;
    const std::optional<std::uint32_t> preemptions = preemptions_to(later.bug, schedule);
    if (!preemptions) continue;
    FoundBug* const found = note_bug(later.bug, {.faults = count_faults(schedule),
                                                 .early = count_early(schedule),
                                                 .preemptions = *preemptions,
                                                 .events = schedule.size()});
    found->schedule = std::move(schedule);
    to_tell.push_back(*found);
  }
  return has_left;
}

// Runs the schedule as whoever is told of it will: it has to end with this bug and not before. Nothing: it
// does not. Leaves the System somewhere else.
std::optional<std::uint32_t> Explorer::preemptions_to(const Bug& bug, std::span<const Transition> schedule) {
  std::uint32_t preemptions = 0;
  std::optional<ActorId> previous;
  system_.set_descriptions(Descriptions::kOn);
  system_.reset();
  bool is_possible = true;
  for (const Transition& transition : schedule) {
    is_possible =
        system_.outcome() == Outcome::kRunning && std::ranges::count(system_.enabled(), transition) > 0;
    if (!is_possible) break;
    if (preempts(previous, system_.enabled(), transition.actor)) ++preemptions;
    previous = transition.actor;
    system_.step(transition);
  }
  const bool is_there = is_possible && system_.outcome() == Outcome::kBug && system_.bug().is_same(bug);
  system_.set_descriptions(Descriptions::kOff);
  return is_there ? std::optional(preemptions) : std::nullopt;
}

bool Explorer::look_outside() {
  until_look_ = kEventsPerLook;
  if (is_told_to_stop()) return true;
  if (surroundings_.listener != nullptr) {
    Counts& counts = exploration_.counts;
    counts.coverage = strategy_.coverage();
    counts.coverage.is_complete = false;
    if (counts.seconds >= next_estimate_) {
      next_estimate_ = counts.seconds + kSecondsBetweenEstimates;
      counts.executions_estimate = strategy_.executions_estimate();
    }
    surroundings_.listener->on_progress(counts);
  }
  return false;
}

void Explorer::keep_if_due() {
  Counts& counts = exploration_.counts;
  if (!surroundings_.keep) return;
  std::atomic<bool>* const asked = surroundings_.keep_now;
  const bool is_asked = asked != nullptr && asked->load(std::memory_order_relaxed) && asked->exchange(false);
  if (!is_asked && counts.seconds < next_keeping_) return;
  PositionWriter writer;
  if (strategy_.write_position(writer)) {
    Exploration now = exploration_;
    now.bugs = ledger_.bugs();
    now.stop = Stop::kInterrupted;
    now.counts.coverage = strategy_.coverage();
    now.counts.coverage.is_complete = false;
    now.counts.executions_estimate = strategy_.executions_estimate();
    now.promise = strategy_.promise();
    add_places(now.assumed, system_.assumed());
    now.position = writer.bytes();
    surroundings_.keep(now);
  }
  next_keeping_ = seconds_before_ + clock_.seconds() - start_ + surroundings_.keeping.between;
}

bool Explorer::is_told_to_stop() {
  Counts& counts = exploration_.counts;
  counts.seconds = seconds_before_ + clock_.seconds() - start_;
  if (surroundings_.interrupt != nullptr && surroundings_.interrupt->load(std::memory_order_relaxed)) {
    exploration_.stop = Stop::kInterrupted;
    return true;
  }
  if (limits_.seconds && counts.seconds - seconds_before_ >= *limits_.seconds) {
    exploration_.stop = Stop::kTimeBudget;
    return true;
  }
  if (limits_.memory && surroundings_.held_memory != nullptr && counts.seconds >= next_memory_look_) {
    next_memory_look_ = counts.seconds + kSecondsBetweenMemoryLooks;
    if (surroundings_.held_memory(*limits_.memory) > *limits_.memory) {
      exploration_.stop = Stop::kMemoryBudget;
      return true;
    }
  }
  return false;
}

}  // namespace ravel
