#include "threads/worker/search.h"

#include <sys/poll.h>
#include <sys/syscall.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <string>
#include <string_view>
#include <utility>

#include "base/check.h"
#include "base/clock.h"
#include "base/hash.h"
#include "engine/explorer_loop.h"
#include "engine/position.h"
#include "strategy/bug_bounds.h"
#include "strategy/catalogue.h"
#include "threads/protocol/system_call.h"
#include "threads/worker/output.h"

namespace ravel::threads {

namespace {

// The command hears of progress so often.
constexpr double kSecondsPerReport = 0.1;

// Before a complete search, races are looked for in so many random executions, and until so many have shown no new one.
constexpr std::uint64_t kSurveyMax = 200;
constexpr std::uint64_t kSurveyQuiet = 20;

// What is known of both, and of the later one what is about the whole search.
Counts sum(const Counts& before, const Counts& later) {
  Counts counts = later;
  counts.executions += before.executions;
  counts.redundant += before.redundant;
  counts.abandoned += before.abandoned;
  counts.cut_off += before.cut_off;
  counts.events += before.events;
  counts.events_max = std::max(counts.events_max, before.events_max);
  counts.erroneous += before.erroneous;
  return counts;
}

class Reporter final : public Listener {
 public:
  Reporter(int socket, Clock& clock, Scheduler& scheduler, Counts& before, std::atomic<bool>& stop)
      : socket_(socket), clock_(clock), scheduler_(scheduler), before_(before), stop_(stop) {}

  void on_progress(const Counts& counts) override {
    if (scheduler_.has_new_racy_words() && stops_at_race) stop_ = true;
    const double now = clock_.seconds();
    if (now - last_ < kSecondsPerReport) return;
    last_ = now;
    drop_long_output();
    const Counts all = sum(before_, counts);
    Writer message;
    message << MessageKind::kProgress << all;
    if (!send_frame(socket_, message.bytes())) stop_ = true;
    pollfd input{.fd = socket_, .events = POLLIN, .revents = 0};
    if (system_call(SYS_poll, reinterpret_cast<long>(&input), 1, 0) > 0) stop_ = interrupted = true;
  }
  void on_bug(const FoundBug&) override { raw_bugs_changed = true; }

  bool stops_at_race = true;
  bool interrupted = false;
  bool raw_bugs_changed = false;

 private:
  int socket_;
  Clock& clock_;
  Scheduler& scheduler_;
  Counts& before_;
  std::atomic<bool>& stop_;
  double last_ = 0;
};

// Keeps the raw form of each bug, which the engine's form of it does not hold.
class RawBugs final : public Listener {
 public:
  RawBugs(Scheduler& scheduler, Listener& next) : scheduler_(scheduler), next_(next) {}

  void on_progress(const Counts& counts) override { next_.on_progress(counts); }
  void on_bug(const FoundBug& found) override {
    RawBug raw = scheduler_.bug();
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
  Scheduler& scheduler_;
  Listener& next_;
  std::vector<std::string> keys_;
  std::vector<RawBug> bugs_;
};

// An explorer whose loop has the steps of threads inlined.
class ThreadsExplorer final : public Explorer {
 public:
  ThreadsExplorer(ThreadsSystem& system, Strategy& strategy, const Limits& limits, Clock& clock, Listener* listener = nullptr)
      : Explorer(system, strategy, limits, clock, listener), system_(system) {}

 private:
  Ending execute() override { return execute_on(system_); }

  ThreadsSystem& system_;
};

class Search {
 public:
  Search(ThreadsSystem& system, const SearchOrder& order, int socket)
      : system_(system), order_(order), reporter_(socket, clock_, scheduler(), before_, stop_) {}

  Searched run() {
    Searched searched;
    const bool adapts = this->adapts();
    reporter_.stops_at_race = adapts;
    if (order_.position) {
      before_ = order_.so_far;
    } else if (adapts && !samples()) {
      survey();
    }
    start_ = clock_.seconds();
    while (true) {
      const bool is_last = pass(searched);
      if (is_last) break;
      ++searched.passes;
    }
    searched.tracked = scheduler().configuration().tracked;
    searched.findings = {.races = scheduler().races(), .left_behind = scheduler().left_behind()};
    searched.counts.seconds = order_.so_far.seconds + clock_.seconds() - start_;
    return searched;
  }

 private:
  // A sampling search promises nothing that new operations in its middle would break.
  bool samples() const { return is_sampling(order_.strategy); }

  // Arrays as a whole, if that was asked for: by the address of their first byte.
  VariableOf variables() const {
    if (!order_.arrays_are_whole) return {};
    return [&arrays = order_.arrays](std::uint64_t object) {
      if (const auto place = heap().place_of(object)) return object - place->offset;
      const auto after = std::ranges::upper_bound(arrays, object, {}, &Extent::low);
      return after != arrays.begin() && object - std::prev(after)->low < std::prev(after)->size ? std::prev(after)->low : object;
    };
  }

  // If a race is a bug, there is no execution behind one to care for.
  static bool adapts() {
    const Configuration& configuration = scheduler().configuration();
    return configuration.accesses == AccessOperations::kRacy && !configuration.races_are_bugs;
  }

  bool adopt_new_words() {
    std::vector<std::uint64_t> words = scheduler().take_new_racy_words();
    if (words.empty()) return false;
    Configuration configuration = scheduler().configuration();
    configuration.tracked.insert(configuration.tracked.end(), words.begin(), words.end());
    scheduler().configure(configuration);
    return true;
  }

