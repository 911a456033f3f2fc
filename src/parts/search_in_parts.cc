#include "parts/search_in_parts.h"

#include <algorithm>
#include <atomic>
#include <functional>
#include <limits>
#include <utility>

#include "base/check.h"
#include "base/clock.h"
#include "base/cores.h"
#include "engine/divisible.h"
#include "engine/explorer.h"
#include "engine/named_step.h"

namespace ravel {

namespace {

constexpr double kSecondsOfSlices = 1;

// How often a search that stays in one process asks itself whether it is to be divided.
constexpr double kSecondsBetweenDoubts = 0.05;

constexpr const char kImpossible[] =
    "what parts have found cannot be done here: nondeterminism that is not under control";

// Ends an explorer's run when either this program or the user wants that, and looks around now and then.
class EndingListener final : public Listener {
 public:
  EndingListener(Listener& next, const std::atomic<bool>& interrupt, std::atomic<bool>& ends,
                 std::function<void()> look)
      : next_(&next), interrupt_(interrupt), ends_(ends), look_(std::move(look)) {}

  // In a copy, which has a listener of its own.
  void change_next(Listener& next) { next_ = &next; }

  void on_progress(const Counts& counts) override {
    next_->on_progress(counts);
    if (interrupt_.load(std::memory_order_relaxed)) ends_ = true;
    look_();
  }
  void on_long_work(std::uint64_t steps) override {
    next_->on_long_work(steps);
    if (interrupt_.load(std::memory_order_relaxed)) ends_ = true;
  }
  void on_bug(const FoundBug& found) override { next_->on_bug(found); }
  bool ends_search() override { return next_->ends_search(); }

