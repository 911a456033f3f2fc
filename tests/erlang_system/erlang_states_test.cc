// Searches by states of Erlang programs against exhaustive search of executions: the same bugs, and the same
// results of all operations in the same ends.
//
// The programs are those of programs/commute.erl: random operations of one kind in three processes; and those
// of programs/asking.erl, where verdicts depend on what was asked on the way to a state. States
// forget names and times, so that names in results are counted anew in the order in which they occur. What
// ends, and how, is compared in two ways: with every end a bug, and with none, where executions go on. So are
// programs that faults may befall: how many are left is part of each state.
#include <gtest/gtest.h>

#include <cctype>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "engine/explorer.h"
#include "engine/strategy_wrapper.h"
#include "engine/system_wrapper.h"
#include "erlang/system/temporary_folder.h"
#include "erlang/term/print.h"
#include "explorers/built_in.h"
#include "front_ends/erlang/told_schedule.h"
#include "states/state_search.h"
#include "strategy/depth_first.h"
#include "tests/erlang_system/ways.h"

namespace ravel::erlang {
namespace {

bool is_of_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

// With pids and references, such as P.1 and P.1:3, as #1, #2, ... in the order in which they occur, but for
// P.
std::string with_counted_names(const std::string& text) {
  std::map<std::string, std::size_t> numbers;
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    const bool is_name = (text[i] == 'P' || text[i] == 'S') && i + 1 < text.size() &&
                         (text[i + 1] == '.' || text[i + 1] == ':') && (i == 0 || !is_of_word(text[i - 1]));
    if (!is_name) {
      result += text[i++];
      continue;
    }
    std::size_t end = i + 1;
    const auto goes_on = [&](std::size_t at) {
      const bool is_between = text[at] == '.' || text[at] == ':';
      return is_of_word(text[at]) || (is_between && at + 1 < text.size() && is_of_word(text[at + 1]));
    };
    while (end < text.size() && goes_on(end)) ++end;
    const auto number = numbers.try_emplace(text.substr(i, end - i), numbers.size() + 1).first->second;
    result += "#" + std::to_string(number);
    i = end;
  }
  return result;
}

// With what clocks have shown (from 1000 ms on) counted from the first one: before that, time is forgotten.
std::string with_counted_times(const std::string& text) {
  const auto number_at = [&](std::size_t i) -> std::optional<std::size_t> {
    if (i > 0 && (is_of_word(text[i - 1]) || text[i - 1] == '.' || text[i - 1] == ':')) return std::nullopt;
    std::size_t end = i;
    while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end])) != 0) ++end;
    return end < i + 4 ? std::nullopt : std::optional(end);
  };
  long first = std::numeric_limits<long>::max();
  for (std::size_t i = 0; i < text.size(); ++i)
    if (const auto end = number_at(i)) first = std::min(first, std::stol(text.substr(i, *end - i)));
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    const auto end = number_at(i);
    if (end) result += "first clock + " + std::to_string(std::stol(text.substr(i, *end - i)) - first);
    if (!end) result += text[i];
    i = end.value_or(i + 1);
  }
  return result;
}

// What can be seen of an execution at its end.
std::string end_of(ErlangSystem& system, Outcome outcome) {
  const Machine& m = system.machine();
  if (outcome == Outcome::kBug) return "a bug";  // which is compared as such
  std::multiset<std::string> processes;
  for (const Process* process : m.processes.all())
    if (!m.names.is_below_system(process->pid))
      processes.insert(with_counted_names(print_term(m.names, process->attributes.dictionary)));
  std::string text;
  for (const std::string& process : processes) text += process + "\n";
  return with_counted_times(text);
}

// Hands every call on to a strategy, and notes how executions end.
class EndRecorder final : public StrategyWrapper {
 public:
  EndRecorder(Strategy& strategy, ErlangSystem& system) : StrategyWrapper(strategy), system_(system) {}

