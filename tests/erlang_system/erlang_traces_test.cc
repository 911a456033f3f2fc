// Optimal reduction of Erlang programs against exhaustive search: the same traces, each once, and the same
// results.
//
// A program (programs/commute.erl) makes a few random operations of one kind in three processes: messages
// with selective receives and timeouts, signals, names, tables, timers and so on. Exhaustive search runs
// every schedule; which of them are equivalent is what History says of them. The results of all operations,
// as processes keep them, are compared too: they do not depend on what footprints say, so a dependence that a
// footprint leaves out shows as a result that is missing. Reduction that reverses the choices of receives
// alone runs some of these traces, each once, and says whether these are all.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <string>

#include "engine/explorer.h"
#include "erlang/system/temporary_folder.h"
#include "erlang/term/print.h"
#include "strategy/catalogue.h"
#include "strategy/depth_first.h"
#include "strategy/optimal_reduction/optimal_reduction.h"
#include "tests/erlang_system/ways.h"
#include "tests/toy/trace_history.h"

namespace ravel::erlang {
namespace {

// Notes trace and results of each execution that is completed.
class TraceRecorder final : public TraceHistory<ErlangSystem> {
 public:
  using TraceHistory::TraceHistory;

  void observe(const Event& event) override {
    schedule_.resize(history().length());
    // Without choices of the program, nothing else has a second alternative.
    schedule_.push_back(system().actor_name(event.actor).to_string() + (event.alternative == 0 ? "" : "!"));
    TraceHistory::observe(event);
  }
  Novelty end_execution(Outcome outcome) override {
    const Novelty novelty = StrategyWrapper::end_execution(outcome);
    if (outcome == Outcome::kRunning || novelty == Novelty::kDiscarded) return novelty;
    const std::string results = this->results() + violations(outcome);
    std::string schedule;
    for (const std::string& actor : schedule_) schedule += actor + " ";
    const auto early = static_cast<std::size_t>(std::ranges::count(schedule, '!'));
    const auto fewest = fewest_early.try_emplace(results, early).first;
    fewest->second = std::min(fewest->second, early);
    const auto [place, is_new] =
        traces.try_emplace(history().trace_hash(), Seen{.schedule = schedule, .results = results});
    if (place->second.results != results)
      differing.insert(place->second.schedule + "\n" + place->second.results + "\nbut\n" + schedule + "\n" +
                       results);
    return novelty;
  }

  struct Seen {
    std::string schedule, results;
  };
  std::map<std::uint64_t, Seen> traces;             // by hash
  std::set<std::string> differing;                  // of one trace
  std::map<std::string, std::size_t> fewest_early;  // by results: how many timeouts fired early

 private:
  std::string results() {
    const Machine& m = system().machine();
    std::string text;
    for (const Process* process : m.processes.all()) {
      if (m.names.is_below_system(process->pid)) continue;
      text +=
          m.names.pid_text(process->pid) + " " + print_term(m.names, process->attributes.dictionary) + "\n";
    }
    // What monitors of properties have seen
    return text + print_term(m.names, m.shared_terms().property_states) + "\n";
  }

  std::string violations(Outcome outcome) {
    if (outcome != Outcome::kBug) return "";
    std::string text = system().bug().key() + "\n";
    for (const LaterBug& later : system().later_bugs()) text += later.bug.key() + "\n";
    return text;
  }

  std::vector<std::string> schedule_;
};

struct Searched {
  std::map<std::uint64_t, TraceRecorder::Seen> traces;
  std::map<std::string, std::size_t> fewest_early;
  Counts counts;
  Stop stop;
};

class ErlangTracesTest : public testing::Test {
 protected:
  // Of exhaustive search; programs with more are left out. Signals that travel multiply them.
  static constexpr std::size_t kSchedulesMax = 4'000, kSchedulesByChannelsMax = 12'000;

  // A module with a function of no arguments for each seed.
  void open(std::string_view family, int operations, std::size_t programs) {
    auto folder = TemporaryFolder::make();
    ASSERT_TRUE(folder.ok());
    const std::string starter = folder->path() + "/small_programs.erl";
    std::ofstream text(starter);
    text << "-module(small_programs).\n-compile(export_all).\n-compile(nowarn_export_all).\n";
    for (std::size_t seed = 0; seed < programs; ++seed)
      text << "p" << seed << "() -> commute:small(" << seed << ", " << family << ", " << operations << ").\n";
    text.close();
    std::vector<std::string> files;
    for (const char* name : {"commute", "sees_probes", "sees_names", "sees_steps"})
      files.push_back(project_file("tests/erlang_system/programs/" + std::string(name) + ".erl"));
    files.push_back(starter);
    program_ = open_program(files);
    if (family == "priority") allow_priority_messages();
  }

