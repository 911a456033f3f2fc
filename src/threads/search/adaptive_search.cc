#include "threads/search/adaptive_search.h"

#include <algorithm>
#include <atomic>
#include <string>
#include <utility>

#include "base/check.h"
#include "base/clock.h"
#include "base/hash.h"
#include "engine/divisible.h"
#include "engine/position.h"
#include "parts/search_in_parts.h"
#include "strategy/bug_bounds.h"
#include "strategy/catalogue.h"
#include "threads/search/noted_steps.h"
#include "threads/search/race_point.h"
#include "threads/search/run_in_parts.h"
#include "threads/search/search_listeners.h"
#include "threads/search/turns.h"
#include "threads/search/variable_names.h"
#include "threads/search/visit_states.h"

namespace ravel::threads {

namespace {

// Before a complete search, races are looked for in so many random executions, and until so many have shown
// no new one.
constexpr std::uint64_t kSurveyMax = 200;
constexpr std::uint64_t kSurveyQuiet = 20;
// The part of a budget of time.
constexpr double kSurveyShare = 0.25;

// When a race shows, so many executions begin where it did. A race that shows early is likely to show again,
// and needs none: they are no more than a quarter of those before.
constexpr std::uint64_t kFollowUpsMax = 16;

// How long its executions may be.
constexpr std::uint64_t kSurveyEventsMax = 10'000;
// Before a search by states, which may be of a program without an end.
constexpr std::uint64_t kSurveyEventsByStates = 1'000;

class Search {
 public:
  Search(SearchedProgram& program, const SearchOrder& order, const SearchJobs& jobs, const Watch& watch)
      : program_(program),
        order_(order),
        jobs_(jobs),
        watch_(watch),
        reporter_(watch, program, before_, stop_) {}

  // Of the search that was run.
  const PartsEnd& parts_end() const { return parts_end_; }

  Searched run() {
    Searched searched;
    const bool adapts = this->adapts();
    start_ = clock_.seconds();
    next_keeping_ = start_ + order_.keeping.first;
    if (request_.so_far) {
      before_ = request_.so_far->counts;
    } else if (adapts && !samples() && !program_.configuration().races_are_bugs) {
      survey();
    }
    // The first execution of a process leaves behind what no other one finds anew, as what libraries have set
    // up, so its states would be others.
    if (by_states()) run_at_random(0);
    reporter_.stops_at_race = adapts && !samples();
    reporter_.stops_behind_race = adapts && samples();
    // Reduction orders whatever matters by itself. That a thread stands back for others depends on all of
    // them. Where time follows deadlines, or may pass early, what a thread waits for may keep another one
    // from going on, which no touch of that one tells.
    const Configuration& configuration = program_.configuration();
    if (!request_.so_far && find_strategy(request_.strategy)->traits.compares_executions &&
        !request_.parameters.bound && !configuration.spurious && !configuration.follows_deadlines &&
        !configuration.fires_early)
      set_fair(false);
    if (by_states()) set_by_states();
    if (!program_.configuration().is_fair) program_.know(loops_);
    while (true) {
      if (!request_.prefix.empty()) {
        prefix_ = find_prefix(program_, request_.prefix, order_.tracked);
        if (prefix_.missing) {
          searched.prefix_missing = prefix_.missing;
          return searched;
        }
      }
      const bool is_last = by_states()                      ? pass_by_states(searched)
                           : request_.in_turns_with.empty() ? pass(searched)
                                                            : pass_in_turns(searched);
      if (is_last) break;
      ++searched.passes;
    }
    complete(searched);
    if (jobs_.jobs > 1 && !by_states()) parts_end_.why_undivided = why_undivided(request_.strategy);
    return searched;
  }

 private:
  // A sampling search promises nothing that new operations in its middle would break. One that visits states
  // first does.
  bool samples() const { return find_strategy(request_.strategy)->traits.samples && !by_states(); }

  // What is to be told of the program besides the result.
  void complete(Searched& searched) {
    note_loops();
    searched.loops = loops_;
    searched.tracked = program_.configuration().tracked;
    searched.is_fair = program_.configuration().is_fair;
    searched.findings = program_.findings();
    const double seconds_before = request_.so_far ? request_.so_far->counts.seconds : 0;
    searched.result.counts.seconds = seconds_before + clock_.seconds() - start_;
  }