  Novelty end_execution(Outcome outcome) override {
    if (outcome != Outcome::kRunning) ends.insert(end_of(system_, outcome));
    return StrategyWrapper::end_execution(outcome);
  }

  std::set<std::string> ends;

 private:
  ErlangSystem& system_;
};

// The same for the system of a search by states.
class StateEnds final : public SystemWrapper {
 public:
  explicit StateEnds(ErlangSystem& system) : SystemWrapper(system), system_(system) {}

  // Not after steps that are only tried.
  std::optional<MetState> number_state() override {
    awaits_verdict_ = true;
    outcome();
    return SystemWrapper::number_state();
  }
  // Where the execution decides, it is known only after the way was taken once more.
  Outcome outcome() const override {
    const Outcome outcome = SystemWrapper::outcome();
    const bool is_known = outcome != Outcome::kRunning && !SystemWrapper::is_judged_by_execution();
    if (is_known && std::exchange(awaits_verdict_, false)) ends.insert(end_of(system_, outcome));
    return outcome;
  }
  void go_to(StateNumber state) override {
    awaits_verdict_ = false;
    SystemWrapper::go_to(state);
  }

  mutable std::set<std::string> ends;

 private:
  ErlangSystem& system_;
  mutable bool awaits_verdict_ = false;
};

struct Searched {
  std::set<std::string> bugs, ends;
  Counts counts;
  Stop stop;
};

std::set<std::string> texts_of(const std::vector<FoundBug>& bugs) {
  std::set<std::string> texts;
  for (const FoundBug& found : bugs)
    texts.insert(found.bug.kind + " " + std::to_string(found.bug.line) + " " +
                 with_counted_names(found.bug.message));
  return texts;
}

Searched search_executions(ErlangSystem& system, std::uint64_t executions_max) {
  SteadyClock clock;
  DepthFirst strategy;
  EndRecorder recorder(strategy, system);
  Limits limits;
  limits.after_bug = AfterBug::kKeepGoing;
  limits.executions = executions_max;
  const Exploration found = Explorer(system, recorder, limits, clock).run();
  return {.bugs = texts_of(found.bugs), .ends = recorder.ends, .counts = found.counts, .stop = found.stop};
}

enum class Visiting { kDepthFirst, kBreadthFirst, kByDelays, kReduced };

// `told`: the system in which names are counted, where each bug must come about, too.
Searched search_states(ErlangSystem& system, ErlangSystem& told, Visiting visiting, std::size_t seed) {
  SteadyClock clock;
  ToldSchedule translate(system, told);
  StateEnds recorder(system);
  Limits limits;
  limits.after_bug = AfterBug::kKeepGoing;
  const StateOrder order = visiting == Visiting::kBreadthFirst ? StateOrder::kBreadthFirst
                           : visiting == Visiting::kByDelays   ? StateOrder::kByDelays
                                                               : StateOrder::kDepthFirst;
  StateSearch search(recorder, order, limits, clock, {}, std::ref(translate));
  ExplorerNeeds needs;
  needs.complaints = std::make_shared<ExplorerComplaints>();
  search.repeat_steps(system);
  if (visiting == Visiting::kReduced) search.reduce();
  if (visiting == Visiting::kByDelays)
    search.delay(built_in_explorer(kBuiltInExplorers[seed % kBuiltInExplorers.size()], seed), {}, needs);
  const Exploration found = search.run();
  EXPECT_TRUE(needs.complaints->empty());
  if (found.refusal) ADD_FAILURE() << found.refusal->message;
  for (const FoundBug& one : found.bugs) {
    told.reset();
    EXPECT_EQ(told.follow(one.schedule), one.schedule.size());
    EXPECT_EQ(told.outcome(), Outcome::kBug);
    if (told.outcome() == Outcome::kBug) {
      EXPECT_EQ(told.bug(), one.bug);
    }
  }
  return {.bugs = texts_of(found.bugs), .ends = recorder.ends, .counts = found.counts, .stop = found.stop};
}

