// Searches in parts, of which several are under way at a time, come back in any order, and are lost now and
// then, against the search of one process: the same executions, each as often, and the same end.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/random.h"
#include "engine/divisible.h"
#include "engine/explorer.h"
#include "engine/strategy_wrapper.h"
#include "strategy/catalogue.h"
#include "strategy/sample_source.h"
#include "tests/toy/message_system.h"
#include "tests/toy/trace_counter.h"

namespace ravel {
namespace {

using toy::Act;
using toy::MessageProgram;
using toy::MessageSystem;
using toy::TraceCounter;

struct Case {
  const char* strategy;
  StrategyParameters options;
};

const std::vector<Case> kSamples = {
    {"random", {.executions = 150}},
    {"irs", {.executions = 150, .own = {{.name = "--stratum", .value = 4}}}},
    {"pos", {.seed = 7, .executions = 150}},
    {"pos", {.executions = 40, .first_execution = 30}},
    {"pct", {.executions = 150}},
    {"pct", {.executions = 150, .variables = 1}},
    {"surw", {.executions = 150}},
};

const std::vector<Case> kTrees = {
    {"dfs", {}},
    {"delay", {}},
    {"delay", {.bound = 2}},
    {"preemption", {}},
    {"preemption", {.bound = 2}},
    {"preemption", {.bound = 2, .variables = 1}},
    {"dfs", {.faults = 1}},
    {"delay", {.bound = 2, .faults = 2}},
    {"preemption", {.faults = 1}},
    {"preemption", {.bound = 2, .faults = 2}},
};

const std::vector<Case> kSets = {
    {"vt", {.bound = 1, .variables = 1, .threads = 2}},
    {"vt", {.seed = 5, .bound = 2, .variables = 1, .threads = 3}},
    {"vt", {.bound = 2, .variables = 2, .threads = 2}},
};

// Some choices are faults, if there are to be some.
class Faults final : public StrategyWrapper {
 public:
  Faults(Strategy& strategy, const Case& tried)
      : StrategyWrapper(strategy), are_some_(tried.options.faults) {}

  Decision choose(const Point& point) override {
    if (!are_some_) return StrategyWrapper::choose(point);
    std::vector<Transition> enabled(point.enabled.begin(), point.enabled.end());
    for (Transition& transition : enabled)
      if (transition.alternative > 0) transition.kind = TransitionKind::kFault;
    Point with_faults = point;
    with_faults.enabled = enabled;
    return StrategyWrapper::choose(with_faults);
  }

 private:
  const bool are_some_;
};

std::unique_ptr<Strategy> make(const Case& tried) {
  return std::move(*make_strategy(tried.strategy, tried.options));
}

struct Found {
  std::map<std::string, std::uint64_t> traces;
  std::map<std::string, std::uint64_t> bugs;  // executions by key
  std::uint64_t executions = 0, redundant = 0, abandoned = 0;
  std::string promise;
  std::vector<Bound> bounds;
  bool has_ended = false;  // by its first bug

