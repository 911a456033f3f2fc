#include "check/search_settings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string_view>

#include "base/memory.h"
#include "check/front_end.h"
#include "explorers/built_in.h"
#include "explorers/explorer_library.h"

namespace ravel {

namespace {

// A random search without any budget would have no end.
constexpr std::uint64_t kRandomExecutions = 10'000;

// How long an execution may be of which the search notes that much for each event.
constexpr std::uint64_t kBytesPerEvent = 4'096;
constexpr std::uint64_t kEventsLeast = 10'000;

std::uint64_t events_for(std::uint64_t memory, std::uint64_t most) {
  return std::clamp(memory / kBytesPerEvent, kEventsLeast, most);
}

// Whether an option is given that asks for one way to search.
bool is_plain(const CheckOptions& options) {
  const StrategyParameters& asked = options.parameters;
  return options.strategy.empty() && !asked.bound && !asked.variables && !asked.iterations &&
         options.early.value_or(0) == 0 && options.trace.empty() && options.graph_file.empty();
}

// Of the options that only some strategies have, those that the chosen one has not.
Status check_strategy_options(const CheckOptions& options, const StrategyEntry& chosen,
                              const StrategyRules& rules) {
  for (const GivenOption& given : options.given) {
    std::vector<std::string_view> fitting;
    bool is_known = false;
    for (const StrategyEntry& entry : strategies()) {
      if (!entry.has(given.name)) continue;
      is_known = true;
      if (rules.no_pending.empty() || !entry.traits.needs_pending) fitting.push_back(entry.name);
    }
    if (!is_known || chosen.has(given.name) || fitting.empty()) continue;
    std::string names;
    for (std::size_t i = 0; i < fitting.size(); ++i)
      names += (i == 0 ? "" : i + 1 < fitting.size() ? ", " : " or ") + std::string(fitting[i]);
    return Error{given.name + " is for --strategy " + names + "; the strategy here is " +
                 std::string(chosen.name) + "."};
  }
  return Success{};
}

// Timeouts that fire early.
Status check_early(const CheckOptions& options, const StrategyEntry& chosen) {
  if (!options.early) return Success{};
  if (options.time != TimeOption::kIdle)
    return Error{
        "--early is for --time idle: by the other policies timeouts may fire while others can go on in any "
        "case."};
  if (!chosen.traits.fires_early && !chosen.traits.by_states)
    return Error{"--early is not for --strategy " + std::string(chosen.name) + "; choose another strategy."};
  return Success{};
}

// How visited states are kept.
Status check_storage(const StrategyParameters& asked) {
  const auto bits = asked.own_value("--fingerprints");
  if (bits && *bits != 64 && *bits != 128)
    return Error{"--fingerprints " + std::to_string(*bits) + ": fingerprints have 64 or 128 bits."};
  if (bits && asked.own_value("--bitstate"))
    return Error{
        "--fingerprints and --bitstate do not go together: visited states are kept in one way. Choose one."};
  return Success{};
}

// One that everybody has, or a library, which is loaded; or else, if the front end has more, one of those.
Status set_explorer(const CheckOptions& options, const StrategyEntry& chosen, const StrategyRules& rules,
                    ExplorerNeeds& needs) {
  const std::string& name = options.parameters.explorer;
  const bool draws = chosen.traits.samples || name == "prr";
  if (chosen.traits.by_states == StateOrder::kByDelays && options.is_given("--seed") && !draws)
    return Error{fmt::format(
        "--seed is for --explorer prr with --strategy {}: the explorer {} makes no random choices from it. "
        "Leave it out.",
        chosen.name, name.empty() ? kUsualExplorer : name)};
  if (name == kPreemptionsExplorer && (chosen.traits.samples || !chosen.traits.by_states))
    return Error{fmt::format(
        "--explorer {}: a delay of it is a preemption, which is for --strategy ses; the strategy here is {}.",
        name, chosen.name)};
  if (names_explorer_library(name)) {
    if (const auto loaded = load_explorer(name); !loaded)
      return Error{fmt::format("--explorer {}: {}.", name, loaded.error().message)};
    needs.make = [name] { return std::move(*load_explorer(name)); };
    return Success{};
  }
  if (names_general_explorer(name) || rules.has_own_explorers) return Success{};
  return Error{fmt::format(
      "--explorer {}: there is no explorer '{}' for this program; choose one of: {}, or a library, FILE.so "
      "(explorers in Erlang or P are for programs in these languages).",
      name, name, fmt::join(kBuiltInExplorers, ", "))};
}

// How often a search that is under way is kept: for those to whom half a minute is much, as for tests.
constexpr const char kKeepingVariable[] = "RAVEL_CHECKPOINT_SECONDS";

// After how long a search is given to several processes: for those who want that of short ones.
constexpr const char kAloneVariable[] = "RAVEL_ALONE_SECONDS";

// Nothing: the variable is not set.
Result<std::optional<double>> seconds_of(const char* variable) {
  const char* const text = std::getenv(variable);
  if (text == nullptr) return std::optional<double>();
  const std::string_view number = text;
  double seconds = 0;
  const auto [end, problem] = std::from_chars(number.data(), number.data() + number.size(), seconds);
  if (problem != std::errc() || end != number.data() + number.size() || !(seconds > 0))
    return Error{fmt::format("{}={}: this is not a number of seconds above 0.", variable, number)};
  return std::optional(seconds);
}

Result<KeepingTimes> keeping_times() {
  const auto seconds = seconds_of(kKeepingVariable);
  if (!seconds) return seconds.error();
  if (!*seconds) return KeepingTimes{};
  return KeepingTimes{.first = std::min(**seconds, KeepingTimes{}.first), .between = **seconds};
}

}  // namespace

Result<SearchSettings> search_settings(const CheckOptions& options, const StrategyRules& rules) {
  auto budget = parse_budgets(options.budgets);
  if (!budget) return budget.error();
  const auto keeping = keeping_times();
  if (!keeping) return keeping.error();
  const auto alone = seconds_of(kAloneVariable);
  if (!alone) return alone.error();
  const auto entry = strategy_named(!options.strategy.empty()      ? options.strategy
                                    : options.is_given("--delays") ? "delay"
                                                                   : rules.usual);
  if (!entry) return Error{"--strategy: " + entry.error().message + "."};
  SearchSettings settings;
  settings.context.waits_unseen = rules.waits_unseen;
  settings.keeping = *keeping;
  settings.seconds_alone = alone->value_or(settings.seconds_alone);
  SearchRequest& request = settings.request;
  request.strategy = (*entry)->name;
  if (is_plain(options)) request.in_turns_with = rules.in_turns_with;
  request.parameters = options.parameters;
  if (options.early.value_or(0) > 0) request.parameters.early = options.early;
  // The number of executions is what a random search is asked for, so that it can be complete.
  if (settings.traits().samples) {
    request.parameters.executions = budget->executions;
    budget->executions.reset();
    if (!request.parameters.executions && !budget->seconds) request.parameters.executions = kRandomExecutions;
  }
  if (settings.traits().is_about_messages && !rules.no_messages.empty()) return Error{rules.no_messages};
  const bool is_about_variables =
      request.parameters.variables || request.parameters.iterations || request.parameters.threads;
  if (!rules.no_pending.empty() && (is_about_variables || settings.traits().needs_pending))
    return Error{rules.no_pending};
  if (Status fitting = check_strategy_options(options, **entry, rules); !fitting) return fitting.error();
  if (Status fitting = check_early(options, **entry); !fitting) return fitting.error();
  if (Status fitting = check_storage(request.parameters); !fitting) return fitting.error();
  if (Status fitting = set_explorer(options, **entry, rules, settings.context.explorer); !fitting)
    return fitting.error();
  if (request.parameters.iterations && !settings.bounds_variables())
    return Error{"--iterations bounds which variables count; with --strategy " + std::string((*entry)->name) +
                 " say how many by --variables."};
  const std::uint64_t memory = budget->memory.value_or(memory_to_use(rules.memory_share));
  request.limits = {
      .seconds = budget->seconds,
      .executions = budget->executions,
      .memory = memory,
      .events_max = options.events_max.value_or(events_for(memory, rules.events_most)),
      .long_executions = rules.may_go_round && options.long_executions == LongExecutions::kCutOff
                             ? LongExecutions::kLeftOpen
                             : options.long_executions,
      .after_bug = options.keep_going ? AfterBug::kKeepGoing : AfterBug::kStop};
  const auto ignores = [&](std::string_view kind) {
    return std::ranges::find(options.ignored, kind) != options.ignored.end();
  };
  if (ignores("events") || ignores("event_bound")) request.limits.long_executions = LongExecutions::kIgnored;
  return settings;
}

namespace {

std::string strategies_with_shards() {
  std::string names;
  for (const StrategyEntry& entry : strategies())
    if (entry.traits.has_shards) names += (names.empty() ? "" : " or ") + std::string(entry.name);
  return names;
}

Status take_shard(const SearchTask& task, const Shard& shard, SearchSettings& settings) {
  StrategyParameters& parameters = settings.request.parameters;
  if (!settings.traits().has_shards)
    return Error{fmt::format(
        "--shard {}/{}: only suites of several tests and samples have shards, and this is one test with "
        "--strategy {}. For others choose --strategy {}, or let --jobs use the cores of one machine.",
        shard.number, shard.count, settings.request.strategy, strategies_with_shards())};
  std::optional<std::uint64_t> executions = parameters.executions;
  if (task.before != nullptr) executions = shard.executions.value_or(kRandomExecutions);
  if (!executions)
    return Error{fmt::format(
        "--shard {}/{}: of this test a shard is a part of a number of executions, and there is only a time; "
        "add --budget 10000x or another number.",
        shard.number, shard.count)};
  const ExecutionRange range = part_of_sample(shard, *executions);
  parameters.first_execution = range.first;
  parameters.executions = range.count;
  return Success{};
}

}  // namespace

Status fit_to_task(const SearchTask& task, SearchSettings& settings) {
  if (auto& memory = settings.request.limits.memory) *memory /= task.searches;
  return task.shard ? take_shard(task, *task.shard, settings) : Success{};
}

}  // namespace ravel