  // What will make the explorer's run pointless has shown, so that its position is none to go on from.
  bool is_out_of_date() const {
    return (adapts() && program_.has_new_racy_words()) || program_.needs_fairness();
  }
  // So much is not lost if the process is killed.
  void keep(Searched kept) {
    kept.result.stop = Stop::kInterrupted;
    complete(kept);
    watch_.keep(kept);
    next_keeping_ = clock_.seconds() + order_.keeping.between;
  }
  bool is_keeping_due() { return watch_.keep && clock_.seconds() >= next_keeping_; }
  // Explorers say themselves where they are, but each run of one may be short.
  void keep_between_passes(const Searched& searched, const std::string& strategy) {
    if (!is_keeping_due()) return;
    // A position has no follow-up, so this one would be lost. The next explorer may soon say where it is.
    if (follow_up_.executions > 0 && clock_.seconds() < next_keeping_ + order_.keeping.between) return;
    Searched kept = searched;
    kept.result.strategy = strategy;
    kept.result.counts = before_;
    kept.result.position = position_;
    keep(std::move(kept));
  }

  bool by_states() const { return find_strategy(request_.strategy)->traits.by_states.has_value(); }
  void set_by_states() {
    Configuration configuration = program_.configuration();
    configuration.by_states = true;
    program_.configure(configuration);
  }

  VariableOf variables() const {
    return program_.configuration().names_blocks ? variables_of(program_, order_.naming) : VariableOf();
  }

  // If a race is a bug, there is no execution after one to care for; then this is for the state of the C
  // library only.
  bool adapts() const { return program_.configuration().accesses == AccessOperations::kRacy; }

  void set_fair(bool is_fair) {
    Configuration configuration = program_.configuration();
    configuration.is_fair = is_fair;
    note_loops();
    program_.configure(configuration);
    if (!is_fair) program_.know(loops_);
  }
  // What was seen without fairness is not forgotten with it.
  void note_loops() {
    if (!program_.configuration().is_fair) loops_ = program_.loop_uses();
  }

  bool adopt_new_words() {
    std::vector<std::uint64_t> words = program_.take_new_racy_words();
    if (words.empty()) return false;
    loops_ = {};  // with more operations loops may be others
    Configuration configuration = program_.configuration();
    configuration.tracked.insert(configuration.tracked.end(), words.begin(), words.end());
    program_.configure(configuration);
    return true;
  }

  // What it finds is not told: the search proper finds it as well, in the order that it promises.
  void survey() {
    std::uint64_t quiet = 0;
    for (std::uint64_t i = 0; i < kSurveyMax && quiet < kSurveyQuiet; ++i) {
      const Exploration exploration = run_at_random(i);
      if (reporter_.interrupted || exploration.stop == Stop::kTimeBudget) return;
      quiet = adopt_new_words() ? 0 : quiet + 1;
      // Other executions would take seconds as well, and what is refused ends the search.
      const System& system = program_.system();
      if (system.outcome() == Outcome::kUnsupported) return;
      if (system.outcome() == Outcome::kBug && system.bug().kind == "no_progress") return;
    }
  }

  // One execution, which is no part of the search.
  Exploration run_at_random(std::uint64_t number) {
    const auto strategy =
        make_strategy("random", {.seed = combine(request_.parameters.seed, number), .executions = 1});
    CHECK(strategy.ok());
    Limits limits = {.seconds = {},
                     .executions = {},
                     .memory = {},
                     .events_max = std::min(request_.limits.events_max,
                                            by_states() ? kSurveyEventsByStates : kSurveyEventsMax)};
    if (request_.limits.seconds)
      limits.seconds = std::max(0.0, *request_.limits.seconds * kSurveyShare - (clock_.seconds() - start_));
    return program_.make_explorer(**strategy, limits, clock_, surroundings(reporter_, {}))->run();
  }

  using Keep = std::function<void(const Exploration&)>;
  Surroundings surroundings(Listener& listener, Keep keep) const {
    return {.listener = &listener,
            .interrupt = &stop_,
            .held_memory = program_.held_memory(),
            .keep = watch_.keep ? std::move(keep) : nullptr,
            .keeping = order_.keeping};
  }