  void add(const Found& later) {
    for (const auto& [trace, times] : later.traces) traces[trace] += times;
    for (const auto& [bug, times] : later.bugs) bugs[bug] += times;
    executions += later.executions;
    redundant += later.redundant;
    abandoned += later.abandoned;
    promise = later.promise;
    bounds = later.bounds;
    has_ended = later.has_ended;
  }
  friend bool operator==(const Found&, const Found&) = default;
};

struct Slice {
  Found found;
  std::string notes;
  std::optional<std::string> rest;
  bool is_complete = false;
};

// Runs so many executions of a part, or of all if there is none, as another process would.
Slice run(const MessageProgram& program, const Case& tried, const std::optional<Part>& part,
          std::uint64_t executions, AfterBug after_bug) {
  MessageSystem system(program);
  const auto strategy = make(tried);
  Divisible* const divisible = as_divisible(strategy.get());
  EXPECT_NE(divisible, nullptr);
  if (part) {
    PositionReader reader(part->position);
    Trials trials(system);
    EXPECT_TRUE(strategy->read_position(reader, trials) && reader.is_complete());
    divisible->become_part(part->from_level);
  }
  Faults faults(*strategy, tried);
  TraceCounter counter(faults, system);
  SteadyClock clock;
  Limits limits;
  limits.executions = executions;
  limits.after_bug = after_bug;
  const Exploration exploration = Explorer(system, counter, limits, clock).run();
  Slice slice;
  Found& found = slice.found;
  found.traces = counter.traces;
  for (const FoundBug& bug : exploration.bugs) found.bugs[bug.bug.key()] += bug.executions;
  found.executions = exploration.counts.executions;
  found.redundant = exploration.counts.redundant;
  found.abandoned = exploration.counts.abandoned;
  found.promise = exploration.promise;
  found.bounds = exploration.counts.coverage.bounds;
  found.has_ended = exploration.stop == Stop::kFirstBug;
  slice.notes = divisible->take_notes();
  slice.rest = exploration.position;
  slice.is_complete = exploration.stop == Stop::kComplete;
  return slice;
}

// As PartCoordinator does, but with what it can't do at will: parts come back in any order.
class InParts {
 public:
  InParts(const MessageProgram& program, const Case& tried, AfterBug after_bug, Random& random)
      : program_(program),
        tried_(tried),
        after_bug_(after_bug),
        random_(random),
        system_(program),
        origin_(make(tried)),
        executions_(1 + random.below(20)),
        in_flight_(2 + random.below(7)) {}

  // How many parts were handed out.
  std::uint64_t parts() const { return parts_; }

  Found search() {
    const Slice alone = run(program_, tried_, std::nullopt, 1 + random_.below(5), after_bug_);
    found_ = alone.found;
    if (!alone.rest) return found_;
    begin(*alone.rest);
    while (!source_->is_done() && !::testing::Test::HasFailure()) step();
    settle();
    for (const auto& [place, found] : ended_)
      if (!source_->is_strict()) found_.add(found);
    if (const auto bounds = source_->bounds()) found_.bounds = *bounds;
    EXPECT_TRUE(source_->is_strict() || source_->has_all());
    return found_;
  }

 private:
  void begin(const std::string& position) {
    source_ = as_divisible(origin_.get())->make_source(system_, position);
    ASSERT_NE(source_, nullptr);
  }

  void step() {
    settle();
    // Now and then all processes come to an end, and the search goes on from what was kept.
    if (under_way_.empty() && (ended_.empty() || !source_->is_strict()) && random_.below(10) == 0)
      begin(source_->position());
    while (under_way_.size() < in_flight_ && (under_way_.empty() || random_.below(20) > 0)) {
      const auto part = source_->hand_out();
      if (!part) break;
      under_way_.push_back(*part);
      ++parts_;
    }
    ASSERT_FALSE(under_way_.empty());
    const std::size_t chosen = random_.below(under_way_.size());
    const Part part = under_way_[chosen];
    under_way_.erase(under_way_.begin() + static_cast<std::ptrdiff_t>(chosen));
    const Slice slice = run(program_, tried_, part, executions_, after_bug_);
    if (random_.below(10) == 0) return source_->take_back(part.number);  // lost
    take(part, slice);
  }

  void take(const Part& part, const Slice& slice) {
    ASSERT_TRUE(source_->commit(part.number, slice.notes));
    const PartPlace place = source_->beginning_of(part.number);
    if (slice.is_complete) {
      ended_.emplace(place, slice.found);
      return source_->finish(part.number, true);
    }
    if (slice.found.has_ended) {
      ended_.emplace(place, slice.found);
      return source_->end_search_at(part.number);
    }
    source_->keep(part.number, *slice.rest);
    if (source_->is_void(part.number)) return source_->take_back(part.number);
    ended_.emplace(place, slice.found);
    if (random_.below(3) > 0) {
      EXPECT_FALSE(source_->divide(part.number).is_damaged);
    }
    source_->take_back(part.number);
  }

  void settle() {
    if (!source_->is_strict()) return;
    for (const PartPlace& place : source_->take_void()) ended_.erase(place);
    const PartPlace settled = source_->settled_before();
    while (!ended_.empty() && ended_.begin()->first <= settled && !found_.has_ended) {
      found_.add(ended_.begin()->second);
      ended_.erase(ended_.begin());
    }
    if (found_.has_ended) {
      EXPECT_TRUE(source_->is_done());
    }
  }