std::string list_of(const std::set<std::string>& texts) {
  std::string list;
  for (const std::string& text : texts) list += "  " + text + "\n";
  return list;
}

struct Explored {
  const char* family;
  TimePolicy time = TimePolicy::kAny;
  Delivery delivery = Delivery::kInstant;
  MishapOptions mishaps = {};

  std::string name() const {
    const char* const when = time == TimePolicy::kAny         ? ""
                             : time == TimePolicy::kDeadlines ? "_by_deadlines"
                                                              : "_as_time_passes";
    const std::string early = mishaps.early ? "_with_" + std::to_string(*mishaps.early) + "_early" : "";
    std::string faults;
    for (const std::uint32_t count : {mishaps.kills, mishaps.losses, mishaps.duplications})
      if (mishaps.count() > 0) faults += std::to_string(count);
    return family + std::string(when) + (delivery == Delivery::kChannels ? "_by_channels" : "") +
           (faults.empty() ? "" : "_with_faults_" + faults) + early;
  }
};

Explored with_faults(const char* family, const MishapOptions& mishaps, TimePolicy time = TimePolicy::kAny) {
  const bool has_channels = mishaps.losses + mishaps.duplications > 0;
  return {.family = family,
          .time = time,
          .delivery = has_channels ? Delivery::kChannels : Delivery::kInstant,
          .mishaps = mishaps};
}

class ErlangStates : public testing::TestWithParam<Explored> {
 protected:
  // Of exhaustive search; programs with more are left out. Signals that travel multiply them, and faults.
  static constexpr std::size_t kExecutionsMax = 3'000, kManyExecutionsMax = 6'000;

  // A module with a function of no arguments for each seed.
  void open(std::string_view family, int operations, std::size_t programs) {
    auto folder = TemporaryFolder::make();
    ASSERT_TRUE(folder.ok());
    const std::string starter = folder->path() + "/small_programs.erl";
    std::ofstream text(starter);
    text << "-module(small_programs).\n-compile(export_all).\n-compile(nowarn_export_all).\n";
    for (std::size_t seed = 0; seed < programs; ++seed)
      text << "p" << seed << "() -> " << (family == "askers" ? "asking" : "commute") << ":small(" << seed
           << ", " << family << ", " << operations << ").\n";
    text.close();
    program_ = open_program({project_file("tests/erlang_system/programs/commute.erl"),
                             project_file("tests/erlang_system/programs/asking.erl"), starter});
    if (family == "priority") allow_priority_messages();
  }

  std::unique_ptr<ErlangSystem> start(std::size_t seed, ErlangOptions options, bool recurring) {
    options.machine.recurring = recurring;
    auto system =
        ErlangSystem::start(*program_, *TestName::parse("small_programs:p" + std::to_string(seed)), options);
    EXPECT_TRUE(system.ok()) << system.error().message;
    return std::move(*system);
  }

  // Begins again until all that decides about verdicts is part of the state.
  Searched search_all_states(std::size_t seed, ErlangOptions options, ErlangSystem& told, Visiting visiting) {
    for (;;) {
      const auto recurring = start(seed, options, true);
      Searched found = search_states(*recurring, told, visiting, seed);
      if (recurring->discovered().lists_hidden_ends) {
        options.unseen_ends_come_first = false;
        ++begun_again_;
        continue;
      }
      const std::vector<ActorName> more = recurring->requests().that_matter();
      if (more.empty()) return found;
      EXPECT_TRUE(options.requests_in_state.empty()) << "a search was begun a third time";
      options.requests_in_state.insert(options.requests_in_state.end(), more.begin(), more.end());
      ++begun_again_;
    }
  }

