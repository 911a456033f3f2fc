// How SystemSearch has a search run by several processes.

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <limits>
#include <utility>

#include "base/check.h"
#include "base/clock.h"
#include "base/cores.h"
#include "base/memory.h"
#include "check/part_work.h"
#include "check/system_search.h"
#include "engine/divisible.h"
#include "engine/explorer.h"
#include "engine/named_step.h"
#include "host/messages.h"

namespace ravel {

namespace {

constexpr double kSecondsOfSlices = 1;

// How often a search that stays in one process asks itself whether it is to be divided.
constexpr double kSecondsBetweenDoubts = 0.05;

// Ends an explorer's run when either this program or the user wants that, and looks around now and then.
class EndingListener final : public Listener {
 public:
  EndingListener(Listener& next, const std::atomic<bool>& interrupt, std::atomic<bool>& ends,
                 std::function<void()> look)
      : next_(next), interrupt_(interrupt), ends_(ends), look_(std::move(look)) {}

  void on_progress(const Counts& counts) override {
    next_.on_progress(counts);
    if (interrupt_.load(std::memory_order_relaxed)) ends_ = true;
    look_();
  }
  void on_long_work(std::uint64_t steps) override {
    next_.on_long_work(steps);
    if (interrupt_.load(std::memory_order_relaxed)) ends_ = true;
  }
  void on_bug(const FoundBug& found) override { next_.on_bug(found); }
  bool ends_search() override { return next_.ends_search(); }