  // What it finds is not told: the search proper finds it as well, in the order that it promises.
  void survey() {
    std::uint64_t quiet = 0;
    for (std::uint64_t i = 0; i < kSurveyMax && quiet < kSurveyQuiet; ++i) {
      const auto strategy = make_strategy("random", {.seed = combine(order_.seed, i), .executions = 1});
      CHECK(strategy.ok());
      ThreadsExplorer(system_, **strategy, {.seconds = {}, .executions = {}, .events_max = order_.events_max, .interrupt = nullptr}, clock_)
          .run();
      quiet = adopt_new_words() ? 0 : quiet + 1;
      // Others would take seconds as well.
      if (system_.outcome() == Outcome::kBug && scheduler().bug().kind == "no_progress") return;
    }
  }

  // One run of the strategy. False if it has to be run again.
  bool pass(Searched& searched) {
    stop_ = false;
    const bool is_first = std::exchange(is_first_pass_, false);
    PositionReader position(is_first && order_.position ? *order_.position : std::string_view());
    begun_at_ = is_first && order_.position ? position.get() : samples() ? before_.executions : 0;
    // Nothing behind that number: new races had shown, with which the strategy begins anew.
    const bool resumes = is_first && order_.position && !position.is_complete();
    StrategyOptions options{.seed = begun_at_ > 0 ? combine(order_.seed, begun_at_) : order_.seed,
                            .bound = order_.bound,
                            .depth = order_.depth,
                            .variables = order_.variables,
                            .variable_of = variables(),
                            .threads = order_.threads};
    options.operations_block = true;
    if (order_.strategy_executions) options.executions = *order_.strategy_executions - begun_at_;
    // A sampling search is looked at after 1, 2, 4, ... executions, so that it soon goes by the races that its first ones show.
    const bool in_parts = samples() && adapts() && !order_.executions;
    // At the end of each part the strategy has begun an execution that is not run.
    if (in_parts && options.executions) *options.executions += static_cast<std::uint64_t>(std::bit_width(*options.executions + 1)) - 1;
    Result<std::unique_ptr<Strategy>> strategy = make_strategy(order_.strategy, options);
    CHECK(strategy.ok());
    if (resumes && (!(*strategy)->read_position(position) || !position.is_complete())) {
      searched.is_lost = true;
      return true;
    }
    // What a complete search has done with fewer operations counts no more.
    if (!samples() && !resumes) before_ = {};
    Limits limits{.seconds = {},
                  .executions = {},
                  .events_max = order_.events_max,
                  .ignores_event_bound = order_.ignores_event_bound,
                  .after_bug = order_.keeps_going ? AfterBug::kKeepGoing : AfterBug::kStop,
                  .interrupt = &stop_};
    // A budget is for what is done now.
    const std::uint64_t done = before_.executions - std::min(before_.executions, order_.so_far.executions);
    if (order_.executions) limits.executions = *order_.executions - std::min(*order_.executions, done);
    RawBugs raw(scheduler(), reporter_);
    const std::vector<std::uint64_t> tracked = scheduler().configuration().tracked;
    Exploration exploration;
    bool grew = false;
    for (std::uint64_t part = 1;; part *= 2) {
      if (in_parts) limits.executions = part;
      if (order_.seconds) limits.seconds = std::max(0.0, *order_.seconds - (clock_.seconds() - start_));
      exploration = ThreadsExplorer(system_, **strategy, limits, clock_, &raw).run();
      const bool is_part = in_parts && exploration.stop == Stop::kExecutionBudget;
      grew = adapts() && adopt_new_words();
      const bool may_go_on = !reporter_.interrupted && exploration.stop != Stop::kTimeBudget &&
                             exploration.stop != Stop::kUnsupported && (is_part || exploration.stop != Stop::kExecutionBudget);
      if (!samples()) {
        if (grew && may_go_on) return false;
        keep_bugs(searched, exploration, raw, tracked);
        break;
      }
      keep_bugs(searched, exploration, raw, tracked);
      const bool was_stopped = is_part || (grew && exploration.stop == Stop::kInterrupted);
      if (!was_stopped || !may_go_on) break;
      before_ = sum(before_, exploration.counts);
      if (grew) return false;
    }
    searched.strategy = exploration.strategy;
    searched.stop = exploration.stop;
    searched.counts = sum(before_, exploration.counts);
    searched.promise = exploration.promise;
    if (exploration.position) {
      PositionWriter where;
      where.put(grew && samples() ? searched.counts.executions : begun_at_);
      searched.position = where.bytes() + (grew ? "" : *exploration.position);
    }
    if (exploration.refusal) {
      searched.refusal = exploration.refusal->message;
      searched.refused_at = scheduler().bug().stack;
    }
    return true;
  }

  void keep_bugs(Searched& searched, const Exploration& exploration, const RawBugs& raw,
                 const std::vector<std::uint64_t>& tracked) const {
    for (const FoundBug& found : exploration.bugs) {
      std::optional<BugBounds> bounds = found.bounds;
      // What the schedule needs is less, as a rule, than what was tried.
      if (bounds) bounds = measure_bounds(system_, found.schedule, variables()).value_or(*bounds);
      searched.bugs.push_back({.schedule = found.schedule,
                               .bug = raw.of(found),
                               .preemptions = found.preemptions,
                               .executions = found.executions,
                               .first_execution = found.first_execution + before_.executions,
                               .bounds = bounds,
                               .tracked = tracked});
    }
  }

  ThreadsSystem& system_;
  const SearchOrder& order_;
  SteadyClock clock_;
  std::atomic<bool> stop_ = false;
  Counts before_;  // of executions that count, before those of the explorer that runs
  bool is_first_pass_ = true;
  std::uint64_t begun_at_ = 0;  // how many executions a sampling search had done when its strategy was made
  Reporter reporter_;
  double start_ = 0;
};

}  // namespace

Searched search(ThreadsSystem& system, const SearchOrder& order, int socket) {
  return Search(system, order, socket).run();
}

}  // namespace ravel::threads