  // Hashes of so few states are as good as the states; the store is collected again and again.
  void expect_same_by_hashes(std::size_t seed, ErlangOptions options, ErlangSystem& told,
                             const Searched& exact) {
    const StateStorage storages[] = {
        {.hash_bits = 64}, {.hash_bits = 128}, {.filter_bytes = std::uint64_t{1} << 23}};
    options.visited = storages[seed % 3];
    options.machine.store_words = seed % 2 == 0 ? 0 : Store::kDefaultWords;
    const Searched hashed = search_all_states(seed, options, told, Visiting::kDepthFirst);
    EXPECT_EQ(hashed.stop, Stop::kComplete);
    EXPECT_EQ(list_of(hashed.bugs), list_of(exact.bugs));
    EXPECT_EQ(list_of(hashed.ends), list_of(exact.ends));
    EXPECT_EQ(hashed.counts.states->states, exact.counts.states->states);
    EXPECT_EQ(hashed.counts.states->transitions, exact.counts.states->transitions);
    EXPECT_EQ(hashed.counts.states->depth, exact.counts.states->depth);
    EXPECT_EQ(hashed.counts.executions, exact.counts.executions);
    ASSERT_TRUE(hashed.counts.hashed);
    EXPECT_LT(hashed.counts.hashed->omitted, 0.01);
    EXPECT_TRUE(hashed.counts.coverage.is_complete);
  }

  std::unique_ptr<Program> program_;
  std::size_t begun_again_ = 0;
};

TEST_P(ErlangStates, HaveTheBugsAndEndsOfAllExecutions) {
  const Explored& explored = GetParam();
  const char* const more = std::getenv("ERLANG_STATES_PROGRAMS");
  const std::size_t programs = more == nullptr ? 40 : std::strtoul(more, nullptr, 10);
  const std::string_view family = explored.family;
  // Where timers may fire at any time, and signals arrive, there are many executions.
  const bool is_long =
      family == "choices" || family == "timers" || family == "deadlines" || family == "fresh";
  const bool has_channels = explored.delivery == Delivery::kChannels;
  const bool has_faults = explored.mishaps.count() > 0;
  const bool is_large = has_channels || has_faults || (is_long && explored.time != TimePolicy::kIdle);
  open(family, family == "askers" && !has_channels ? 3 : is_large ? 1 : 2, programs);
  std::size_t compared = 0, bugs = 0, executions = 0, states = 0, reduced = 0;
  for (std::size_t seed = 0; seed < programs; ++seed) {
    for (const Ends ends : {Ends::kAtomic, Ends::kStepwise}) {
      for (const bool are_bugs : {true, false}) {
        SCOPED_TRACE(explored.name() + ", seed " + std::to_string(seed) +
                     (ends == Ends::kAtomic ? ", atomic" : ", stepwise") + (are_bugs ? ", bugs" : ""));
        const bool are_left = seed % 2 == 1 || family == "askers";
        ErlangOptions options{.properties = {.leftovers = are_left ? Leftovers::kLeft : Leftovers::kBugs,
                                             .crashes = Crashes::kAll},
                              .machine = {.time = explored.time,
                                          .delivery = explored.delivery,
                                          .ends = ends,
                                          .mishaps = explored.mishaps}};
        options.machine.fires_early = explored.mishaps.early.has_value();
        if (explored.time == TimePolicy::kIdle) options.machine.clocks = Clocks::kVirtual;
        if (!are_bugs) {
          options.properties.normal_reasons = {"shutdown", "boom", "killed", "noproc"};
          options.properties.ignores_deadlocks = true;
        }
        const auto counting = start(seed, options, false);
        const Searched all =
            search_executions(*counting, has_channels || has_faults ? kManyExecutionsMax : kExecutionsMax);
        ASSERT_NE(all.stop, Stop::kUnsupported);
        if (all.stop != Stop::kComplete) continue;
        std::uint64_t states_of_all = 0;
        for (const Visiting visiting :
             {Visiting::kDepthFirst, Visiting::kBreadthFirst, Visiting::kByDelays, Visiting::kReduced}) {
          if (visiting == Visiting::kReduced && (has_faults || explored.mishaps.early)) continue;
          options.visited = {};
          const Searched found = search_all_states(seed, options, *counting, visiting);
          EXPECT_EQ(found.stop, Stop::kComplete);
          EXPECT_EQ(list_of(found.bugs), list_of(all.bugs));
          EXPECT_EQ(list_of(found.ends), list_of(all.ends));
          EXPECT_LE(found.counts.executions, all.counts.executions);
          (visiting == Visiting::kReduced ? reduced : states) += found.counts.states->states;
          if (visiting == Visiting::kDepthFirst) states_of_all = found.counts.states->states;
          if (visiting != Visiting::kReduced) {
            EXPECT_EQ(found.counts.states->states, states_of_all);
          }
          if (visiting == Visiting::kDepthFirst) expect_same_by_hashes(seed, options, *counting, found);
        }
        if (HasFailure()) return;
        ++compared;
        bugs += all.bugs.size();
        executions += all.counts.executions;
      }
    }
  }
  EXPECT_GT(compared, programs / (has_faults || explored.mishaps.early ? 8 : 2));
  if (more != nullptr)
    std::printf("%s: %zu searches, %zu begun again, %zu bugs, %zu executions, %zu states, %zu reduced\n",
                explored.name().c_str(), compared, begun_again_, bugs, executions, states, reduced);
}