  Searched search(ErlangSystem& system, Strategy& strategy, std::uint64_t executions_max) {
    SteadyClock clock;
    TraceRecorder recorder(strategy, system);
    Limits limits;
    limits.after_bug = AfterBug::kKeepGoing;
    limits.executions = executions_max;
    const Exploration exploration = Explorer(system, recorder, limits, clock).run();
    for (const std::string& what : recorder.differing)
      ADD_FAILURE() << "equivalent executions differ:\n" << what;
    return {.traces = std::move(recorder.traces),
            .fewest_early = std::move(recorder.fewest_early),
            .counts = exploration.counts,
            .stop = exploration.stop};
  }

  std::unique_ptr<Program> program_;
};

struct Explored {
  const char* family;
  TimePolicy time = TimePolicy::kAny;
  Delivery delivery = Delivery::kInstant;
  std::vector<std::string> properties = {};

  std::string name() const {
    return std::string(family) + (properties.empty() ? "" : "_for_" + properties.front().substr(0, 11)) +
           (time == TimePolicy::kIdle ? "_as_time_passes" : "") +
           (delivery == Delivery::kChannels ? "_by_channels" : "");
  }
};

Explored of_property(const char* family, std::vector<std::string> properties) {
  return {.family = family, .properties = std::move(properties)};
}

class ErlangTraces : public ErlangTracesTest, public testing::WithParamInterface<Explored> {};

// Of each process. Where timers may fire at any time, programs with them have many schedules.
int operations_of(const Explored& explored) {
  const std::string_view family = explored.family;
  if (family == "idle") return 3;
  if (family == "choices") return 1;  // which is two events, with as many ways
  return explored.time != TimePolicy::kIdle && (family == "timers" || family == "deadlines") ? 1 : 2;
}

// What signals find to do depends on each other in most ways; it takes hundreds of programs to meet them.
std::size_t programs_of(const Explored& explored) {
  const std::string_view family = explored.family;
  if (explored.properties == std::vector<std::string>{"sees_steps"}) return 40;  // it remembers much
  if (family == "choices" || family == "probes") return 200;
  return (family == "signals" || family == "priority") && explored.time != TimePolicy::kIdle ? 500 : 40;
}

TEST_P(ErlangTraces, AreRunOnceEach) {
  const std::string family = GetParam().name();
  const std::size_t schedules_max =
      GetParam().delivery == Delivery::kChannels ? kSchedulesByChannelsMax : kSchedulesMax;
  const char* const more = std::getenv("ERLANG_TRACES_PROGRAMS");
  const std::size_t programs = more == nullptr ? programs_of(GetParam()) : std::strtoul(more, nullptr, 10);
  open(GetParam().family, operations_of(GetParam()), programs);
  ErlangOptions options{
      .properties = {.crashes = Crashes::kAll,
                     .normal_reasons = {"shutdown", "boom", "killed", "noproc"},
                     .ignores_deadlocks = true,
                     .monitored = GetParam().properties},
      .machine = {.time = GetParam().time, .delivery = GetParam().delivery, .notes_messages = true}};
  if (!GetParam().properties.empty()) options.after_failure = ErlangOptions::AfterFailure::kGoOn;
  if (options.machine.time == TimePolicy::kIdle) options.machine.clocks = Clocks::kVirtual;
  std::size_t compared = 0, traces = 0, in_vain = 0;
  for (std::size_t seed = 0; seed < programs; ++seed) {
    SCOPED_TRACE(family + ", seed " + std::to_string(seed));
    auto system =
        ErlangSystem::start(*program_, *TestName::parse("small_programs:p" + std::to_string(seed)), options);
    ASSERT_TRUE(system.ok()) << system.error().message;
    DepthFirst exhaustive;
    const Searched all = search(**system, exhaustive, schedules_max);
    ASSERT_NE(all.stop, Stop::kUnsupported);
    if (all.stop != Stop::kComplete) continue;
    const auto reduction = make_optimal_reduction();
    const Searched reduced = search(**system, *reduction, 2 * schedules_max);
    EXPECT_EQ(reduced.stop, Stop::kComplete);
    EXPECT_EQ(reduced.counts.executions, all.traces.size());
    for (const auto& [trace, seen] : all.traces)
      EXPECT_TRUE(reduced.traces.contains(trace)) << "missed: " << seen.schedule << "\n" << seen.results;
    for (const auto& [trace, seen] : reduced.traces)
      EXPECT_TRUE(all.traces.contains(trace)) << "not there: " << seen.schedule << "\n" << seen.results;
    const auto cut_reduction = make_optimal_reduction({.limits = {.cut_above = seed % 3}});
    const Searched cut = search(**system, *cut_reduction, 20 * schedules_max);
    EXPECT_EQ(cut.stop, Stop::kComplete);
    EXPECT_EQ(cut.traces.size(), all.traces.size());
    for (const auto& [trace, seen] : all.traces)
      EXPECT_TRUE(cut.traces.contains(trace)) << "missed: " << seen.schedule << "\n" << seen.results;
    const auto variants = make_optimal_reduction({.reversals = Reversals::kReceives});
    const Searched of_messages = search(**system, *variants, 2 * schedules_max);
    EXPECT_EQ(of_messages.stop, Stop::kComplete);
    EXPECT_EQ(of_messages.counts.executions, of_messages.traces.size());
    EXPECT_EQ(of_messages.counts.redundant, 0u);
    for (const auto& [trace, seen] : of_messages.traces)
      EXPECT_TRUE(all.traces.contains(trace)) << "not there: " << seen.schedule << "\n" << seen.results;
    if (of_messages.counts.coverage.bound(BoundOn::kOtherRaces) == nullptr) {
      EXPECT_EQ(of_messages.traces.size(), all.traces.size());
    }
    if (HasFailure()) return;
    ++compared;
    traces += all.traces.size();
    in_vain += reduced.counts.redundant + reduced.counts.abandoned + of_messages.counts.abandoned;
  }
  EXPECT_GT(compared, programs / 3);
  EXPECT_EQ(in_vain, 0u);
  RecordProperty("compared", static_cast<int>(compared));
  RecordProperty("traces", static_cast<int>(traces));
  RecordProperty("in_vain", static_cast<int>(in_vain));
  if (more != nullptr)
    std::printf("%s: %zu programs, %zu traces, %zu executions in vain\n", family.c_str(), compared, traces,
                in_vain);
}

// Which deadline is the first one depends on more than footprints tell, so what is asked to run every trace
// once is a search that leaves out beginnings which lead to the same state. A receive that finds its message
// at once sets no deadline, which one that waits for it does, so executions may differ in causes that lead to
// the same.
TEST_F(ErlangTracesTest, LeadToTheSameResultsWhereTimeFollowsDeadlines) {
  const char* const more = std::getenv("ERLANG_TRACES_PROGRAMS");
  const std::size_t programs = more == nullptr ? 60 : std::strtoul(more, nullptr, 10);
  open("deadlines", operations_of({.family = "deadlines"}), programs);
  const ErlangOptions options{.properties = {.crashes = Crashes::kAll,
                                             .normal_reasons = {"shutdown", "boom", "killed", "noproc"},
                                             .ignores_deadlocks = true},
                              .machine = {.time = TimePolicy::kDeadlines, .notes_messages = true}};
  std::size_t compared = 0;
  for (std::size_t seed = 0; seed < programs; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    auto system =
        ErlangSystem::start(*program_, *TestName::parse("small_programs:p" + std::to_string(seed)), options);
    ASSERT_TRUE(system.ok()) << system.error().message;
    DepthFirst exhaustive;
    const Searched all = search(**system, exhaustive, kSchedulesMax);
    if (all.stop != Stop::kComplete) continue;
    auto caching = make_strategy("dpor", {}, {.waits_unseen = true});
    const Searched cached = search(**system, **caching, 2 * kSchedulesMax);
    EXPECT_EQ(cached.stop, Stop::kComplete);
    EXPECT_LE(cached.counts.executions, all.traces.size());
    std::set<std::string> results;
    for (const auto& [trace, seen] : cached.traces) results.insert(seen.results);
    for (const auto& [trace, seen] : all.traces)
      EXPECT_TRUE(results.contains(seen.results)) << "missed: " << seen.schedule << "\n" << seen.results;
    if (HasFailure()) return;
    ++compared;
  }
  EXPECT_GT(compared, programs / 3);
  if (more != nullptr) std::printf("deadlines: %zu programs\n", compared);
}

// That a timeout may not fire early any more depends on all that have, so this is a search like the one
// above; but without any it is reduction. With the fewest that each result needs.
TEST_F(ErlangTracesTest, LeadToTheSameResultsWhereTimeoutsFireEarly) {
  const char* const more = std::getenv("ERLANG_TRACES_PROGRAMS");
  const std::size_t programs = more == nullptr ? 40 : std::strtoul(more, nullptr, 10);
  open("idle", 2, programs);
  ErlangOptions options{
      .properties = {.normal_reasons = {"shutdown", "boom", "killed", "noproc"}, .ignores_deadlocks = true},
      .machine = {.time = TimePolicy::kIdle,
                  .fires_early = true,
                  .clocks = Clocks::kVirtual,
                  .notes_messages = true}};
  std::size_t compared = 0, with_early = 0;
  for (std::size_t seed = 0; seed < programs; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    auto system =
        ErlangSystem::start(*program_, *TestName::parse("small_programs:p" + std::to_string(seed)), options);
    ASSERT_TRUE(system.ok()) << system.error().message;
    const std::uint32_t early = 1 + seed % 2;
    auto exhaustive = make_strategy("dfs", {.early = early});
    const Searched all = search(**system, **exhaustive, kSchedulesMax);
    if (all.stop != Stop::kComplete) continue;
    auto reduction = make_strategy("dpor", {.early = early});
    const Searched reduced = search(**system, **reduction, 4 * kSchedulesMax);
    EXPECT_EQ(reduced.stop, Stop::kComplete);
    EXPECT_EQ(reduced.counts.coverage.completed(BoundOn::kEarlyTimeouts), early);
    EXPECT_EQ(reduced.fewest_early, all.fewest_early);
    for (const auto& [trace, seen] : reduced.traces)
      EXPECT_TRUE(all.traces.contains(trace)) << "not there: " << seen.schedule << "\n" << seen.results;
    for (const auto& [results, fewest] : all.fewest_early) with_early += fewest > 0 ? 1 : 0;
    if (HasFailure()) return;
    ++compared;
  }
  EXPECT_GE(compared, programs / 5);
  EXPECT_GT(with_early, compared / 2);
  if (more != nullptr) std::printf("early: %zu programs, %zu results need some\n", compared, with_early);
}

// Faults: each trace once, by plans of faults; and the same results by the search that leaves out beginnings
// which lead to the same state. What is repeated is what does not come to the last fault of its plan.
struct Struck {
  const char* family;
  std::uint32_t kills = 0, losses = 0, duplications = 0;
  TimePolicy time = TimePolicy::kAny;
  int operations = 2;  // of each process

