#include "threads/search/adaptive_search.h"

#include <algorithm>
#include <atomic>
#include <string>
#include <string_view>
#include <utility>

#include "base/check.h"
#include "base/clock.h"
#include "base/hash.h"
#include "engine/position.h"
#include "strategy/bug_bounds.h"
#include "strategy/catalogue.h"
#include "threads/search/noted_steps.h"
#include "threads/search/race_point.h"
#include "threads/search/variable_names.h"

namespace ravel::threads {

namespace {

// Before a complete search, races are looked for in so many random executions, and until so many have shown no new one.
constexpr std::uint64_t kSurveyMax = 200;
constexpr std::uint64_t kSurveyQuiet = 20;
// Of a budget of time.
constexpr double kSurveyShare = 0.25;

// When a race shows, so many executions begin where it did. One that shows early is likely to show again, and
// needs none: they are no more than a quarter of those before.
constexpr std::uint64_t kFollowUpsMax = 16;

// How long its executions may be.
constexpr std::uint64_t kSurveyEventsMax = 10'000;

// What is known of both, and of the later one what is about the whole search.
Counts sum(const Counts& before, const Counts& later) {
  Counts counts = later;
  counts.executions += before.executions;
  counts.redundant += before.redundant;
  counts.abandoned += before.abandoned;
  counts.cut_off += before.cut_off;
  counts.unfinished += before.unfinished;
  counts.unfair += before.unfair;
  counts.events += before.events;
  counts.events_max = std::max(counts.events_max, before.events_max);
  counts.erroneous += before.erroneous;
  return counts;
}

// Ends the explorer's run if something outside wants that, or if new races make it pointless: a complete
// search at once, a sampling one behind the execution that shows them.
class Reporter final : public Listener {
 public:
  Reporter(const Watch& watch, SearchedProgram& program, const Counts& before, std::atomic<bool>& stop)
      : watch_(watch), program_(program), before_(before), stop_(stop) {}

  void on_progress(const Counts& counts) override {
    if ((stops_at_race && program_.has_new_racy_words()) || program_.needs_fairness()) stop_ = true;
    if (!watch_(sum(before_, counts))) stop_ = interrupted = true;
  }
  bool ends_search() override { return stops_behind_race && program_.has_new_racy_words(); }

  bool stops_at_race = false, stops_behind_race = false;
  bool interrupted = false;

 private:
  const Watch& watch_;
  SearchedProgram& program_;
  const Counts& before_;
  std::atomic<bool>& stop_;
};

// Keeps the raw form of each bug, which the engine's form of it does not hold.
class RawBugs final : public Listener {
 public:
  RawBugs(const SearchedProgram& program, Listener& next) : program_(program), next_(next) {}

  void on_progress(const Counts& counts) override { next_.on_progress(counts); }
  bool ends_search() override { return next_.ends_search(); }
  void on_bug(const FoundBug& found) override {
    RawBug raw = program_.raw_bug();
    if (found.bug.kind == "event_bound") raw = {.kind = found.bug.kind, .message = found.bug.message, .file = {}, .stack = {}, .details = {}};
    const std::string key = found.bug.key();
    const auto place = std::ranges::find(keys_, key);
    if (place == keys_.end()) {
      keys_.push_back(key);
      bugs_.push_back(std::move(raw));
    } else {
      bugs_[static_cast<std::size_t>(place - keys_.begin())] = std::move(raw);
    }
    next_.on_bug(found);
  }
  const RawBug& of(const FoundBug& found) const {
    const auto place = std::ranges::find(keys_, found.bug.key());
    CHECK(place != keys_.end());
    return bugs_[static_cast<std::size_t>(place - keys_.begin())];
  }

 private:
  const SearchedProgram& program_;
  Listener& next_;
  std::vector<std::string> keys_;
  std::vector<RawBug> bugs_;
};

class Search {
 public:
  Search(SearchedProgram& program, const SearchOrder& order, const Watch& watch)
      : program_(program), order_(order), reporter_(watch, program, before_, stop_) {}

  Searched run() {
    Searched searched;
    const bool adapts = this->adapts();
    start_ = clock_.seconds();
    if (order_.position) {
      before_ = order_.so_far;
    } else if (adapts && !samples() && !program_.configuration().races_are_bugs) {
      survey();
    }
    reporter_.stops_at_race = adapts && !samples();
    reporter_.stops_behind_race = adapts && samples();
    // Reduction orders whatever matters by itself. That a thread stands back for others depends on all of them. Where time follows
    // deadlines, or may pass early, what a thread waits for may keep another one from going on, which no touch of that one tells.
    const Configuration& configuration = program_.configuration();
    if (!order_.position && order_.strategy == "dpor" && !order_.bound && !configuration.spurious && !configuration.follows_deadlines &&
        !configuration.fires_early)
      set_fair(false);
    while (true) {
      if (!order_.prefix.steps.empty()) {
        prefix_ = find_prefix(program_, order_.prefix);
        if (prefix_.missing) {
          searched.prefix_missing = prefix_.missing;
          return searched;
        }
      }
      const bool is_last = pass(searched);
      if (is_last) break;
      ++searched.passes;
    }
    searched.tracked = program_.configuration().tracked;
    searched.is_fair = program_.configuration().is_fair;
    searched.findings = program_.findings();
    searched.counts.seconds = order_.so_far.seconds + clock_.seconds() - start_;
    return searched;
  }