 private:
  Listener& next_;
  const std::atomic<bool>& interrupt_;
  std::atomic<bool>& ends_;
  const std::function<void()> look_;
};

}  // namespace

// Whether the search goes on from where several processes had parts of it.
bool SystemSearch::is_in_parts() const {
  const Divisible* const divisible = as_divisible(strategy_.get());
  return so_far_ && divisible != nullptr && divisible->is_of_source(*so_far_->position);
}

bool SystemSearch::may_be_divided() const {
  return is_in_parts() || (options_.jobs > 1 && why_undivided().empty());
}

// Why one process has the whole search: a sentence without its end. Empty: several may have parts of it.
std::string SystemSearch::why_undivided() const {
  const std::string by = "--strategy " + settings_.request.strategy;
  if (task_.is_noted) return "--graph notes executions in their order";
  if (!may_have_parts_) return "--coverage counts what comes next to what";
  // A sample is asked for so many, and parts of it have their numbers.
  if (settings_.request.limits.executions) return "--budget counts executions of " + by + " in their order";
  if (as_divisible(strategy_.get()) != nullptr) return "";
  const Divisible* const divisible = dynamic_cast<const Divisible*>(strategy_.get());
  const std::string why = divisible != nullptr ? divisible->why_whole() : "it goes on from what it has found";
  const StrategyParameters& parameters = settings_.request.parameters;
  const std::string_view with = parameters.faults  ? " with faults"
                                : parameters.early ? " with --early"
                                : parameters.bound ? " with a bound"
                                                   : "";
  return fmt::format("{}{} has no parts: {}", by, with, why);
}

PartRunning SystemSearch::running_parts(Listener& listener, Telling telling) {
  Limits limits = settings_.request.limits;
  if (limits.memory) *limits.memory /= options_.jobs;
  return {.system = system_,
          .limits = limits,
          .listener = &listener,
          .make_strategy =
              [this, telling] {
                if (telling == Telling::kNobody) writer_->be_silent();
                auto strategy = make_strategy(*find_strategy(settings_.request.strategy),
                                              settings_.request.parameters, settings_.context);
                as_divisible(strategy.get())->stand_on(ground_);
                return strategy;
              },
          .save = [this](const Exploration& now) { return save(now); },
          .held_memory = resident_bytes};
}

// The search begins in this process. If it has not ended soon, and if it pays off, a copy of the process goes
// on with it, as with a part, and this one has it in parts from then on.
Exploration SystemSearch::run_in_parts(const Surroundings& surroundings) {
  SharedFlags flags(options_.jobs);
  if (is_in_parts()) return coordinate(*so_far_, std::nullopt, flags, surroundings);
  std::atomic<bool> ends = false;
  std::optional<PartWorker> worker;   // in the copy
  std::optional<ChildProcess> copy;   // in this process
  std::optional<Exploration> so_far;  // when it was made
  const Explorer* running = nullptr;
  Divisible& divisible = *as_divisible(strategy_.get());
  SteadyClock clock;
  bool is_to_part = false;
  double next_look = clock.seconds() + (so_far_ ? 0 : settings_.seconds_alone);
  const double alone_until = processor_seconds() + (so_far_ ? 0 : settings_.seconds_alone);
  // Other programs that keep the machine busy make no search a long one.
  const auto look = [&] {
    if (copy || clock.seconds() < next_look) return;
    next_look = clock.seconds() + (worker ? kSecondsOfSlices : kSecondsBetweenDoubts);
    if (worker || (processor_seconds() >= alone_until && divisible.pays_off())) is_to_part = flags[0] = true;
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
    std::fflush(nullptr);
    ground_ = divisible.common_ground();
    auto forked = fork_process();
    if (!forked) {
      next_look = std::numeric_limits<double>::infinity();
      return remark(forked.error().message, options_.report.colour);
    }
    if (forked->child) {
      copy.emplace(std::move(*forked->child));
      so_far = now;
      ends = true;
      return;
    }
    worker.emplace(running_parts(*surroundings.listener), std::move(*forked->parent), flags[0]);
    writer_->be_silent();
    divisible.stand_on(ground_);
    divisible.become_part(0);
    worker->take(0, *strategy_, *running);
  };
  Explorer explorer(system_, *strategy_, settings_.request.limits, clock, own);
  running = &explorer;
  Exploration found = explorer.run(so_far_.value_or(Exploration{}));
  if (worker) {
    if (!worker->stop()) worker->tell_end(found, explorer);
    worker->serve();
  }
  if (!copy) return found;
  so_far->strategy = found.strategy;
  return coordinate(*so_far, std::move(copy), flags, surroundings);
}

void SystemSearch::tell_bug(const NamedBug& bug, Listener& listener) {
  SearchResult one;
  one.bugs.push_back(bug);
  const auto here = find_result(one, system_);
  CHECK_MESSAGE(here, "what parts have found cannot be done here: nondeterminism that is not under control");
  listener.on_bug(here->bugs.front());
}

// Has the search in parts, from where it was. `copy`: the process that goes on with it as the first part.
Exploration SystemSearch::coordinate(const Exploration& so_far, std::optional<ChildProcess> copy,
                                     SharedFlags& flags, const Surroundings& surroundings) {
  Divisible& divisible = *as_divisible(strategy_.get());
  divisible.stand_on(ground_);
  const auto source = divisible.make_source(system_, *so_far.position);
  if (source == nullptr) return refuse_position();
  const Limits& limits = settings_.request.limits;
  std::optional<double> seconds = limits.seconds;
  if (seconds && copy) *seconds = std::max(0.0, *seconds - so_far.counts.seconds);
  KeepingTimes keeping = settings_.keeping;
  const auto keep = [&](SavedTest now) {
    now.program = subject_.program;
    now.own = own_ ? own_() : "{}";
    now.report.test = report_.test;
    now.report.title = report_.title;
    now.report.result.counts.seconds += so_far.counts.seconds;
    for (const NamedBug& bug : now.report.result.bugs)
      now.report.tickets.push_back(writer_->ticket_of(bug.bug));
    if (task_.keep) task_.keep(now);
  };
  PartCoordinator coordinator(
      *source, flags, running_parts(*surroundings.listener),
      {.jobs = options_.jobs,
       .seconds = seconds,
       .after_bug = limits.after_bug,
       .interrupt = surroundings.interrupt,
       .keeping = keeping},
      {.progress = [&](const Counts& counts) { surroundings.listener->on_progress(counts); },
       .bug = [&](const NamedBug& bug) { tell_bug(bug, *surroundings.listener); },
       .discovered = [&](std::span<const NamedStep> steps) { find_steps(system_, steps); },
       .keep = keep});
  if (copy)
    coordinator.add_running(std::move(*copy), save(so_far));
  else
    coordinator.add_found(save(so_far));
  const SavedTest total = coordinator.run();
  report_.left_behind.add(total.report.left_behind);
  report_.handled_ends.add(total.report.handled_ends);
  for (const std::string& problem : coordinator.problems()) report_.warnings.push_back(problem);
  auto found = find_result(total.report.result, system_);
  CHECK_MESSAGE(found, "what parts have found cannot be done here: nondeterminism that is not under control");
  found->strategy = so_far.strategy;
  if (is_interruption(found->stop) && source->is_strict())
    found->counts.executions_estimate = strategy_->executions_estimate();
  found->counts.seconds += so_far.counts.seconds;
  return std::move(*found);
}

// Parts that other machines run.
Exploration SystemSearch::work_on_parts(const Surroundings& surroundings) {
  Listener& listener = *surroundings.listener;
  const Telling telling = task_.parts->tells_bugs() ? Telling::kWriter : Telling::kNobody;
  const SavedTest total =
      task_.parts->run({.system = system_,
                        .divisible = *as_divisible(strategy_.get()),
                        .running = running_parts(listener, telling),
                        .settings = settings_,
                        .interrupt = *surroundings.interrupt,
                        .on_bug = [&](const NamedBug& bug) { tell_bug(bug, listener); },
                        .discovered = [&](std::span<const NamedStep> steps) { find_steps(system_, steps); }});
  report_.left_behind.add(total.report.left_behind);
  report_.handled_ends.add(total.report.handled_ends);
  report_.warnings.insert(report_.warnings.end(), total.report.warnings.begin(), total.report.warnings.end());
  auto found = find_result(total.report.result, system_);
  CHECK_MESSAGE(found, "what parts have found cannot be done here: nondeterminism that is not under control");
  return std::move(*found);
}

}  // namespace ravel
