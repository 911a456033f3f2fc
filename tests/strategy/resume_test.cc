// A search that is interrupted again and again and resumed by new objects runs what an uninterrupted one
// runs: the same executions, each once, with the same counts and bugs.

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <vector>

#include "engine/explorer.h"
#include "engine/strategy_wrapper.h"
#include "strategy/catalogue.h"
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

const std::vector<Case> kCases = {
    {"dfs", {}},
    {"preemption", {}},
    {"preemption", {.bound = 1}},
    {"delay", {}},
    {"dpor", {}},
    {"dpor", {.bound = 2}},
    {"variants", {}},
    {"random", {.executions = 40}},
    {"irs", {.executions = 40}},
    {"irs", {.executions = 40, .own = {{.name = "--stratum", .value = 4}}}},
    {"pct", {.executions = 40}},
    {"pos", {.executions = 40}},
    {"surw", {.executions = 40}},
    {"ss", {.executions = 40}},
    {"vt", {.bound = 1, .variables = 1, .threads = 2}},
    {"vt", {.bound = 2, .variables = 2, .threads = 3}},
};

std::unique_ptr<Strategy> make(const Case& tried) {
  return std::move(*make_strategy(tried.strategy, tried.options));
}

// Sets a flag when a certain number of choices has been made, so that the search is stopped in the middle of
// an execution.
class Interrupter final : public StrategyWrapper {
 public:
  Interrupter(Strategy& strategy, std::uint64_t choices)
      : StrategyWrapper(strategy), choices_left_(choices) {}

  Decision choose(const Point& point) override {
    if (choices_left_ > 0 && --choices_left_ == 0) flag = true;
    return StrategyWrapper::choose(point);
  }

  std::atomic<bool> flag = false;

 private:
  std::uint64_t choices_left_;
};

Limits keep_going() {
  Limits limits;
  limits.after_bug = AfterBug::kKeepGoing;
  return limits;
}

struct Whole {
  std::map<std::string, std::uint64_t> traces;
  Exploration exploration;
};

Whole search(const MessageProgram& program, const Case& tried) {
  MessageSystem system(program);
  const auto strategy = make(tried);
  TraceCounter counter(*strategy, system);
  SteadyClock clock;
  Exploration exploration = Explorer(system, counter, keep_going(), clock).run();
  return {.traces = std::move(counter.traces), .exploration = std::move(exploration)};
}

// Schedules hold the numbers that one System gives to actors.
void move_bugs(Exploration& exploration, const System& from, const System& to) {
  for (FoundBug& found : exploration.bugs)
    for (Transition& step : found.schedule) {
      const auto actor = to.find_actor(from.actor_name(step.actor));
      ASSERT_TRUE(actor);
      step.actor = *actor;
    }
}

void compare(const Whole& whole, const std::map<std::string, std::uint64_t>& traces,
             const Exploration& resumed) {
  EXPECT_EQ(resumed.stop, Stop::kComplete);
  EXPECT_EQ(traces, whole.traces);
  const Counts &a = whole.exploration.counts, &b = resumed.counts;
  EXPECT_EQ(b.executions, a.executions);
  EXPECT_EQ(b.redundant, a.redundant);
  EXPECT_EQ(b.abandoned, a.abandoned);
  EXPECT_EQ(b.coverage, a.coverage);
  ASSERT_EQ(resumed.bugs.size(), whole.exploration.bugs.size());
  for (std::size_t i = 0; i < resumed.bugs.size(); ++i) {
    EXPECT_EQ(resumed.bugs[i].bug.key(), whole.exploration.bugs[i].bug.key());
    EXPECT_EQ(resumed.bugs[i].executions, whole.exploration.bugs[i].executions);
  }
}

// Stops after each `executions`, and goes on with everything new.
void check_in_pieces(const MessageProgram& program, const Case& tried, std::uint64_t executions) {
  const Whole whole = search(program, tried);
  std::map<std::string, std::uint64_t> traces;
  Exploration so_far;
  std::unique_ptr<MessageSystem> before;
  for (int pieces = 0; pieces < 100'000; ++pieces) {
    auto system = std::make_unique<MessageSystem>(program);
    const auto strategy = make(tried);
    if (before) {
      move_bugs(so_far, *before, *system);
      ASSERT_TRUE(so_far.position);
      PositionReader reader(*so_far.position);
      Trials trials(*system);
      ASSERT_TRUE(strategy->read_position(reader, trials));
      ASSERT_TRUE(reader.is_complete());
    }
    TraceCounter counter(*strategy, *system);
    SteadyClock clock;
    Limits limits = keep_going();
    limits.executions = executions;
    so_far = Explorer(*system, counter, limits, clock).run(std::move(so_far));
    for (const auto& [trace, times] : counter.traces) traces[trace] += times;
    before = std::move(system);
    if (so_far.stop != Stop::kExecutionBudget) break;
  }
  compare(whole, traces, so_far);
}