 private:
  // A sampling search promises nothing that new operations in its middle would break.
  bool samples() const { return is_sampling(order_.strategy); }

  VariableOf variables() const { return program_.configuration().names_blocks ? variables_of(program_, order_.naming) : VariableOf(); }

  // If a race is a bug, there is no execution behind one to care for; then this is for the state of the C library only.
  bool adapts() const { return program_.configuration().accesses == AccessOperations::kRacy; }

  void set_fair(bool is_fair) {
    Configuration configuration = program_.configuration();
    configuration.is_fair = is_fair;
    program_.configure(configuration);
  }

  bool adopt_new_words() {
    std::vector<std::uint64_t> words = program_.take_new_racy_words();
    if (words.empty()) return false;
    Configuration configuration = program_.configuration();
    configuration.tracked.insert(configuration.tracked.end(), words.begin(), words.end());
    program_.configure(configuration);
    return true;
  }

  // What it finds is not told: the search proper finds it as well, in the order that it promises.
  void survey() {
    std::uint64_t quiet = 0;
    for (std::uint64_t i = 0; i < kSurveyMax && quiet < kSurveyQuiet; ++i) {
      const auto strategy = make_strategy("random", {.seed = combine(order_.seed, i), .executions = 1});
      CHECK(strategy.ok());
      Limits limits = {.seconds = {}, .executions = {}, .memory = {}, .events_max = std::min(order_.events_max, kSurveyEventsMax), .interrupt = &stop_};
      if (order_.seconds) limits.seconds = std::max(0.0, *order_.seconds * kSurveyShare - (clock_.seconds() - start_));
      const Exploration exploration = program_.make_explorer(**strategy, limits, clock_, &reporter_)->run();
      if (reporter_.interrupted || exploration.stop == Stop::kTimeBudget) return;
      quiet = adopt_new_words() ? 0 : quiet + 1;
      // Others would take seconds as well, and what is refused ends the search.
      const System& system = program_.system();
      if (system.outcome() == Outcome::kUnsupported) return;
      if (system.outcome() == Outcome::kBug && system.bug().kind == "no_progress") return;
    }
  }

  std::optional<MemoryBudget> memory_budget() const {
    if (!order_.memory) return std::nullopt;
    return MemoryBudget{.bytes = *order_.memory, .held = program_.held_memory()};
  }

  // Behind the prefix that all executions have. A point within that is none to begin at.
  FollowUp take_follow_up() {
    FollowUp follow_up = std::exchange(follow_up_, {});
    const std::vector<Transition>& prefix = prefix_.transitions;
    std::vector<Transition>& steps = follow_up.steps;
    if (steps.size() <= prefix.size() || !std::equal(prefix.begin(), prefix.end(), steps.begin())) return {};
    steps.erase(steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(prefix.size()));
    return follow_up;
  }