  const MessageProgram& program_;
  const Case& tried_;
  const AfterBug after_bug_;
  Random& random_;
  MessageSystem system_;
  const std::unique_ptr<Strategy> origin_;
  const std::uint64_t executions_, in_flight_;
  std::unique_ptr<PartSource> source_;
  std::vector<Part> under_way_;
  std::multimap<PartPlace, Found> ended_;
  Found found_;
  std::uint64_t parts_ = 0;
};

// Of all small programs; more would take long.
constexpr std::uint64_t kExecutionsMost = 3'000;

const std::vector<std::vector<Act>> kAlphabets = {
    {Act::kRead, Act::kWrite, Act::kAdd},
    {Act::kSend, Act::kReceive, Act::kReceiveOr},
    {Act::kSend, Act::kReceive, Act::kChoose, Act::kBranch},
    {Act::kKill, Act::kAdd, Act::kSend, Act::kReceive},
    {Act::kSpawn, Act::kSend, Act::kReceive, Act::kAdd},
};

void compare(const std::vector<Case>& cases, std::uint64_t programs, AfterBug after_bug) {
  std::uint64_t with_bugs = 0, compared = 0, parts = 0;
  for (std::uint64_t seed = 0; seed < programs; ++seed) {
    for (const std::vector<Act>& acts : kAlphabets) {
      Random random(seed);
      const MessageProgram program = toy::random_message_program(random, acts, 3, 3);
      for (const Case& tried : cases) {
        SCOPED_TRACE(std::string(tried.strategy) + ", seed " + std::to_string(seed) + "\n" +
                     to_string(program));
        const Slice one = run(program, tried, std::nullopt, kExecutionsMost, after_bug);
        if (one.rest) continue;
        ++compared;
        InParts in_parts(program, tried, after_bug, random);
        const Found found = in_parts.search();
        parts += in_parts.parts();
        EXPECT_EQ(found.executions, one.found.executions);
        EXPECT_EQ(found.redundant, one.found.redundant);
        EXPECT_EQ(found.abandoned, one.found.abandoned);
        EXPECT_EQ(found.traces, one.found.traces);
        EXPECT_EQ(found.bugs, one.found.bugs);
        EXPECT_EQ(found.promise, one.found.promise);
        EXPECT_EQ(found.bounds, one.found.bounds);
        EXPECT_EQ(found.has_ended, one.found.has_ended);
        with_bugs += found.bugs.empty() ? 0 : 1;
        if (::testing::Test::HasFailure()) return;
      }
    }
  }
  EXPECT_GT(with_bugs, programs);
  EXPECT_GT(compared, programs * cases.size());
  if (after_bug == AfterBug::kKeepGoing) {
    EXPECT_GT(parts, 5 * compared);
  }
}

TEST(SearchInParts, DrawsTheExecutionsOfOneProcess) { compare(kSamples, 25, AfterBug::kKeepGoing); }
TEST(SearchInParts, EndsASampleAtTheFirstBugOfOneProcess) { compare(kSamples, 25, AfterBug::kStop); }

TEST(SearchInParts, RunsTheSchedulesOfOneProcess) { compare(kTrees, 25, AfterBug::kKeepGoing); }

TEST(SearchInParts, RunsTheSetsOfOneProcess) { compare(kSets, 10, AfterBug::kKeepGoing); }
TEST(SearchInParts, EndsASearchOfSetsAtTheFirstBugOfOneProcess) { compare(kSets, 10, AfterBug::kStop); }

// Beyond its first stage it goes on by what it has met.
TEST(SearchInParts, ReductionInStagesIsWhole) {
  StrategyContext context;
  context.waits_unseen = true;
  const auto strategy = std::move(*make_strategy("dpor", {.faults = 1}, context));
  EXPECT_EQ(as_divisible(strategy.get()), nullptr);
}

TEST(SearchInParts, StratifiedSamplesAreWhole) {
  const auto strategy = make({"ss", {.executions = 10}});
  EXPECT_EQ(as_divisible(strategy.get()), nullptr);
}

}  // namespace
}  // namespace ravel