  std::string name() const {
    return std::string(family) + "_" + std::to_string(kills) + std::to_string(losses) +
           std::to_string(duplications) + (time == TimePolicy::kIdle ? "_as_time_passes" : "");
  }
};

class ErlangFaults : public ErlangTracesTest, public testing::WithParamInterface<Struck> {};

TEST_P(ErlangFaults, LeadToTheSameTraces) {
  const Struck& struck = GetParam();
  const char* const more = std::getenv("ERLANG_TRACES_PROGRAMS");
  const std::size_t programs = more == nullptr ? 60 : std::strtoul(more, nullptr, 10);
  const bool has_channels = struck.losses + struck.duplications > 0;
  open(struck.family, struck.operations, programs);
  ErlangOptions options{.properties = {.crashes = Crashes::kAll,
                                       .normal_reasons = {"shutdown", "boom", "killed", "noproc"},
                                       .ignores_deadlocks = true},
                        .machine = {.time = struck.time,
                                    .delivery = has_channels ? Delivery::kChannels : Delivery::kInstant,
                                    .notes_messages = true,
                                    .mishaps = {.kills = struck.kills,
                                                .losses = struck.losses,
                                                .duplications = struck.duplications,
                                                .names_are_own = true}}};
  if (struck.time == TimePolicy::kIdle) options.machine.clocks = Clocks::kVirtual;
  const std::uint32_t faults = options.machine.mishaps.count();
  std::size_t compared = 0, traces = 0, with_faults = 0, repeated = 0, in_vain = 0;
  for (std::size_t seed = 0; seed < programs; ++seed) {
    SCOPED_TRACE(struck.name() + ", seed " + std::to_string(seed));
    auto system =
        ErlangSystem::start(*program_, *TestName::parse("small_programs:p" + std::to_string(seed)), options);
    ASSERT_TRUE(system.ok()) << system.error().message;
    DepthFirst exhaustive;
    const Searched all = search(**system, exhaustive, kSchedulesByChannelsMax);
    ASSERT_NE(all.stop, Stop::kUnsupported);
    if (all.stop != Stop::kComplete) continue;
    auto reduction = make_strategy("dpor", {.faults = faults});
    const Searched reduced = search(**system, **reduction, 20 * kSchedulesByChannelsMax);
    EXPECT_EQ(reduced.stop, Stop::kComplete);
    EXPECT_EQ(reduced.counts.executions, all.traces.size());
    EXPECT_EQ(reduced.counts.coverage.completed(BoundOn::kFaults), faults);
    for (const auto& [trace, seen] : all.traces)
      EXPECT_TRUE(reduced.traces.contains(trace)) << "missed: " << seen.schedule << "\n" << seen.results;
    for (const auto& [trace, seen] : reduced.traces)
      EXPECT_TRUE(all.traces.contains(trace)) << "not there: " << seen.schedule << "\n" << seen.results;
    auto caching = make_strategy("dpor", {.faults = faults}, {.waits_unseen = true});
    const Searched cached = search(**system, **caching, 20 * kSchedulesByChannelsMax);
    EXPECT_EQ(cached.stop, Stop::kComplete);
    std::set<std::string> results;
    for (const auto& [trace, seen] : cached.traces) results.insert(seen.results);
    for (const auto& [trace, seen] : all.traces)
      EXPECT_TRUE(results.contains(seen.results)) << "missed: " << seen.schedule << "\n" << seen.results;
    if (HasFailure()) return;
    ++compared;
    traces += all.traces.size();
    repeated += reduced.counts.redundant;
    in_vain += reduced.counts.abandoned;
    for (const auto& [trace, seen] : all.traces)
      with_faults += seen.schedule.find('!') != std::string::npos ? 1 : 0;
  }
  EXPECT_GE(compared, programs / 20);
  EXPECT_GT(with_faults, traces / 4);
  EXPECT_EQ(in_vain, 0u);
  if (more != nullptr)
    std::printf(
        "%s: %zu programs, %zu traces, %zu of them with faults, %zu executions repeated, %zu in vain\n",
        struck.name().c_str(), compared, traces, with_faults, repeated, in_vain);
}

INSTANTIATE_TEST_SUITE_P(
    Families, ErlangFaults,
    testing::Values(Struck{.family = "messages", .kills = 1}, Struck{.family = "signals", .kills = 1},
                    Struck{.family = "names", .kills = 1}, Struck{.family = "owners", .kills = 1},
                    Struck{.family = "questions", .kills = 1},
                    Struck{.family = "timers", .kills = 1, .operations = 1},
                    Struck{.family = "messages", .kills = 2, .operations = 1},
                    Struck{.family = "signals", .kills = 2},
                    Struck{.family = "idle", .kills = 1, .time = TimePolicy::kIdle},
                    Struck{.family = "signals", .kills = 1, .time = TimePolicy::kIdle},
                    Struck{.family = "timers", .kills = 1, .time = TimePolicy::kIdle},
                    Struck{.family = "messages", .losses = 1}, Struck{.family = "messages", .losses = 2},
                    Struck{.family = "messages", .duplications = 1, .operations = 1},
                    Struck{.family = "messages", .kills = 1, .losses = 1, .operations = 1},
                    Struck{.family = "signals", .losses = 1}, Struck{.family = "signals", .duplications = 1},
                    Struck{.family = "signals", .losses = 1, .duplications = 1},
                    Struck{.family = "idle", .losses = 1, .time = TimePolicy::kIdle},
                    Struck{.family = "idle", .duplications = 1, .time = TimePolicy::kIdle}),
    [](const auto& struck) { return struck.param.name(); });

INSTANTIATE_TEST_SUITE_P(
    Families, ErlangTraces,
    testing::Values(Explored{"messages"}, Explored{"choices"}, Explored{"signals"}, Explored{"names"},
                    Explored{"tables"}, Explored{"owners"}, Explored{"numbers"}, Explored{"timers"},
                    Explored{"questions"}, Explored{"idle", TimePolicy::kIdle},
                    Explored{"deadlines", TimePolicy::kIdle}, Explored{"timers", TimePolicy::kIdle},
                    Explored{"messages", TimePolicy::kIdle}, Explored{"signals", TimePolicy::kIdle},
                    Explored{"priority"}, Explored{"priority", TimePolicy::kIdle},
                    Explored{"priority", TimePolicy::kAny, Delivery::kChannels},
                    Explored{"signals", TimePolicy::kAny, Delivery::kChannels},
                    of_property("probes", {"sees_probes"}), of_property("probes", {"sees_names"}),
                    of_property("probes", {"sees_steps"}), of_property("names", {"sees_names"}),
                    of_property("signals", {"sees_names"}), of_property("messages", {"sees_steps"}),
                    of_property("probes", {"mutual_exclusion(one)", "at_most_one(two)", "never_gone(one)"}),
                    of_property("probes", {"mailbox_longer_than(1)", "at_most_one(one)"})),
    [](const auto& family) { return family.param.name(); });

}  // namespace
}  // namespace ravel::erlang
