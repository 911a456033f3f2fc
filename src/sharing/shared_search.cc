#include "sharing/shared_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <utility>

#include "base/check.h"
#include "base/clock.h"
#include "engine/bug_ledger.h"
#include "sharing/state_worker.h"

namespace ravel {

namespace {

constexpr const char kNondeterminism[] =
    "what a process of the search has done cannot be done here: nondeterminism that is not under control";

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

// If a process dies the search goes on from where it was saved last.
std::optional<Exploration> SharedSearch::run(Exploration so_far) {
  if (by_delays()) setting_.states.keep_ranks();
  from_ = std::move(so_far);
  for (std::uint32_t losses = 1;; ++losses) {
    std::optional<Exploration> found = run_once();
    if (!loss_ || !found) return found;
    const std::string how = *std::exchange(loss_, std::nullopt);
    if (losses > kLossesMax) {
      problems_.push_back(fmt::format(
          "processes of the search came to an end {} times (the last one by {}), and it was given up", losses,
          how));
      found->stop = Stop::kInterrupted;
      return found;
    }
    problems_.push_back(fmt::format("a process of the search came to an end ({}), and the search has {}", how,
                                    from_.position ? "gone on from where it was saved last" : "begun anew"));
    setting_.states.clear();
    add_bugs(from_, std::move(found->bugs));
    from_.counts.seconds = found->counts.seconds;
  }
}

// The search begins in this process, or goes on. If it has not ended soon, a copy of the process goes on with
// it, and this one has it from then on.
std::optional<Exploration> SharedSearch::run_once() {
  const Surroundings& surroundings = setting_.surroundings;
  SharedStates& states = setting_.states;
  const bool by_levels = setting_.order == StateOrder::kBreadthFirst;
  Limits limits = setting_.limits;
  if (limits.seconds) *limits.seconds = std::max(0.0, *limits.seconds - seconds_spent_);
  SharedFlags flags(StateCoordinator::flag_count(setting_.jobs));
  std::atomic<bool> ends = false;
  std::optional<StateWorker> worker;  // in the copy
  std::optional<ChildProcess> copy;   // in this process
  bool is_there = false;              // where the search goes on
  bool may_part = setting_.jobs > 1 && !limits.executions;
  LookingSteps own_looks;  // of this process, and then of the copy
  LookingSteps* const looking = setting_.notes_looks ? &own_looks : nullptr;
  SharedPosition position;
  std::optional<Exploration> begun;  // by delays: what was found when the stratum at hand began
  SteadyClock clock;
  const double start = clock.seconds();
  double learnt_at = start;  // when something was learnt last
  double next_keeping = start + setting_.keeping.first;
  std::size_t known = states.knowledge();
  Surroundings own = surroundings;
  own.interrupt = &ends;
  StateSearch search(setting_.system, order_of_search(), limits, clock, own, setting_.translate);
  const auto attend = [&] {
    if (worker) return worker->attend(search);
    if (surroundings.interrupt->load()) ends = true;
    const double now = clock.seconds();
    if (std::exchange(known, states.knowledge()) != known) learnt_at = now;
    if (!is_there || ends) return;
    if (surroundings.keep && now >= next_keeping) {
      if (note_place(search, position, begun)) surroundings.keep(from_);
      next_keeping = clock.seconds() + setting_.keeping.between;
    }
    const bool is_due = now - start >= setting_.seconds_alone && now - learnt_at >= (now - start) / 2;
    if (!is_due || !may_part) return;
    states.begin_sharing();
    auto forked = setting_.fork();
    may_part = false;
    if (!forked) return problems_.push_back(forked.error().message);
    if (by_levels) search.part().limit_distance(search.distance() + 1);
    if (SharedStrata* const strata = search.shared_strata()) strata->be_with_others();
    if (forked->child) {
      copy.emplace(std::move(*forked->child));
      ends = true;
      return;
    }
    if (setting_.begin_copy) setting_.begin_copy();
    worker.emplace(std::move(*forked->parent), StateCoordinator::flags_of(flags, 0), ends, looking,
                   setting_.save);
  };
  const auto attend_stratum = [&] {
    if (worker) return worker->tell_notes(search);
    position.hear(search.take_notes());
    begun = search.found_so_far();
  };
  prepare(search,
          {.states = &states, .attend = attend, .attend_stratum = attend_stratum, .looking = looking});
  const double seconds_before = from_.counts.seconds;
  if (!go_to_place(search)) return std::nullopt;
  const bool has_come_there = from_.position && !search.found_so_far().position;
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
    if (begun) begun_ = setting_.save(*begun);
    found = coordinate(std::move(*copy), distance, std::move(position), limits, seconds_before + now - start,
                       flags);
    seconds_spent_ += clock.seconds() - there_at;
    return found;
  }
  if (search.shared_strata() != nullptr) found = search.settle(SharedStates::kNobody);
  if (is_interruption(found.stop) && !found.position && note_place(search, position, begun)) {
    if (search.shared_strata() == nullptr)
      found.position = from_.position;
    else if (surroundings.keep)  // less was found than is told
      surroundings.keep(from_);
  }
  Counts& counts = found.counts;
  counts.coverage.is_complete =
      found.stop == Stop::kComplete &&
      (search.shared_strata() == nullptr || search.shared_strata()->is_exhausted()) &&
      (!counts.hashed || counts.hashed->omitted < StateSearch::kOmittedMax);
  found.strategy = setting_.strategy;
  looks_ = std::move(own_looks);
  return found;
}

// False: it cannot go on there.
bool SharedSearch::go_to_place(StateSearch& search) const {
  if (!from_.position) return search.go_on_from(from_, StateTree());
  const std::optional<StateTree> tree = SharedPosition::read(*from_.position);
  return tree && search.go_on_from(from_, *tree);
}

// Of a search that is in this process alone. By delays it goes on with the stratum at hand. False: nothing
// was visited yet.
bool SharedSearch::note_place(StateSearch& search, SharedPosition& position,
                              const std::optional<Exploration>& begun) {
  if (by_delays() ? !begun : search.states_of_part() == 0) return false;
  if (!by_delays()) position.hear(search.take_notes());
  const Exploration now = search.found_so_far();
  from_ = by_delays() ? *begun : now;
  if (by_delays()) add_bugs(from_, now.bugs);
  from_.counts.seconds = now.counts.seconds;
  from_.stop = Stop::kInterrupted;
  from_.position = position.print({});
  return true;
}

void SharedSearch::prepare(StateSearch& search, StateSearch::Sharing sharing) const {
  sharing.compares_hashes = setting_.compares_hashes;
  sharing.by_levels = setting_.order == StateOrder::kBreadthFirst;
  if (by_delays())
    search.share_by_delays(std::move(sharing), setting_.make_explorer(), setting_.delays_max, setting_.needs);
  else
    search.share(std::move(sharing));
  if (setting_.memory != nullptr) search.repeat_steps(*setting_.memory);
}

// In a copy of this process: visits states.
void SharedSearch::visit(std::size_t number, std::uint32_t visitor, Channel channel, SharedFlags& flags) {
  if (setting_.begin_copy) setting_.begin_copy();
  if (setting_.begin_visit) setting_.begin_visit();
  setting_.states.be_process(number);
  std::atomic<bool> ends = false;
  Surroundings own = setting_.surroundings;
  own.interrupt = &ends;
  Limits limits = setting_.limits;
  limits.seconds.reset();
  SteadyClock clock;
  StateSearch search(setting_.system, order_of_search(), limits, clock, own, setting_.translate);
  LookingSteps looks;
  LookingSteps* const looking = setting_.notes_looks ? &looks : nullptr;
  StateWorker worker(std::move(channel), StateCoordinator::flags_of(flags, number), ends, looking,
                     setting_.save);
  prepare(search, {.states = &setting_.states,
                   .attend = [&] { worker.attend(search); },
                   .attend_stratum = [&] { worker.tell_notes(search); },
                   .looking = looking,
                   .visitor = visitor});
  if (SharedStrata* const strata = search.shared_strata()) strata->be_with_others();
  worker.serve(search);
}

// Takes these steps, so that this process learns what another one has learnt by them.
StateCoordinator::Followed SharedSearch::follow(std::span<const std::uint32_t> way) {
  using Followed = StateCoordinator::Followed;
  System& system = setting_.system;
  const std::size_t known = setting_.states.knowledge();
  system.reset();
  for (const std::uint32_t index : way) {
    const std::span<const Transition> enabled = system.enabled();
    CHECK_MESSAGE(index < enabled.size(), kNondeterminism);
    const Transition transition = enabled[index];
    system.step(transition);
    static_cast<void>(setting_.states.knowledge());  // which may be of a state
  }
  if (setting_.ends_search && setting_.ends_search()) return Followed::kEndsSearch;
  return setting_.states.knowledge() == known ? Followed::kLearnsNothing : Followed::kLearns;
}

Exploration SharedSearch::find(const PartFindings& all) const {
  auto found = find_result(all.result, setting_.teller);
  CHECK_MESSAGE(found, kNondeterminism);
  found->strategy = setting_.strategy;
  return std::move(*found);
}

// `seconds_before`: of the search, up to now.
Exploration SharedSearch::coordinate(ChildProcess copy, std::uint32_t distance, SharedPosition told,
                                     const Limits& limits, double seconds_before, SharedFlags& flags) {
  const Surroundings& surroundings = setting_.surroundings;
  const auto find_whole = [&](const PartFindings& all) {
    Exploration found = find(all);
    found.counts.seconds += seconds_before;
    return found;
  };
  const auto on_bug = [&](const NamedBug& bug) {
    PartFindings one;
    one.result.bugs.push_back(bug);
    surroundings.listener->on_bug(find(one).bugs.front());
  };
  std::function<void(PartFindings)> keep;
  if (setting_.keep)
    keep = [&](const PartFindings& all) {
      from_ = find_whole(all);
      setting_.keep(from_, all);
    };
  looks_ = {};
  StateCoordinator coordinator(
      setting_.states, flags,
      {.jobs = setting_.jobs,
       .by_levels = setting_.order == StateOrder::kBreadthFirst,
       .by_delays = by_delays(),
       .delays_max = setting_.delays_max,
       .seconds = limits.seconds,
       .memory = limits.memory,
       .after_bug = limits.after_bug,
       .keeping = setting_.keeping,
       .interrupt = surroundings.interrupt},
      {.visit = [&](std::size_t number, std::uint32_t visitor,
                    Channel channel) { visit(number, visitor, std::move(channel), flags); },
       .fork = setting_.fork,
       .follow = [&](std::span<const std::uint32_t> way) { return follow(way); },
       .heard =
           [&](const PartFindings& found, std::string_view looked) {
             if (setting_.learn) setting_.learn(found);
             CHECK_MESSAGE(looked.empty() || looks_.add(looked), kNondeterminism);
           },
       .progress = [&](const Counts& counts) { surroundings.listener->on_progress(counts); },
       .bug = on_bug,
       .keep = keep});
  coordinator.add_running(std::move(copy), distance, std::move(told), std::exchange(begun_, std::nullopt));
  const PartFindings total = coordinator.run();
  if (setting_.ended) setting_.ended(total);
  problems_.insert(problems_.end(), coordinator.problems().begin(), coordinator.problems().end());
  loss_ = coordinator.loss();
  return find_whole(total);
}

}  // namespace ravel