  // One run of the strategy. False if it has to be run again.
  bool pass(Searched& searched) {
    stop_ = reporter_.interrupted;
    const std::string from = std::exchange(position_, {});
    StrategyOptions options{.seed = order_.seed,
                            .bound = order_.bound,
                            .depth = order_.depth,
                            .variables = order_.variables,
                            .iterations = order_.iterations,
                            .variable_of = variables(),
                            .whole_of = wholes_of(program_, order_.naming.arrays),
                            .threads = order_.threads};
    options.waits_unseen = program_.configuration().is_fair;
    options.early = order_.early;
    options.prefix = prefix_.transitions;
    options.executions = order_.strategy_executions;
    options.follow_up = take_follow_up();
    // A sampling search is looked at after 1, 2, 4, ... executions, so that it soon goes by the races that its first ones show.
    const bool in_parts = samples() && adapts() && !order_.executions;
    Result<std::unique_ptr<Strategy>> strategy = make_strategy(order_.strategy, options);
    CHECK(strategy.ok());
    if (!from.empty()) {
      PositionReader position(from);
      if (!(*strategy)->read_position(position, program_.system()) || !position.is_complete()) {
        searched.is_lost = true;
        return true;
      }
    }
    // What a complete search has done with fewer operations counts no more.
    if (!samples() && from.empty()) before_ = {};
    Limits limits{.seconds = {},
                  .executions = {},
                  .memory = memory_budget(),
                  .events_max = order_.events_max,
                  .long_executions = order_.long_executions,
                  .after_bug = order_.keeps_going ? AfterBug::kKeepGoing : AfterBug::kStop,
                  .interrupt = &stop_};
    // A budget is for what is done now.
    const std::uint64_t done = before_.executions - std::min(before_.executions, order_.so_far.executions);
    if (order_.executions) limits.executions = *order_.executions - std::min(*order_.executions, done);
    RawBugs raw(program_, reporter_);
    const std::vector<std::uint64_t> tracked = program_.configuration().tracked;
    Exploration exploration;
    bool grew = false;
    for (std::uint64_t part = 1;; part *= 2) {
      if (in_parts) limits.executions = part;
      if (order_.seconds) limits.seconds = std::max(0.0, *order_.seconds - (clock_.seconds() - start_));
      const std::unique_ptr<Explorer> explorer = program_.make_explorer(**strategy, limits, clock_, &raw);
      exploration = explorer->run();
      const bool is_part = in_parts && exploration.stop == Stop::kExecutionBudget;
      grew = adapts() && adopt_new_words();
      const bool needs_fairness = program_.needs_fairness();
      const bool may_go_on = !reporter_.interrupted && exploration.stop != Stop::kTimeBudget &&
                             exploration.stop != Stop::kMemoryBudget && exploration.stop != Stop::kTooLong && exploration.stop != Stop::kUnsupported && (is_part || exploration.stop != Stop::kExecutionBudget);
      if (!samples()) {
        if (needs_fairness && may_go_on) set_fair(true);
        if ((grew || needs_fairness) && may_go_on) return false;
        keep_bugs(searched, exploration, raw, tracked);
        break;
      }
      keep_bugs(searched, exploration, raw, tracked);
      // With more operations there may be more to choose.
      const bool was_only_schedule = exploration.stop == Stop::kComplete && exploration.counts.coverage.kind == Coverage::Kind::kAllSchedules;
      const bool was_stopped = is_part || (grew && (exploration.stop == Stop::kInterrupted || was_only_schedule));
      if (!was_stopped || !may_go_on) break;
      before_ = sum(before_, exploration.counts);
      if (grew) {
        // What was learned of the program is not what it does with more operations, but near to that.
        PositionWriter position;
        if ((*strategy)->write_position(position)) position_ = position.bytes();
        const std::uint64_t follow_ups = std::min(kFollowUpsMax, before_.executions / 4);
        if (exploration.stop == Stop::kInterrupted && follow_ups > 0)
          follow_up_ = {.steps = find_race_point(program_, explorer->schedule(), tracked),
                        .executions = follow_ups};
        return false;
      }
    }
    searched.strategy = exploration.strategy;
    searched.stop = exploration.stop;
    searched.counts = sum(before_, exploration.counts);
    searched.promise = exploration.promise;
    searched.position = std::move(exploration.position);
    // New races have shown, with which a complete search begins anew.
    if (searched.position && grew && !samples()) searched.position->clear();
    if (exploration.refusal) {
      RawRefusal refusal = program_.raw_refusal();
      searched.refusal = std::move(refusal.message);
      searched.refused_at = std::move(refusal.stack);
    }
    return true;
  }

  void keep_bugs(Searched& searched, const Exploration& exploration, const RawBugs& raw,
                 const std::vector<std::uint64_t>& tracked) const {
    for (const FoundBug& found : exploration.bugs) {
      std::optional<BugBounds> bounds = found.bounds;
      // What the schedule needs is less, as a rule, than what was tried.
      if (bounds) bounds = measure_bounds(program_.system(), found.schedule, variables()).value_or(*bounds);
      searched.bugs.push_back({.schedule = found.schedule,
                               .bug = raw.of(found),
                               .preemptions = found.preemptions,
                               .executions = found.executions,
                               .first_execution = found.first_execution + before_.executions,
                               .bounds = bounds,
                               .tracked = tracked});
    }
  }

  SearchedProgram& program_;
  const SearchOrder& order_;
  SteadyClock clock_;
  std::atomic<bool> stop_ = false;
  Counts before_;  // of executions that count, before those of the explorer that runs
  std::string position_ = order_.position.value_or("");  // where the next pass begins; empty: at the beginning
  FoundPrefix prefix_;
  FollowUp follow_up_;  // of the next pass
  Reporter reporter_;
  double start_ = 0;
};

}  // namespace

Searched search(SearchedProgram& program, const SearchOrder& order, const Watch& watch) {
  return Search(program, order, watch).run();
}

}  // namespace ravel::threads
