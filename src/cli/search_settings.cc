#include "cli/search_settings.h"

#include <algorithm>
#include <string_view>

#include "base/memory.h"
#include "cli/given_options.h"

namespace ravel {

namespace {

// A random search without any budget would have no end.
constexpr std::uint64_t kRandomExecutions = 10'000;

// How long an execution may be of which the search notes that much for each event. Longer than a million is what has no end, mostly.
constexpr std::uint64_t kBytesPerEvent = 4'096;
constexpr std::uint64_t kEventsLeast = 10'000, kEventsMost = 1'000'000;

std::uint64_t events_for(std::uint64_t memory) { return std::clamp(memory / kBytesPerEvent, kEventsLeast, kEventsMost); }

// Reduction, where it can do what was asked for.
std::string strategy_for(const CheckOptions& options, FrontEnd front_end) {
  if (!options.strategy.empty()) return options.strategy;
  if (options.delays) return "delay";
  if (front_end == FrontEnd::kThreads || !options.model.atomic_modules.empty() || options.blocking == BlockingSteps::kExplore)
    return "preemption";
  return "dpor";
}

// Programs of C and C++ are searched by two strategies in turns, unless the user asks for one, or for what only one of them can do, or for
// what makes reduction fall back on caching.
std::string in_turns_with(const CheckOptions& options, FrontEnd front_end) {
  const bool is_plain = options.strategy.empty() && !options.delays && !options.preemptions && !options.variables && !options.iterations &&
                        options.early.value_or(0) == 0 && options.trace.empty() && options.graph_file.empty();
  const bool can_reduce = !options.threads.spurious && options.model.time != erlang::TimePolicy::kDeadlines &&
                          options.threads.accesses == threads::AccessOperations::kRacy;
  return front_end == FrontEnd::kThreads && is_plain && can_reduce ? "dpor" : "";
}

// An option that only some strategies have.
struct StrategyOption {
  const char* name;
  bool is_given;
  std::vector<std::string_view> strategies;          // of tests of Erlang
  std::vector<std::string_view> threads_strategies;  // of programs of C and C++
};

Status check_strategy_options(const CheckOptions& options, const std::string& strategy, FrontEnd front_end) {
  const StrategyOption table[] = {
      {"--preemptions", options.preemptions.has_value(), {"dpor", "preemption"}, {"preemption", "dpor", "vt"}},
      {"--delays", options.delays.has_value(), {"delay"}, {"delay"}},
      {"--seed", options.seed.has_value(), {"random", "pct", "pos", "surw"}, {"random", "pct", "pos", "surw", "vt"}},
      {"--depth", options.depth.has_value(), {"pct"}, {"pct"}},
      {"--variables", options.variables.has_value(), {}, {"pct", "preemption", "vt"}},
      {"--iterations", options.iterations.has_value(), {}, {"preemption", "vt"}},
      {"--arrays", options.threads.parts == VariableParts::kWhole, {}, {"pct", "preemption", "vt"}},
      {"--threads", options.threads_ordered.has_value(), {}, {"vt"}},
  };
  for (const StrategyOption& option : table) {
    const auto& fitting = front_end == FrontEnd::kThreads ? option.threads_strategies : option.strategies;
    if (!option.is_given || std::ranges::find(fitting, strategy) != fitting.end()) continue;
    if (fitting.empty()) break;  // told below
    std::string names;
    for (std::size_t i = 0; i < fitting.size(); ++i)
      names += (i == 0 ? "" : i + 1 < fitting.size() ? ", " : " or ") + std::string(fitting[i]);
    return Error{std::string(option.name) + " is for --strategy " + names + "; the strategy here is " + strategy + "."};
  }
  return Success{};
}

// Timeouts that fire early.
Status check_early(const CheckOptions& options, const std::string& strategy) {
  if (!options.early) return Success{};
  if (options.model.time != erlang::TimePolicy::kIdle)
    return Error{"--early is for --time idle: by the other policies timeouts may fire while others can go on in any case."};
  if (!can_fire_early(strategy)) return Error{"--early is not for --strategy " + strategy + "; choose another strategy."};
  return Success{};
}

Status check_front_end(const CheckOptions& options, FrontEnd front_end) {
  const ThreadsOptions& threads = options.threads;
  std::vector<GivenOption> of_erlang = given_for_erlang(options.program, options.model, options.properties);
  of_erlang.insert(of_erlang.end(), {
      {"--atomic", !options.model.atomic_modules.empty()},
      {"--non-racing", !options.non_racing.empty()},
      {"--blocking", options.blocking != CheckOptions().blocking},
      {"--step-limit", options.step_limit != CheckOptions().step_limit},
  });
  const GivenOption of_threads[] = {
      {"--accesses", threads.accesses != ThreadsOptions().accesses},
      {"--races", threads.races_are_bugs},
      {"--spurious", threads.spurious},
      {"--host-files", threads.host_files},
      {"--ignore of a kind of bug of C and C++", !threads.ignored.empty()},
      {"--isolate", threads.isolates},
      {"--track", !threads.tracked.empty()},
      {"--arrays", threads.parts != ThreadsOptions().parts},
  };
  if (front_end == FrontEnd::kThreads) return refuse_for_threads(of_erlang);
  return refuse_for_erlang(of_threads);
}

Status check_erlang_options(const CheckOptions& options, const SearchSettings& settings) {
  const std::string& strategy = settings.strategy;
  if (options.variables || options.iterations || options.threads_ordered || strategy == "vt")
    return Error{"--variables, --iterations, --threads and --strategy vt are for programs of C and C++, whose operations are known "
                 "before they happen."};
  if (options.preemptions && strategy == "dpor" && !options.trace.empty())
    return Error{"--preemptions and --trace do not go together with --strategy dpor; add --strategy preemption."};
  if (options.model.time == erlang::TimePolicy::kDeadlines && strategy == "variants")
    return Error{"--strategy variants is not for --time deadlines yet: which deadline is the first one is no race of messages; choose "
                 "another strategy."};
  if (settings.compares_executions() && !options.model.atomic_modules.empty())
    return Error{"--atomic is not for --strategy " + strategy + " yet, which compares single operations; choose another strategy."};
  if (settings.compares_executions() && options.blocking == BlockingSteps::kExplore)
    return Error{"--blocking explore is not for --strategy " + strategy + ": a blocked step changes nothing."};
  if (!settings.compares_executions() && !options.non_racing.empty())
    return Error{"--non-racing is for --strategy dpor or variants; the strategy here is " + strategy + "."};
  return Success{};
}

Status set_erlang_options(const CheckOptions& options, SearchSettings& settings) {
  settings.erlang.properties = options.properties;
  erlang::MachineOptions& machine = settings.erlang.machine;
  machine.reductions_per_step_max = options.step_limit;
  machine.blocking = options.blocking == BlockingSteps::kExplore ? erlang::Blocking::kExplore : erlang::Blocking::kAvoid;
  if (Status fitting = set_model(options.model, machine); !fitting) return fitting;
  machine.fires_early = settings.strategy_options.early.has_value();
  if (!options.model.ends) machine.ends = settings.counts_schedules() ? erlang::Ends::kAtomic : erlang::Ends::kStepwise;
  set_for_strategy(settings, options.non_racing);
  if (settings.compares_executions() && options.starts == ApplicationStarts::kOnce)
    settings.erlang.starts = erlang::ErlangOptions::Starts::kOnce;
  return Success{};
}

}  // namespace

Result<SearchSettings> search_settings(const CheckOptions& options, FrontEnd front_end) {
  auto budget = parse_budgets(options.budgets);
  if (!budget) return budget.error();
  SearchSettings settings;
  settings.strategy = strategy_for(options, front_end);
  settings.in_turns_with = in_turns_with(options, front_end);
  settings.strategy_options = {.seed = options.seed.value_or(1),
                               .bound = options.delays ? options.delays : options.preemptions,
                               .depth = options.depth,
                               .variables = options.variables,
                               .iterations = options.iterations,
                               .threads = options.threads_ordered};
  if (options.early.value_or(0) > 0) settings.strategy_options.early = options.early;
  settings.arrays_are_whole = options.threads.parts == VariableParts::kWhole;
  settings.strategy_options.waits_unseen = front_end == FrontEnd::kThreads || options.model.time == erlang::TimePolicy::kDeadlines;
  // The number of executions is what a random search is asked for, so that it can be complete.
  if (is_sampling(settings.strategy)) {
    settings.strategy_options.executions = budget->executions;
    budget->executions.reset();
    if (!settings.strategy_options.executions && !budget->seconds) settings.strategy_options.executions = kRandomExecutions;
  }
  if (const auto strategy = make_strategy(settings.strategy, settings.strategy_options); !strategy)
    return Error{"--strategy: " + strategy.error().message + "."};
  if (front_end == FrontEnd::kThreads && settings.strategy == "variants")
    return Error{"--strategy variants is about messages, which threads do not send; choose another strategy."};
  if (Status fitting = check_strategy_options(options, settings.strategy, front_end); !fitting) return fitting.error();
  if (Status fitting = check_early(options, settings.strategy); !fitting) return fitting.error();
  if (front_end == FrontEnd::kThreads && options.iterations && !settings.asks_for_variables())
    return Error{"--iterations bounds which variables count; with --strategy preemption say how many by --variables."};
  const std::uint64_t memory = budget->memory.value_or(memory_to_use(front_end == FrontEnd::kThreads ? 2 : 8));
  settings.limits = {.seconds = budget->seconds,
                     .executions = budget->executions,
                     .memory = MemoryBudget{.bytes = memory, .held = resident_bytes},
                     .events_max = options.events_max.value_or(events_for(memory)),
                     .long_executions = options.ignores_event_bound ? LongExecutions::kIgnored : options.long_executions,
                     .after_bug = options.keep_going ? AfterBug::kKeepGoing : AfterBug::kStop,
                     .interrupt = nullptr};
  if (Status fitting = check_front_end(options, front_end); !fitting) return fitting.error();
  if (front_end == FrontEnd::kErlang) {
    if (Status fitting = check_erlang_options(options, settings); !fitting) return fitting.error();
    if (Status fitting = set_erlang_options(options, settings); !fitting) return fitting.error();
  }
  return settings;
}

void set_for_strategy(SearchSettings& settings, const std::vector<std::string>& non_racing) {
  if (!settings.compares_executions()) return;
  settings.erlang.machine.notes_messages = true;
  settings.erlang.non_racing = non_racing;
  settings.erlang.after_failure = erlang::ErlangOptions::AfterFailure::kGoOn;
}

}  // namespace ravel