 private:
  Listener* next_;
  const std::atomic<bool>& interrupt_;
  std::atomic<bool>& ends_;
  const std::function<void()> look_;
};

}  // namespace

std::string why_no_parts(const Strategy& strategy, const SearchRequest& request) {
  const std::string by = "--strategy " + request.strategy;
  // A sample is asked for so many, and parts of it have their numbers.
  if (request.limits.executions) return "--budget counts executions of " + by + " in their order";
  const auto* const divisible = dynamic_cast<const Divisible*>(&strategy);
  const std::string why = divisible != nullptr ? divisible->why_whole() : "it goes on from what it has found";
  if (why.empty()) return "";
  const StrategyParameters& parameters = request.parameters;
  const char* const with = parameters.faults  ? " with faults"
                           : parameters.early ? " with --early"
                           : parameters.bound ? " with a bound"
                                              : "";
  return by + with + " has no parts: " + why;
}

std::optional<Exploration> SearchInParts::run(const std::optional<Exploration>& so_far) {
  SharedFlags flags(setting_.processes.most);
  const auto& known = dynamic_cast<const Divisible&>(setting_.strategy);
  if (so_far && so_far->position && known.is_of_source(*so_far->position))
    return coordinate(*so_far, std::nullopt, flags);
  const Surroundings& surroundings = setting_.surroundings;
  std::atomic<bool> ends = false;
  std::optional<PartWorker> worker;   // in the copy
  std::optional<ChildProcess> copy;   // in this process
  std::optional<Exploration> parted;  // what was found when it was made
  const Explorer* running = nullptr;
  SteadyClock clock;
  bool is_to_part = false;
  double next_look = clock.seconds() + setting_.seconds_alone;
  const double alone_until = processor_seconds() + setting_.seconds_alone;
  // Other programs that keep the machine busy make no search a long one.
  const auto look = [&] {
    if (copy || clock.seconds() < next_look) return;
    next_look = clock.seconds() + (worker ? kSecondsOfSlices : kSecondsBetweenDoubts);
    if (!worker && (processor_seconds() < alone_until || setting_.processes.now() < 2 || !pays_off())) return;
    is_to_part = flags[0] = true;
  };
  EndingListener listener(*surroundings.listener, *surroundings.interrupt, ends, look);
  Surroundings own = surroundings;
  own.listener = &listener;
  own.interrupt = &ends;
  own.keep_now = &flags[0];
  own.keep = [&](const Exploration& now) {
    if (worker) {
      worker->tell_slice(now);
      if (worker->stop()) ends = true;
      return;
    }
    if (ends) return;
    if (!std::exchange(is_to_part, false)) {
      if (surroundings.keep) surroundings.keep(now);
      return;
    }
    setting_.running.ground = divisible().common_ground();
    auto forked = setting_.running.fork();
    if (!forked) {
      next_look = std::numeric_limits<double>::infinity();
      problems_.push_back(forked.error().message);
      return;
    }
    if (forked->child) {
      copy.emplace(std::move(*forked->child));
      parted = now;
      ends = true;
      return;
    }
    worker.emplace(setting_.running, std::move(*forked->parent), flags[0]);
    listener.change_next(*setting_.running.listener);
    if (setting_.begin_copy) setting_.begin_copy();
    divisible().stand_on(setting_.running.ground);
    divisible().become_part(0);
    worker->take(0, setting_.strategy, *running);
  };
  const auto explorer = setting_.running.explorer_of(setting_.strategy, setting_.limits, clock, own);
  running = explorer.get();
  Exploration found = explorer->run(so_far.value_or(Exploration{}));
  if (worker) {
    if (!worker->stop()) worker->tell_end(found, *explorer);
    worker->serve();
  }
  if (!copy) {
    if (setting_.discovered && surroundings.listener->ends_search())
      setting_.discovered(name_steps(explorer->schedule(), setting_.system));
    return found;
  }
  parted->strategy = found.strategy;
  if (std::optional<double>& seconds = setting_.limits.seconds)
    *seconds = std::max(0.0, *seconds - parted->counts.seconds + (so_far ? so_far->counts.seconds : 0));
  return coordinate(*parted, std::move(copy), flags);
}

void SearchInParts::tell_bug(const NamedBug& bug) {
  SearchResult one;
  one.bugs.push_back(bug);
  const auto here = find_result(one, setting_.system);
  CHECK_MESSAGE(here, kImpossible);
  setting_.surroundings.listener->on_bug(here->bugs.front());
}

// Has the search in parts, from where it was. `copy`: the process that goes on with it as the first part.
std::optional<Exploration> SearchInParts::coordinate(const Exploration& so_far,
                                                     std::optional<ChildProcess> copy, SharedFlags& flags) {
  System& system = setting_.system;
  divisible().stand_on(setting_.running.ground);
  const auto source = divisible().make_source(system, *so_far.position);
  if (source == nullptr) return std::nullopt;
  const auto keep = [&](PartFindings now) {
    now.result.counts.seconds += so_far.counts.seconds;
    setting_.keep(std::move(now));
  };
  PartCoordinator coordinator(
      *source, flags, setting_.running,
      {.processes = setting_.processes,
       .seconds = setting_.limits.seconds,
       .executions = setting_.limits.executions,
       .after_bug = setting_.limits.after_bug,
       .interrupt = setting_.surroundings.interrupt,
       .keeping = setting_.keeping},
      {.progress = [&](const Counts& counts) { setting_.surroundings.listener->on_progress(counts); },
       .bug = [&](const NamedBug& bug) { tell_bug(bug); },
       .discovered = setting_.discovered,
       .keep = setting_.keep ? keep : std::function<void(PartFindings)>()});
  PartFindings before = setting_.running.save(so_far);
  if (copy)
    coordinator.add_running(std::move(*copy), std::move(before));
  else
    coordinator.add_found(std::move(before));
  total_ = coordinator.run();
  problems_.insert(problems_.end(), coordinator.problems().begin(), coordinator.problems().end());
  auto found = find_result(total_->result, system);
  CHECK_MESSAGE(found, kImpossible);
  found->strategy = so_far.strategy;
  if (is_interruption(found->stop) && source->is_strict())
    found->counts.executions_estimate = setting_.strategy.executions_estimate();
  found->counts.seconds += so_far.counts.seconds;
  return found;
}

}  // namespace ravel