  // The follow-up after the prefix that all executions have. A point within the prefix is none to begin at.
  FollowUp take_follow_up() {
    FollowUp follow_up = std::exchange(follow_up_, {});
    const std::vector<Transition>& prefix = prefix_.transitions;
    std::vector<Transition>& steps = follow_up.steps;
    if (steps.size() <= prefix.size() || !std::equal(prefix.begin(), prefix.end(), steps.begin())) return {};
    steps.erase(steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(prefix.size()));
    return follow_up;
  }

  StrategyContext context() const {
    return {.waits_unseen = program_.configuration().is_fair,
            .variable_of = variables(),
            .whole_of = wholes_of(program_, order_.naming.arrays),
            .prefix = prefix_.transitions,
            .explorer = program_.delaying_explorer()};
  }

  // A budget of executions is counted by whoever runs.
  Limits limits_of_run() {
    Limits limits = request_.limits;
    limits.executions.reset();
    if (limits.seconds) limits.seconds = std::max(0.0, *limits.seconds - (clock_.seconds() - start_));
    return limits;
  }

  // Why a run of this strategy has no parts: a sentence without its end. Empty: it may have some.
  std::string why_undivided(const std::string& name) const {
    ProgramCopies* const copies = program_.copies();
    if (copies == nullptr) return "each execution has a process of its own";
    if (std::string why = copies->why_none(); !why.empty()) return why;
    SearchRequest request = request_;
    request.strategy = name;
    const auto strategy = make_strategy(name, request_.parameters, context());
    CHECK(strategy.ok());
    return why_no_parts(**strategy, request);
  }

  // Whether a position is that of a run of which several processes had parts.
  static bool is_of_parts(const Strategy& strategy, const std::string& position) {
    const auto* const divisible = dynamic_cast<const Divisible*>(&strategy);
    return divisible != nullptr && divisible->is_of_source(position);
  }

  // What an explorer's run has found, and the execution that it has run last.
  struct Ran {
    Exploration found = {};
    std::vector<Transition> last = {};
    bool is_lost = false;  // the position makes no sense for this program
    std::string problem = {};
    bool has_parts = false;  // `found` has the position, and not the strategy
  };
  // `so_far`: what the strategy goes on from; it has read the position, unless that is of parts.
  Ran run(const std::string& name, Strategy& strategy, const Limits& limits, Exploration so_far, RawBugs& raw,
          const Keep& keep_now) {
    const bool goes_on_in_parts = so_far.position && is_of_parts(strategy, *so_far.position);
    if (goes_on_in_parts && program_.copies() == nullptr) return {.is_lost = true};
    if (!goes_on_in_parts && (jobs_.most < 2 || !why_undivided(name).empty())) {
      const std::unique_ptr<Explorer> explorer =
          program_.make_explorer(strategy, limits, clock_, surroundings(raw, keep_now));
      Ran ran{.found = explorer->run(std::move(so_far))};
      ran.last = explorer->schedule();
      return ran;
    }
    const StrategyContext context = this->context();
    RunInParts parts({.program = program_,
                      .jobs = jobs_,
                      .processes = {.most = jobs_.most, .granted = watch_.granted},
                      .keeping = order_.keeping,
                      .strategy = strategy,
                      .make_strategy =
                          [&] {
                            auto one = make_strategy(name, request_.parameters, context);
                            CHECK(one.ok());
                            return std::move(*one);
                          },
                      .limits = limits,
                      .surroundings = surroundings(raw, keep_now),
                      .raw = raw,
                      .adapts = adapts()});
    auto found = parts.run(so_far);
    if (!found) return {.is_lost = true};
    return {.found = std::move(*found), .last = parts.last(), .problem = parts.problem(), .has_parts = true};
  }