void check_interrupted(const MessageProgram& program, const Case& tried, std::uint64_t choices) {
  const Whole whole = search(program, tried);
  MessageSystem first(program), second(program);
  std::map<std::string, std::uint64_t> traces;
  const auto one = make(tried), other = make(tried);
  TraceCounter counter(*one, first);
  Interrupter interrupter(counter, choices);
  SteadyClock clock;
  Exploration so_far =
      Explorer(first, interrupter, keep_going(), clock, {.interrupt = &interrupter.flag}).run();
  if (so_far.stop == Stop::kComplete) return;
  ASSERT_EQ(so_far.stop, Stop::kInterrupted);
  move_bugs(so_far, first, second);
  PositionReader reader(*so_far.position);
  Trials trials(second);
  ASSERT_TRUE(other->read_position(reader, trials));
  TraceCounter rest(*other, second);
  so_far = Explorer(second, rest, keep_going(), clock).run(std::move(so_far));
  traces = counter.traces;
  for (const auto& [trace, times] : rest.traces) traces[trace] += times;
  compare(whole, traces, so_far);
}

const std::vector<std::vector<Act>> kAlphabets = {
    {Act::kRead, Act::kWrite, Act::kAdd},
    {Act::kSend, Act::kReceive, Act::kReceiveOr},
    {Act::kSend, Act::kReceive, Act::kChoose, Act::kBranch},
    {Act::kKill, Act::kAdd, Act::kSend, Act::kReceive},
    {Act::kSpawn, Act::kSend, Act::kReceive, Act::kAdd},
};

void for_each_program(std::uint64_t programs,
                      const std::function<void(const MessageProgram&, const Case&, Random&)>& check) {
  for (std::uint64_t seed = 0; seed < programs; ++seed) {
    for (const std::vector<Act>& acts : kAlphabets) {
      Random random(seed);
      const MessageProgram program = toy::random_message_program(random, acts, 3, 2);
      for (const Case& tried : kCases) {
        SCOPED_TRACE(std::string(tried.strategy) + ", seed " + std::to_string(seed) + "\n" +
                     to_string(program));
        check(program, tried, random);
        if (::testing::Test::HasFailure()) return;
      }
    }
  }
}

TEST(Resume, InPiecesOfOneExecutionRunsWhatAnUninterruptedSearchRuns) {
  for_each_program(12, [](const MessageProgram& program, const Case& tried, Random&) {
    check_in_pieces(program, tried, 1);
  });
}

TEST(Resume, InPiecesOfSomeExecutionsRunsWhatAnUninterruptedSearchRuns) {
  for_each_program(25, [](const MessageProgram& program, const Case& tried, Random& random) {
    check_in_pieces(program, tried, 2 + random.below(20));
  });
}

TEST(Resume, FromTheMiddleOfAnExecutionRunsWhatAnUninterruptedSearchRuns) {
  for_each_program(40, [](const MessageProgram& program, const Case& tried, Random& random) {
    check_interrupted(program, tried, 1 + random.below(600));
  });
}

TEST(Resume, ADamagedPositionIsNotTaken) {
  MessageSystem system({{{Act::kReceive, 0, 3}},
                        {{Act::kSend, 0, 1}, {Act::kAdd, 0, 0}},
                        {{Act::kSend, 0, 2}, {Act::kAdd, 0, 0}}});
  for (const Case& tried : kCases) {
    SCOPED_TRACE(tried.strategy);
    SteadyClock clock;
    Limits limits = keep_going();
    limits.executions = 1;
    const auto strategy = make(tried);
    const Exploration stopped = Explorer(system, *strategy, limits, clock).run();
    ASSERT_TRUE(stopped.position);
    ASSERT_FALSE(stopped.position->empty());
    PositionReader shortened(std::string_view(*stopped.position).substr(0, stopped.position->size() - 1));
    Trials trials(system);
    EXPECT_FALSE(make(tried)->read_position(shortened, trials) && shortened.is_complete());
  }
}

}  // namespace
}  // namespace ravel
