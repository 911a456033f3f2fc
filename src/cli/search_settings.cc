#include "cli/search_settings.h"

namespace ravel {

namespace {

// A random search without any budget would have no end.
constexpr std::uint64_t kRandomExecutions = 10'000;

// Reduction, where it can do what was asked for.
std::string strategy_for(const CheckOptions& options) {
  if (!options.strategy.empty()) return options.strategy;
  if (options.delays) return "delay";
  if (!options.model.atomic_modules.empty() || options.blocking == BlockingSteps::kExplore) return "preemption";
  return "dpor";
}

Status check_together(const CheckOptions& options, const SearchSettings& settings) {
  const std::string& strategy = settings.strategy;
  if (options.preemptions && strategy != "preemption" && strategy != "dpor")
    return Error{"--preemptions is for --strategy dpor or preemption; the strategy here is " + strategy + "."};
  if (options.preemptions && strategy == "dpor" && !options.trace.empty())
    return Error{"--preemptions and --trace do not go together with --strategy dpor; add --strategy preemption."};
  if (options.delays && strategy != "delay")
    return Error{"--delays is for --strategy delay; the strategy here is " + strategy + "."};
  if (settings.compares_executions() && !options.model.atomic_modules.empty())
    return Error{"--atomic is not for --strategy " + strategy + " yet, which compares single operations; choose another strategy."};
  if (settings.compares_executions() && options.blocking == BlockingSteps::kExplore)
    return Error{"--blocking explore is not for --strategy " + strategy + ": a blocked step changes nothing."};
  if (!settings.compares_executions() && !options.non_racing.empty())
    return Error{"--non-racing is for --strategy dpor or variants; the strategy here is " + strategy + "."};
  if (options.seed && !is_sampling(strategy))
    return Error{"--seed is for strategies that sample (random, pct, pos, surw); the strategy here is " + strategy + "."};
  if (options.depth && strategy != "pct")
    return Error{"--depth is for --strategy pct; the strategy here is " + strategy + "."};
  if (options.variables || options.threads_ordered || strategy == "vt")
    return Error{"--variables, --threads and --strategy vt are for programs of C and C++, whose operations are known before they happen."};
  return Success{};
}

}  // namespace

Result<SearchSettings> search_settings(const CheckOptions& options) {
  auto budget = parse_budgets(options.budgets);
  if (!budget) return budget.error();
  SearchSettings settings;
  settings.strategy = strategy_for(options);
  settings.strategy_options = {.seed = options.seed.value_or(1), .bound = options.delays ? options.delays : options.preemptions, .depth = options.depth};
  // The number of executions is what a random search is asked for, so that it can be complete.
  if (is_sampling(settings.strategy)) {
    settings.strategy_options.executions = budget->executions;
    budget->executions.reset();
    if (!settings.strategy_options.executions && !budget->seconds) settings.strategy_options.executions = kRandomExecutions;
  }
  if (const auto strategy = make_strategy(settings.strategy, settings.strategy_options); !strategy)
    return Error{"--strategy: " + strategy.error().message + "."};
  if (Status fitting = check_together(options, settings); !fitting) return fitting.error();
  settings.limits = {.seconds = budget->seconds,
                     .executions = budget->executions,
                     .events_max = options.events_max,
                     .ignores_event_bound = options.ignores_event_bound,
                     .after_bug = options.keep_going ? AfterBug::kKeepGoing : AfterBug::kStop,
                     .interrupt = nullptr};
  settings.erlang.properties = options.properties;
  erlang::MachineOptions& machine = settings.erlang.machine;
  machine.reductions_per_step_max = options.step_limit;
  machine.blocking = options.blocking == BlockingSteps::kExplore ? erlang::Blocking::kExplore : erlang::Blocking::kAvoid;
  if (Status fitting = set_model(options.model, machine); !fitting) return fitting.error();
  set_for_strategy(settings, options.non_racing);
  return settings;
}

void set_for_strategy(SearchSettings& settings, const std::vector<std::string>& non_racing) {
  if (!settings.compares_executions()) return;
  settings.erlang.machine.notes_messages = true;
  settings.erlang.non_racing = non_racing;
  settings.erlang.after_failure = erlang::ErlangOptions::AfterFailure::kGoOn;
}

}  // namespace ravel