  // One run of the strategy. False if it has to be run again.
  bool pass(Searched& searched) {
    stop_ = reporter_.interrupted;
    const std::string from = std::exchange(position_, {});
    StrategyContext context = this->context();
    context.follow_up = take_follow_up();
    Result<std::unique_ptr<Strategy>> strategy =
        make_strategy(request_.strategy, request_.parameters, context);
    CHECK(strategy.ok());
    Exploration so_far;
    if (!from.empty() && is_of_parts(**strategy, from)) {
      so_far.position = from;
    } else if (!from.empty()) {
      PositionReader position(from);
      Trials trials(program_.system());
      if (!(*strategy)->read_position(position, trials) || !position.is_complete()) {
        searched.is_lost = true;
        return true;
      }
    }
    // What a complete search has done with fewer operations counts no more.
    if (!samples() && from.empty()) before_ = {};
    Limits limits = limits_of_run();
    // A budget is for what is done now.
    const std::uint64_t counted_before = request_.so_far ? request_.so_far->counts.executions : 0;
    const std::uint64_t done = before_.executions - std::min(before_.executions, counted_before);
    if (budget_) limits.executions = *budget_ - std::min(*budget_, done);
    RawBugs raw(program_, reporter_);
    const std::vector<std::uint64_t> tracked = program_.configuration().tracked;
    const Keep keep_now = [&](const Exploration& now) {
      if (is_out_of_date()) return;
      Searched kept = searched;
      keep_bugs(kept, now, raw, tracked, program_.configuration().is_fair);
      answer(kept, now);
      kept.result.counts = sum(before_, now.counts);
      keep(std::move(kept));
    };
    Ran ran = run(request_.strategy, **strategy, limits, std::move(so_far), raw, keep_now);
    if (ran.is_lost || !ran.problem.empty()) return give_up(searched, ran);
    const Exploration& exploration = ran.found;
    const bool grew = adapts() && adopt_new_words();
    const bool needs_fairness = program_.needs_fairness();
    const bool may_go_on = !reporter_.interrupted && exploration.stop != Stop::kTimeBudget &&
                           exploration.stop != Stop::kMemoryBudget && exploration.stop != Stop::kTooLong &&
                           exploration.stop != Stop::kUnsupported &&
                           exploration.stop != Stop::kExecutionBudget;
    if (!samples()) {
      if (needs_fairness && may_go_on) set_fair(true);
      if ((grew || needs_fairness) && may_go_on) {
        before_ = {};
        keep_between_passes(searched, exploration.strategy);
        return false;
      }
    }
    keep_bugs(searched, exploration, raw, tracked, program_.configuration().is_fair);
    // With more operations there may be more to choose.
    const bool was_only_schedule = exploration.counts.coverage.is_complete;
    const bool was_stopped = grew && (exploration.stop == Stop::kInterrupted || was_only_schedule);
    if (samples() && was_stopped && may_go_on) {
      before_ = sum(before_, exploration.counts);
      // What was learned of the program is not what it does with more operations, but near to that.
      PositionWriter position;
      if (ran.has_parts)
        position_ = exploration.position.value_or("");
      else if ((*strategy)->write_position(position))
        position_ = position.bytes();
      const std::uint64_t follow_ups = std::min(kFollowUpsMax, before_.executions / 4);
      if (exploration.stop == Stop::kInterrupted && follow_ups > 0)
        follow_up_ = {.steps = find_race_point(program_, ran.last, tracked), .executions = follow_ups};
      keep_between_passes(searched, exploration.strategy);
      return false;
    }
    answer(searched, exploration);
    searched.result.counts = sum(before_, exploration.counts);
    // New races have shown, with which a complete search begins anew.
    if (searched.result.position && grew && !samples()) searched.result.position->clear();
    return true;
  }

  // The run has come to nothing.
  bool give_up(Searched& searched, const Ran& ran) {
    searched.is_lost = ran.is_lost;
    parts_end_.lost_copies = ran.problem;
    parts_end_.needs_machine = !program_.copies()->why_none().empty();
    return true;
  }