INSTANTIATE_TEST_SUITE_P(
    Families, ErlangStates,
    testing::Values(
        Explored{"messages"}, Explored{"choices"}, Explored{"signals"}, Explored{"names"}, Explored{"tables"},
        Explored{"owners"}, Explored{"numbers"}, Explored{"timers"}, Explored{"questions"}, Explored{"fresh"},
        Explored{"askers"}, Explored{"askers", TimePolicy::kIdle},
        Explored{"askers", TimePolicy::kAny, Delivery::kChannels}, Explored{"idle", TimePolicy::kIdle},
        Explored{"timers", TimePolicy::kIdle}, Explored{"fresh", TimePolicy::kIdle},
        Explored{"signals", TimePolicy::kIdle}, Explored{"deadlines", TimePolicy::kDeadlines},
        Explored{"deadlines", TimePolicy::kIdle}, Explored{"fresh", TimePolicy::kDeadlines},
        Explored{"messages", TimePolicy::kAny, Delivery::kChannels},
        Explored{"fresh", TimePolicy::kAny, Delivery::kChannels}, with_faults("messages", {.kills = 1}),
        with_faults("messages", {.kills = 2}), with_faults("signals", {.kills = 1}),
        with_faults("names", {.kills = 1}), with_faults("owners", {.kills = 1}),
        with_faults("fresh", {.kills = 1}), with_faults("questions", {.kills = 1}),
        with_faults("messages", {.losses = 1}), with_faults("messages", {.duplications = 1}),
        with_faults("messages", {.losses = 1, .duplications = 1}),
        with_faults("questions", {.kills = 1, .losses = 1}),
        with_faults("messages", {.kills = 1}, TimePolicy::kIdle),
        with_faults("timers", {.kills = 1}, TimePolicy::kIdle),
        with_faults("idle", {.losses = 1}, TimePolicy::kIdle),
        with_faults("fresh", {.kills = 1, .losses = 1}, TimePolicy::kIdle),
        with_faults("timers", {.early = 1}, TimePolicy::kIdle),
        with_faults("idle", {.early = 2}, TimePolicy::kIdle),
        with_faults("fresh", {.early = 1}, TimePolicy::kIdle),
        with_faults("deadlines", {.early = 1}, TimePolicy::kIdle),
        with_faults("idle", {.kills = 1, .early = 1}, TimePolicy::kIdle)),
    [](const auto& family) { return family.param.name(); });

}  // namespace
}  // namespace ravel::erlang
