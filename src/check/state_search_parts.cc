// How SystemSearch has states visited by several processes.

#include "check/state_search_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "base/check.h"
#include "base/clock.h"
#include "check/state_coordinator.h"
#include "check/state_worker.h"
#include "check/system_search.h"
#include "engine/bug_ledger.h"
#include "explorers/built_in.h"
#include "explorers/explorer_library.h"
#include "host/messages.h"

namespace ravel {

namespace {

constexpr const char kNondeterminism[] =
    "what a process of the search has done cannot be done here: nondeterminism that is not under control";

constexpr double kLongAlone = 10;  // seconds: others could have helped

// What there is that only one process can do.
std::string obstacle_to_sharing(const SearchSettings& settings, const SearchTask& task) {
  const StrategyParameters& parameters = settings.request.parameters;
  if (settings.traits().samples) return "--strategy " + settings.request.strategy;
  // One whose steps cost nothing where there is a choice, and those that are not part of the command, of
  // which other processes would have to hear what goes wrong.
  const bool has_free_choices = parameters.explorer == kPreemptionsExplorer;
  if (has_free_choices || !names_general_explorer(parameters.explorer))
    return "--explorer " + parameters.explorer;
  if (parameters.own_value("--reduced")) return "--reduced";
  if (parameters.own_value("--bitstate")) return "--bitstate";
  if (parameters.own_value("--fingerprints") == 64) return "--fingerprints 64";
  if (settings.request.limits.executions) return "a budget of executions";
  if (task.before != nullptr && !was_shared(task.before))
    return "a search that goes on from where one process was";
  return "";
}

// Bugs that were found are bugs, also if the executions that have shown them are to be run again.
void add_bugs(Exploration& from, std::vector<FoundBug> bugs) {
  for (FoundBug& bug : bugs) bug.executions = 0;
  BugLedger all(std::move(from.bugs));
  all.merge(bugs);
  from.bugs = all.take();
}

// How often a process may die before the search is given up.
constexpr std::uint32_t kLossesMax = 3;

}  // namespace

StateStorage storage_of(const StrategyParameters& asked) {
  return {.hash_bits = static_cast<std::uint32_t>(asked.own_value("--fingerprints").value_or(0)),
          .filter_bytes = asked.own_value("--bitstate").value_or(0) << 20};
}

bool was_shared(const SavedTest* before) {
  return before != nullptr && before->report.result.position &&
         SharedPosition::is_one(*before->report.result.position);
}

bool shares_states(const CheckOptions& options, const SearchSettings& settings, const SearchTask& task,
                   const std::string& own) {
  if (!settings.traits().by_states) return false;
  const bool goes_on = was_shared(task.before);  // also by one process
  if (options.jobs == 1 || !options.are_jobs_given) return goes_on;
  const std::string general = obstacle_to_sharing(settings, task);
  const std::string& obstacle = general.empty() ? own : general;
  if (obstacle.empty()) return true;
  remark("one process visits the states, whatever --jobs says: " + obstacle + " is not for several",
         options.report.colour);
  return goes_on;
}

void SystemSearch::tell_of_sharing(const Exploration& found) const {
  if (options_.are_jobs_given || options_.jobs < 2 || !may_be_shared_ || found.counts.seconds < kLongAlone)
    return;
  if (!obstacle_to_sharing(settings_, task_).empty()) return;
  remark(
      fmt::format("{}: one process has visited the states; with --jobs {} as many do, which keep hashes of "
                  "them",
                  subject_.test, options_.jobs),
      options_.report.colour);
}

// If a process dies the search goes on from where it was saved last.
Exploration SystemSearch::share_states_with(const Surroundings& surroundings) {
  if (order_of_sharing() == StateOrder::kByDelays) shared_states_->keep_ranks();
  SharedRun run{.from = so_far_.value_or(Exploration{})};
  for (std::uint32_t losses = 1;; ++losses) {
    Exploration found = share_once(surroundings, run);
    if (!run.loss) return found;
    const std::string how = *std::exchange(run.loss, std::nullopt);
    if (losses > kLossesMax) {
      report_.warnings.push_back(fmt::format(
          "processes of the search came to an end {} times (the last one by {}), and it was given up", losses,
          how));
      found.stop = Stop::kInterrupted;
      return found;
    }
    report_.warnings.push_back(
        fmt::format("a process of the search came to an end ({}), and the search has {}", how,
                    run.from.position ? "gone on from where it was saved last" : "begun anew"));
    shared_states_->clear();
    add_bugs(run.from, std::move(found.bugs));
    run.from.counts.seconds = found.counts.seconds;
  }
}

// The search begins in this process, or goes on. If it has not ended soon, a copy of the process goes on with
// it, and this one has it from then on.
Exploration SystemSearch::share_once(const Surroundings& surroundings, SharedRun& run) {
  const std::uint32_t jobs = options_.jobs;
  const bool by_levels = settings_.traits().by_states == StateOrder::kBreadthFirst;
  Limits limits = settings_.request.limits;
  if (limits.seconds) *limits.seconds = std::max(0.0, *limits.seconds - run.seconds_spent);
  SharedFlags flags(StateCoordinator::flag_count(jobs));
  std::atomic<bool> ends = false;
  std::optional<StateWorker> worker;  // in the copy
  std::optional<ChildProcess> copy;   // in this process
  bool is_there = false;              // where the search goes on
  bool may_part = jobs > 1 && !limits.executions;
  LookingSteps own_looks;  // of this process, and then of the copy
  LookingSteps* const looking = fairness_of_polling_ ? &own_looks : nullptr;
  SharedPosition position;
  std::optional<Exploration> begun;  // by delays: what was found when the stratum at hand began
  SteadyClock clock;
  const double start = clock.seconds();
  double learnt_at = start;  // when something was learnt last
  double next_keeping = start + settings_.keeping.first;
  std::size_t known = shared_states_->knowledge();
  Surroundings own = surroundings;
  own.interrupt = &ends;
  StateSearch search(*states_of_, order_of_sharing(), limits, clock, own, translate_);
  const auto attend = [&] {
    if (worker) return worker->attend(search);
    if (surroundings.interrupt->load()) ends = true;
    const double now = clock.seconds();
    if (std::exchange(known, shared_states_->knowledge()) != known) learnt_at = now;
    if (!is_there || ends) return;
    if (surroundings.keep && now >= next_keeping) {
      if (note_place(search, position, begun, run)) surroundings.keep(run.from);
      next_keeping = clock.seconds() + settings_.keeping.between;
    }
    const bool is_due = now - start >= settings_.seconds_alone && now - learnt_at >= (now - start) / 2;
    if (!is_due || !may_part) return;
    std::fflush(nullptr);
    shared_states_->begin_sharing();
    auto forked = fork_process();
    may_part = false;
    if (!forked) return remark(forked.error().message, options_.report.colour);
    if (by_levels) search.part().limit_distance(search.distance() + 1);
    if (SharedStrata* const strata = search.shared_strata()) strata->be_with_others();
    if (forked->child) {
      copy.emplace(std::move(*forked->child));
      ends = true;
      return;
    }
    writer_->be_silent();
    worker.emplace(std::move(*forked->parent), StateCoordinator::flags_of(flags, 0), ends, looking,
                   [this](const Exploration& now_found) { return shared_findings(now_found); });
  };
  const auto attend_stratum = [&] {
    if (worker) return worker->tell_notes(search);
    position.hear(search.take_notes());
    begun = search.found_so_far();
  };
  share(search,
        {.states = shared_states_, .attend = attend, .attend_stratum = attend_stratum, .looking = looking});
  repeat_steps_in(search);
  const double seconds_before = run.from.counts.seconds;
  if (!go_to_place(search, run.from)) return refuse_position();
  const bool has_come_there = run.from.position && !search.found_so_far().position;
  if (has_come_there && search.shared_strata() != nullptr) attend_stratum();
  is_there = true;
  const double there_at = clock.seconds();
  Exploration found = search.go_on();
  if (worker) worker->serve(search, std::move(found));
  if (copy) {
    const std::uint32_t distance =
        search.shared_strata() != nullptr ? search.shared_strata()->stratum() : search.distance();
    search.part().leave_all();
    const double now = clock.seconds();
    if (limits.seconds) *limits.seconds = std::max(0.0, *limits.seconds - (now - there_at));
    if (begun) run.begun = shared_findings(*begun);
    found = coordinate_states(std::move(*copy), distance, std::move(position), limits,
                              seconds_before + now - start, flags, surroundings, run);
    run.seconds_spent += clock.seconds() - there_at;
    return found;
  }
  if (search.shared_strata() != nullptr) found = search.settle(SharedStates::kNobody);
  if (is_interruption(found.stop) && !found.position && note_place(search, position, begun, run)) {
    if (search.shared_strata() == nullptr)
      found.position = run.from.position;
    else if (surroundings.keep)  // less was found than is told
      surroundings.keep(run.from);
  }
  Counts& counts = found.counts;
  counts.coverage.is_complete =
      found.stop == Stop::kComplete &&
      (search.shared_strata() == nullptr || search.shared_strata()->is_exhausted()) &&
      (!counts.hashed || counts.hashed->omitted < StateSearch::kOmittedMax);
  found.strategy = settings_.request.strategy;
  look_for_loops(own_looks, found);
  return found;
}

// False: it cannot go on there.
bool SystemSearch::go_to_place(StateSearch& search, const Exploration& place) {
  if (!place.position) return search.go_on_from(place, StateTree());
  const std::optional<StateTree> tree = SharedPosition::read(*place.position);
  return tree && search.go_on_from(place, *tree);
}

// Of a search that is in this process alone. By delays it goes on with the stratum at hand. False: nothing
// was visited yet.
bool SystemSearch::note_place(StateSearch& search, SharedPosition& position,
                              const std::optional<Exploration>& begun, SharedRun& run) {
  const bool by_delays = search.shared_strata() != nullptr;
  if (by_delays ? !begun : search.states_of_part() == 0) return false;
  if (!by_delays) position.hear(search.take_notes());
  const Exploration now = search.found_so_far();
  run.from = by_delays ? *begun : now;
  if (by_delays) add_bugs(run.from, now.bugs);
  run.from.counts.seconds = now.counts.seconds;
  run.from.stop = Stop::kInterrupted;
  run.from.position = position.print({});
  return true;
}

StateOrder SystemSearch::order_of_sharing() const {
  const bool by_delays = settings_.traits().by_states == StateOrder::kByDelays;
  return by_delays ? StateOrder::kByDelays : StateOrder::kBreadthFirst;
}

void SystemSearch::share(StateSearch& search, StateSearch::Sharing sharing) const {
  const StrategyParameters& parameters = settings_.request.parameters;
  sharing.by_levels = settings_.traits().by_states == StateOrder::kBreadthFirst;
  if (order_of_sharing() == StateOrder::kByDelays)
    search.share_by_delays(std::move(sharing), make_explorer(parameters, settings_.context.explorer),
                           parameters.bound, settings_.context.explorer);
  else
    search.share(std::move(sharing));
}

PartFindings SystemSearch::shared_findings(const Exploration& now) const {
  PartFindings findings = findings_of(save(now));
  findings.warnings.insert(findings.warnings.end(), complaints_->begin(), complaints_->end());
  return findings;
}

void SystemSearch::look_for_loops(const LookingSteps& looks, const Exploration& found) {
  has_loops_ = found.stop == Stop::kComplete && fairness_of_polling_ &&
               looks.has_loop(std::max(*fairness_of_polling_, Fairness::kWeak));
}

// In a copy of this process: visits states.
void SystemSearch::visit_shared_states(std::size_t number, std::uint32_t visitor, Channel channel,
                                       SharedFlags& flags, const Surroundings& surroundings) {
  writer_->be_silent();
  shared_states_->be_process(number);
  std::atomic<bool> ends = false;
  Surroundings own = surroundings;
  own.interrupt = &ends;
  Limits limits = settings_.request.limits;
  limits.seconds.reset();
  SteadyClock clock;
  StateSearch search(*states_of_, order_of_sharing(), limits, clock, own, translate_);
  LookingSteps looks;
  LookingSteps* const looking = fairness_of_polling_ ? &looks : nullptr;
  StateWorker worker(std::move(channel), StateCoordinator::flags_of(flags, number), ends, looking,
                     [this](const Exploration& found) { return shared_findings(found); });
  share(search, {.states = shared_states_,
                 .attend = [&] { worker.attend(search); },
                 .attend_stratum = [&] { worker.tell_notes(search); },
                 .looking = looking,
                 .visitor = visitor});
  if (SharedStrata* const strata = search.shared_strata()) strata->be_with_others();
  repeat_steps_in(search);
  worker.serve(search);
}

// Takes these steps, so that this process learns what another one has learnt by them.
StateCoordinator::Followed SystemSearch::follow(std::span<const std::uint32_t> way, Listener& listener) {
  using Followed = StateCoordinator::Followed;
  const std::size_t known = shared_states_->knowledge();
  states_of_->reset();
  for (const std::uint32_t index : way) {
    const std::span<const Transition> enabled = states_of_->enabled();
    CHECK_MESSAGE(index < enabled.size(), kNondeterminism);
    const Transition transition = enabled[index];
    states_of_->step(transition);
    static_cast<void>(shared_states_->knowledge());  // which may be of a state
  }
  if (listener.ends_search()) return Followed::kEndsSearch;
  return shared_states_->knowledge() == known ? Followed::kLearnsNothing : Followed::kLearns;
}

// `seconds_before`: of the search, up to now.
Exploration SystemSearch::coordinate_states(ChildProcess copy, std::uint32_t distance, SharedPosition told,
                                            const Limits& limits, double seconds_before, SharedFlags& flags,
                                            const Surroundings& surroundings, SharedRun& run) {
  const auto find = [&](const PartFindings& all) {
    auto found = find_result(all.result, system_);
    CHECK_MESSAGE(found, kNondeterminism);
    found->strategy = settings_.request.strategy;
    found->counts.seconds += seconds_before;
    return std::move(*found);
  };
  const auto on_bug = [&](const NamedBug& bug) {
    SearchResult one;
    one.bugs.push_back(bug);
    const auto here = find_result(one, system_);
    CHECK_MESSAGE(here, kNondeterminism);
    surroundings.listener->on_bug(here->bugs.front());
  };
  std::function<void(PartFindings)> keep;
  if (surroundings.keep)
    keep = [&](const PartFindings& all) {
      run.from = find(all);
      SavedTest saved = save(run.from);
      saved.report.left_behind.add(all.left_behind);
      saved.report.handled_ends.add(all.handled_ends);
      for (const FoundBug& found : run.from.bugs)
        saved.report.tickets.push_back(writer_->ticket_of(found.bug));
      task_.keep(saved);
    };
  LookingSteps looks;
  StateCoordinator coordinator(
      *shared_states_, flags,
      {.jobs = options_.jobs,
       .by_levels = settings_.traits().by_states == StateOrder::kBreadthFirst,
       .by_delays = order_of_sharing() == StateOrder::kByDelays,
       .delays_max = settings_.request.parameters.bound,
       .seconds = limits.seconds,
       .memory = limits.memory,
       .after_bug = limits.after_bug,
       .keeping = settings_.keeping,
       .interrupt = surroundings.interrupt},
      {.visit =
           [&](std::size_t number, std::uint32_t visitor, Channel channel) {
             visit_shared_states(number, visitor, std::move(channel), flags, surroundings);
           },
       .follow = [&](std::span<const std::uint32_t> way) { return follow(way, *surroundings.listener); },
       .heard =
           [&](const PartFindings& found, std::string_view looked) {
             if (learn_own_)
               for (const std::string& own : found.news) learn_own_(own);
             CHECK_MESSAGE(looked.empty() || looks.add(looked), kNondeterminism);
           },
       .progress = [&](const Counts& counts) { surroundings.listener->on_progress(counts); },
       .bug = on_bug,
       .keep = keep});
  coordinator.add_running(std::move(copy), distance, std::move(told), std::exchange(run.begun, std::nullopt));
  const PartFindings total = coordinator.run();
  report_.left_behind.add(total.left_behind);
  report_.handled_ends.add(total.handled_ends);
  complaints_->insert(total.warnings.begin(), total.warnings.end());
  for (const std::string& problem : coordinator.problems()) report_.warnings.push_back(problem);
  run.loss = coordinator.loss();
  Exploration found = find(total);
  look_for_loops(looks, found);
  return found;
}

}  // namespace ravel