  // One search by states. False if it has to begin anew, with more operations, or since states are more.
  bool pass_by_states(Searched& searched) {
    stop_ = reporter_.interrupted;
    before_ = {};
    const std::vector<std::uint64_t> tracked = program_.configuration().tracked;
    RawBugs raw(program_, reporter_);
    Limits limits = limits_of_run();
    limits.executions = request_.limits.executions;
    const Keep keep_now = [&](const Exploration& now) {
      Searched kept = searched;
      keep_bugs(kept, now, raw, tracked, program_.configuration().is_fair);
      answer(kept, now);
      keep(std::move(kept));
    };
    const std::unique_ptr<VisitStates> visit =
        VisitStates::make({.program = program_,
                           .request = request_,
                           .jobs = jobs_,
                           .limits = limits,
                           .clock = clock_,
                           .surroundings = surroundings(raw, keep_now),
                           .is_out_of_date = [this] { return is_out_of_date(); }},
                          position_);
    std::optional<Exploration> found;
    if (visit != nullptr) {
      parts_end_.why_undivided = visit->why_undivided();
      reporter_.states = &visit->states();
      found = visit->run(position_.empty() ? Counts() : request_.so_far->counts);
      reporter_.states = nullptr;
      parts_end_.problems = visit->problems();
    }
    position_.clear();
    if (!found) {
      searched.is_lost = true;
      return true;
    }
    const Exploration& exploration = *found;
    const bool grew = adapts() && adopt_new_words();
    const bool has_ended = reporter_.interrupted ||
                           (is_interruption(exploration.stop) && exploration.stop != Stop::kInterrupted);
    const bool is_of_no_use = grew || visit->states().has_to_begin_anew();
    if (!has_ended && exploration.stop != Stop::kUnsupported && is_of_no_use) {
      keep_between_passes(searched, exploration.strategy);
      return false;
    }
    keep_bugs(searched, exploration, raw, tracked, program_.configuration().is_fair);
    answer(searched, exploration);
    if (searched.result.position && is_of_no_use) searched.result.position->clear();
    return true;
  }

  // REQUIRES: it was the last one that ran, if it met something that is refused.
  void answer(Searched& searched, const Exploration& exploration) const {
    SearchResult& result = searched.result;
    result.strategy = exploration.strategy;
    result.stop = exploration.stop;
    result.counts = exploration.counts;
    result.promise = exploration.promise;
    result.position = exploration.position;
    if (!exploration.refusal) return;
    RawRefusal refusal = program_.raw_refusal();
    result.refusal = Refusal{.message = std::move(refusal.message), .file = {}, .line = 0};
    searched.refused_at = std::move(refusal.stack);
  }

  // A pass of two strategies. False if both have to begin again.
  bool pass_in_turns(Searched& searched) {
    Turns turns = {Turn{.strategy = request_.strategy},
                   Turn{.strategy = request_.in_turns_with, .is_fair = false}};
    const std::string from = std::exchange(position_, {});
    before_ = {};
    if (!from.empty() && !read_turns(from, turns)) {
      searched.is_lost = true;
      return true;
    }
    const auto executions = [&turns] {
      std::uint64_t sum = 0;
      for (const Turn& turn : turns) sum += turn.so_far.counts.executions + turn.so_far.counts.abandoned;
      return sum;
    };
    const std::uint64_t executions_before = executions();
    std::array<RawBugs, 2> raw = {RawBugs(program_, reporter_), RawBugs(program_, reporter_)};
    const std::vector<std::uint64_t> tracked = program_.configuration().tracked;
    const auto answer_by = [&](Searched& answered, const Turns& all, std::size_t answers) {
      Exploration answer = all[answers].so_far;
      answer.counts.in_turns = all[1 - answers].so_far.counts.executions;
      answer.position.reset();
      const bool has_position = all[0].so_far.position || all[1].so_far.position;
      if (is_interruption(answer.stop)) answer.position = has_position ? write_turns(all) : "";
      this->answer(answered, answer);
      for (std::size_t i = 0; i < all.size(); ++i)
        keep_bugs(answered, all[i].so_far, raw[i], tracked, all[i].is_fair);
    };
    const auto keep_turns = [&](Turns kept) {
      kept[0].so_far.stop = Stop::kInterrupted;
      Searched answered = searched;
      answer_by(answered, kept, 0);
      keep(std::move(answered));
    };
    std::size_t answers = 0;
    for (std::uint64_t events = kFirstTurnEvents;; events *= 2) {
      bool is_last = false;
      for (std::size_t i = 0; i < turns.size() && !is_last; ++i) {
        Turn& turn = turns[i];
        if (turn.is_over) continue;
        if (program_.configuration().is_fair != turn.is_fair) set_fair(turn.is_fair);
        Limits limits = limits_of_run();
        if (budget_) limits.executions = *budget_ - std::min(*budget_, executions() - executions_before);
        stop_ = reporter_.interrupted;
        reporter_.turn_is_over = false;
        const bool is_alone = turns[1 - i].is_over;
        reporter_.turn_ends = is_alone ? kNoEnd : turn.so_far.counts.events + events;
        reporter_.compared = reporter_.compared_in_turn = 0;
        reporter_.compared_max = is_alone ? kNoEnd : kComparedPerEvent * events;
        const Keep keep_now = [&](const Exploration& now) {
          if (is_out_of_date()) return;
          Turns kept = turns;
          kept[i].so_far = now;
          keep_turns(std::move(kept));
        };
        const Ran ran = run_turn(turn, limits, raw[i], keep_now);
        if (ran.is_lost || !ran.problem.empty()) return give_up(searched, ran);
        turn.so_far = ran.found;
        const Stop stop = turn.so_far.stop;
        const bool has_ended = reporter_.interrupted || stop == Stop::kTimeBudget ||
                               stop == Stop::kExecutionBudget || stop == Stop::kUnsupported;
        const bool needs_fairness = program_.needs_fairness();
        if (adapts() && adopt_new_words()) {
          if (!has_ended) {
            keep_between_passes(searched, turns[0].so_far.strategy);
            return false;
          }
          for (Turn& each : turns) each.so_far.position.reset();
        }
        // What it has found by then may be what a thread does that waits in a loop.
        if (needs_fairness) turn.so_far = {};
        const bool is_done =
            !needs_fairness &&
            (stop == Stop::kFirstBug || (stop == Stop::kComplete && turn.so_far.counts.unfinished == 0));
        turn.is_over = needs_fairness || !(is_done || has_ended || reporter_.turn_is_over);
        is_last = is_done || has_ended || (turns[0].is_over && turns[1].is_over);
        answers = is_done || stop == Stop::kUnsupported ? i : 0;
        if (has_ended) turns[answers].so_far.stop = stop;
        if (!is_last && is_keeping_due()) keep_turns(turns);
      }
      if (is_last) break;
    }
    answer_by(searched, turns, answers);
    return true;
  }

  Ran run_turn(const Turn& turn, const Limits& limits, RawBugs& raw, const Keep& keep_now) {
    const auto strategy = make_strategy(turn.strategy, request_.parameters, context());
    CHECK(strategy.ok());
    if (turn.so_far.position && !is_of_parts(**strategy, *turn.so_far.position)) {
      PositionReader position(*turn.so_far.position);
      Trials trials(program_.system());
      if (!(*strategy)->read_position(position, trials) || !position.is_complete()) return {.is_lost = true};
    }
    return run(turn.strategy, **strategy, limits, turn.so_far, raw, keep_now);
  }

  void keep_bugs(Searched& searched, const Exploration& exploration, const RawBugs& raw,
                 const std::vector<std::uint64_t>& tracked, bool is_fair) const {
    for (const FoundBug& found : exploration.bugs) {
      std::optional<BugBounds> bounds = found.bounds;
      // What the schedule needs is less, as a rule, than what was tried.
      if (bounds) bounds = measure_bounds(program_.system(), found.schedule, variables()).value_or(*bounds);
      searched.result.bugs.push_back({.bug = found.bug,
                                      .schedule = name_steps(found.schedule, program_.system()),
                                      .preemptions = found.preemptions,
                                      .executions = found.executions,
                                      .first_execution = found.first_execution + before_.executions,
                                      .bounds = bounds});
      searched.raw_bugs.push_back({.bug = raw.of(found), .tracked = tracked, .is_fair = is_fair});
    }
  }

  SearchedProgram& program_;
  const SearchOrder& order_;
  const SearchRequest& request_ = order_.request;
  const SearchJobs& jobs_;
  const Watch& watch_;
  const std::optional<std::uint64_t> budget_ = request_.limits.executions;
  SteadyClock clock_;
  std::atomic<bool> stop_ = false;
  Counts before_;  // of executions that count, before those of the explorer that runs
  // Where the next pass begins; empty: at the beginning
  std::string position_ = request_.so_far ? request_.so_far->position.value_or("") : "";
  LoopUses loops_ = order_.loops;  // with the operations that are known
  FoundPrefix prefix_;
  FollowUp follow_up_;  // of the next pass
  PartsEnd parts_end_;
  Reporter reporter_;
  double start_ = 0, next_keeping_ = 0;
};

}  // namespace

SearchEnd search(SearchedProgram& program, const SearchOrder& order, const SearchJobs& jobs,
                 const Watch& watch) {
  Search search(program, order, jobs, watch);
  Searched searched = search.run();
  return {.searched = std::move(searched), .parts = search.parts_end()};
}

}  // namespace ravel::threads
