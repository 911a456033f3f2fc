#include "strategy/catalogue.h"

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <utility>

#include "base/check.h"
#include "explorers/built_in.h"
#include "strategy/after_prefix.h"
#include "strategy/counted_stages.h"
#include "strategy/delay_bounding.h"
#include "strategy/depth_first.h"
#include "strategy/fault_plans.h"
#include "strategy/optimal_reduction/optimal_reduction.h"
#include "strategy/pct.h"
#include "strategy/pos.h"
#include "strategy/preemption_bounding.h"
#include "strategy/random_strata.h"
#include "strategy/random_walk.h"
#include "strategy/stratified_sampling.h"
#include "strategy/surw.h"
#include "strategy/variable_thread_bounding.h"

namespace ravel {

namespace {

// Makes a strategy that knows nothing of prefixes begin after one.
std::unique_ptr<Strategy> behind_prefix(const StrategyContext& context, std::unique_ptr<Strategy> strategy) {
  if (context.prefix.empty()) return strategy;
  return std::make_unique<AfterPrefix>(context.prefix, std::move(strategy));
}

std::unique_ptr<Strategy> sampling(const StrategyContext& context, std::unique_ptr<Sampling> strategy) {
  strategy->follow(context.follow_up);
  return behind_prefix(context, std::move(strategy));
}

std::unique_ptr<Strategy> make_depth_first(const StrategyParameters&, const StrategyContext& context) {
  return behind_prefix(context, std::make_unique<DepthFirst>());
}

std::unique_ptr<Strategy> make_preemption_bounding(const StrategyParameters& parameters,
                                                   const StrategyContext& context) {
  return behind_prefix(context, std::make_unique<PreemptionBounding>(
                                    PreemptionBounding::Options{.bound_max = parameters.bound,
                                                                .variables_max = parameters.variables,
                                                                .iterations_max = parameters.iterations,
                                                                .variable_of = context.variable_of}));
}

std::unique_ptr<Strategy> make_delay_bounding(const StrategyParameters& parameters,
                                              const StrategyContext& context) {
  return behind_prefix(context, std::make_unique<DelayBounding>(parameters.bound));
}

std::unique_ptr<Strategy> make_random_walk(const StrategyParameters& parameters,
                                           const StrategyContext& context) {
  return sampling(context, std::make_unique<RandomWalk>(parameters.seed, parameters.executions,
                                                        parameters.first_execution));
}

std::unique_ptr<Strategy> make_random_strata(const StrategyParameters& parameters,
                                             const StrategyContext& context) {
  const std::uint64_t steps = parameters.own_value("--stratum").value_or(RandomStrata::kUsualSteps);
  return sampling(context, std::make_unique<RandomStrata>(steps, parameters.seed, parameters.executions));
}

std::unique_ptr<Strategy> make_pct(const StrategyParameters& parameters, const StrategyContext& context) {
  const ProbabilisticTesting::Options own = {.depth = parameters.depth.value_or(3),
                                             .variables = parameters.variables.value_or(0),
                                             .variable_of = context.variable_of};
  return sampling(context,
                  std::make_unique<ProbabilisticTesting>(own, parameters.seed, parameters.executions));
}

std::unique_ptr<Strategy> make_vt(const StrategyParameters& parameters, const StrategyContext& context) {
  VariableThreadBounding::Options own;
  own.variables = parameters.variables.value_or(own.variables);
  own.threads = parameters.threads.value_or(own.threads);
  own.preemptions = parameters.bound.value_or(own.preemptions);
  own.iterations = parameters.iterations;
  own.seed = parameters.seed;
  own.variable_of = context.variable_of;
  return behind_prefix(context, std::make_unique<VariableThreadBounding>(own));
}

std::unique_ptr<Strategy> make_pos(const StrategyParameters& parameters, const StrategyContext& context) {
  return sampling(context, std::make_unique<PartialOrderSampling>(parameters.seed, parameters.executions,
                                                                  parameters.first_execution));
}

std::unique_ptr<Strategy> make_surw(const StrategyParameters& parameters, const StrategyContext& context) {
  return sampling(context, std::make_unique<SelectivelyUniform>(parameters.seed, parameters.executions,
                                                                context.whole_of));
}

std::unique_ptr<Strategy> make_stratified(const StrategyParameters& parameters,
                                          const StrategyContext& context) {
  return sampling(context, std::make_unique<StratifiedSampling>(make_explorer(parameters, context.explorer),
                                                                parameters.bound, parameters.seed,
                                                                parameters.executions, context.explorer));
}

std::unique_ptr<Strategy> make_race_variants(const StrategyParameters&, const StrategyContext& context) {
  return make_optimal_reduction({.prefix = context.prefix, .reversals = Reversals::kReceives});
}

// Within a bound the reduction that is optimal without one would miss traces: what leads from one trace to
// another may lie beyond it. And footprints do not tell on whom it depends that somebody stands back for
// others, or that no deadline is earlier. Caching handles either.
std::unique_ptr<Strategy> make_dpor(const StrategyParameters& parameters, const StrategyContext& context) {
  if (parameters.bound || context.waits_unseen)
    return behind_prefix(context, std::make_unique<PreemptionBounding>(PreemptionBounding::Options{
                                      .bound_max = parameters.bound, .runs_traces_once = true}));
  return make_optimal_reduction({.prefix = context.prefix});
}

// Whether there is one of this name is known to whoever knows the program.
Status put_explorer(StrategyParameters& parameters, const std::string& name) {
  if (name.empty()) return Error{"the name of an explorer is missing"};
  parameters.explorer = name;
  return Success{};
}

template <auto kField>
void put(StrategyParameters& parameters, std::uint64_t value) {
  parameters.*kField = value;
}

constexpr StrategyOption kPreemptions = {.name = "--preemptions",
                                         .help = "the largest number of preemptions",
                                         .put = put<&StrategyParameters::bound>};
constexpr StrategyOption kDelays = {
    .name = "--delays", .help = "the largest number of delays", .put = put<&StrategyParameters::bound>};
constexpr StrategyOption kDepth = {.name = "--depth",
                                   .help = "of pct: how many ordering constraints a bug needs (default 3)",
                                   .least = 1,
                                   .put = put<&StrategyParameters::depth>};
constexpr StrategyOption kVariables = {.name = "--variables",
                                       .help = "how many variables a bug has to do with",
                                       .least = 1,
                                       .put = put<&StrategyParameters::variables>};
constexpr StrategyOption kIterations = {.name = "--iterations",
                                        .help =
                                            "of the variables: only those of the heap before whose "
                                            "allocation the same calls had allocated at most N blocks",
                                        .put = put<&StrategyParameters::iterations>};
constexpr StrategyOption kThreads = {.name = "--threads",
                                     .help = "of vt: an order of how many threads a bug needs (default 2)",
                                     .least = 2,
                                     .most = 8,
                                     .put = put<&StrategyParameters::threads>};
constexpr StrategyOption kSeed = {.name = "--seed",
                                  .help = "of the random choices (default 1)",
                                  .most = std::numeric_limits<std::int64_t>::max(),
                                  .put = put<&StrategyParameters::seed>};
constexpr StrategyOption kExplorer = {
    .name = "--explorer",
    .help =
        "the delaying explorer: rtc (run to completion, the default), rr (round robin), prr (round robin "
        "in an order drawn from --seed), with ses also preemptions, a library FILE.so, for programs of "
        "Erlang a FILE.erl or a module, "
        "or for programs in P the name of a spec that is one",
    .put_text = put_explorer,
    .words = kBuiltInExplorers};
constexpr StrategyOption kFingerprints = {
    .name = "--fingerprints",
    .help = "keeps N bits, 64 or 128, of a hash of each visited state, and not the state",
    .least = 64,
    .most = 128};
constexpr StrategyOption kBitstate = {
    .name = "--bitstate",
    .help =
        "keeps visited states in a Bloom filter of N megabytes, and leaves those out that it takes for "
        "others",
    .least = 1,
    .most = 1 << 24};
constexpr StrategyOption kReduced = {
    .name = "--reduced",
    .help = "leaves out orders of independent steps: fewer states, the same bugs",
    .is_flag = true};
constexpr StrategyOption kStratum = {
    .name = "--stratum",
    .help = "of irs: by how many steps executions of a stratum may be longer than those before (default 100)",
    .least = 1};
constexpr StrategyOption kArrays = {.name = "--arrays", .help = ""};

// As --help lists them.
constexpr const StrategyOption* kOptions[] = {
    &kPreemptions, &kDelays,       &kDepth,    &kVariables, &kIterations, &kThreads, &kSeed,
    &kArrays,      &kFingerprints, &kBitstate, &kReduced,   &kExplorer,   &kStratum};

constexpr auto kStrategies = std::to_array<StrategyEntry>({
    {"dpor",
     "every trace once: schedules that differ in the order of independent events count as one; with "
     "--preemptions "
     "those traces that need no more",
     {.fires_early = true, .compares_executions = true},
     {&kPreemptions},
     make_dpor},
    {"preemption",
     "all schedules with at most 0, 1, 2, ... preemptions, up to --preemptions",
     {.fires_early = true, .counts_schedules = true, .finds_fewest_preemptions = true},
     {&kPreemptions, &kVariables, &kIterations, &kArrays},
     make_preemption_bounding},
    {"delay",
     "all schedules with at most 0, 1, 2, ... delays of a round-robin scheduler, up to --delays",
     {.counts_schedules = true},
     {&kDelays},
     make_delay_bounding},
    {"variants",
     "every trace once if there are no races but those of messages: other races stay as they come",
     {.compares_executions = true, .is_about_messages = true},
     {},
     make_race_variants},
    {"vt",
     "at most --preemptions before accesses to sets of at most --variables, in the orders of --threads "
     "threads",
     {.needs_pending = true},
     {&kPreemptions, &kSeed, &kVariables, &kIterations, &kArrays, &kThreads},
     make_vt},
    {"dfs",
     "all schedules, depth first",
     {.fires_early = true, .counts_schedules = true},
     {},
     make_depth_first},
    {"states",
     "all states, depth first: ends also where executions do not",
     {.by_states = StateOrder::kDepthFirst},
     {&kFingerprints, &kBitstate, &kReduced},
     nullptr},
    {"shortest",
     "all states, breadth first: the first bug has a shortest schedule",
     {.by_states = StateOrder::kBreadthFirst},
     {&kFingerprints},
     nullptr},
    {"ses",
     "all states, by how many delays of --explorer lead there: 0, 1, 2, ..., up to --delays",
     {.by_states = StateOrder::kByDelays},
     {&kExplorer, &kDelays, &kSeed},
     nullptr},
    {"random",
     "a uniform choice at every point, from --seed",
     {.samples = true, .fires_early = true, .has_shards = true},
     {&kSeed},
     make_random_walk},
    {"irs",
     "as random, in short executions first: 3 of at most --stratum steps, then 9 of twice as many, ...",
     {.samples = true, .fires_early = true},
     {&kSeed, &kStratum},
     make_random_strata},
    {"pct",
     "random priorities that change at --depth - 1 places, with a bound on the chance to miss a bug of that "
     "depth; with "
     "--variables places where as many variables are accessed",
     {.samples = true, .fires_early = true},
     {&kSeed, &kDepth, &kVariables, &kArrays},
     make_pct},
    {"pos",
     "a random priority for every event, drawn again when another one races with it",
     {.samples = true, .fires_early = true, .has_shards = true},
     {&kSeed},
     make_pos},
    {"surw",
     "all orders of the events on one variable alike, another variable in each execution",
     {.samples = true, .fires_early = true, .draws_arrays = true},
     {&kSeed},
     make_surw},
    {"ss",
     "executions with 0, 1, 2, ... delays of --explorer, up to --delays, with a bound on the chance to miss "
     "what so many show",
     {.samples = true, .fires_early = true},
     {&kSeed, &kExplorer, &kDelays},
     make_stratified},
    {"ses,ss",
     "ses with half of the time and four fifths of the memory, then samples as of ss from what is left",
     {.samples = true, .by_states = StateOrder::kByDelays},
     {&kExplorer, &kDelays, &kSeed},
     nullptr},
});

std::vector<StrategyEntry>& table() {
  static std::vector<StrategyEntry> rows(kStrategies.begin(), kStrategies.end());
  return rows;
}

using Make = std::function<std::unique_ptr<Strategy>(const StrategyContext&)>;

// Once for each number of steps of a kind; that one of them is kept back depends on the others, which no
// footprint tells.
Make in_stages(const StrategyEntry& entry, TransitionKind counted, BoundOn bound, std::uint32_t last,
               const Make& make) {
  return [=](const StrategyContext& context) {
    const auto make_stage = [=](std::uint32_t stage) {
      StrategyContext of_stage = context;
      of_stage.waits_unseen = context.waits_unseen || stage > 0;
      return make(of_stage);
    };
    return std::make_unique<CountedStages>(CountedStages::Options{.counted = counted,
                                                                  .bound = bound,
                                                                  .first = entry.traits.samples ? last : 0,
                                                                  .last = last,
                                                                  .prefix = context.prefix.size(),
                                                                  .make = make_stage});
  };
}

// By plans, for what goes by footprints alone; else in stages.
Make with_faults(const StrategyEntry& entry, const StrategyParameters& parameters, const Make& make) {
  const std::uint32_t faults = *parameters.faults;
  const Make staged = in_stages(entry, TransitionKind::kFault, BoundOn::kFaults, faults, make);
  const bool compares = entry.traits.compares_executions && !parameters.bound;
  return [=](const StrategyContext& context) -> std::unique_ptr<Strategy> {
    if (!compares || context.waits_unseen) return staged(context);
    return std::make_unique<FaultPlans>(
        FaultPlans::Options{.faults_max = faults, .make = [=] { return make(context); }});
  };
}

}  // namespace

void StrategyOption::set(StrategyParameters& parameters, std::uint64_t value) const {
  if (put != nullptr) {
    put(parameters, value);
  } else {
    std::erase_if(parameters.own, [&](const OwnParameter& own) { return own.name == name; });
    parameters.own.push_back({.name = std::string(name), .value = value});
  }
}

bool StrategyEntry::has(std::string_view option) const {
  return std::ranges::any_of(
      options, [&](const StrategyOption* one) { return one != nullptr && one->name == option; });
}

std::unique_ptr<DelayingExplorer> make_explorer(const StrategyParameters& parameters,
                                                const ExplorerNeeds& needs) {
  if (needs.make) return needs.make();
  auto explorer =
      built_in_explorer(parameters.explorer.empty() ? kUsualExplorer : parameters.explorer, parameters.seed);
  CHECK_MESSAGE(explorer != nullptr, "an explorer that nobody makes");
  return explorer;
}

std::span<const StrategyEntry> strategies() { return table(); }

void add_strategy(const StrategyEntry& entry) { table().push_back(entry); }

std::vector<const StrategyOption*> strategy_options() {
  std::vector<const StrategyOption*> all(std::begin(kOptions), std::end(kOptions));
  for (const StrategyEntry& entry : strategies())
    for (const StrategyOption* const option : entry.options)
      if (option != nullptr && std::ranges::find(all, option) == all.end()) all.push_back(option);
  return all;
}

Status check_parts(const StrategyEntry& entry, const SystemParts& parts) {
  const char* missing = nullptr;
  if (entry.traits.needs_pending && !parts.pending) missing = "operations that are known before they happen";
  if (entry.traits.needs_snapshots && !parts.snapshots) missing = "states that can be saved";
  if (entry.traits.needs_fingerprints && !parts.fingerprints) missing = "states that can be told apart";
  if (entry.traits.by_states && !parts.numbers_states) missing = "states that can be numbered";
  if (missing == nullptr) return Success{};
  return Error{"--strategy " + std::string(entry.name) + " needs " + missing +
               ", which programs of this kind do not have; choose another strategy."};
}

const StrategyEntry* find_strategy(std::string_view name) {
  const auto found = std::ranges::find(strategies(), name, &StrategyEntry::name);
  return found == strategies().end() ? nullptr : &*found;
}

Result<const StrategyEntry*> strategy_named(std::string_view name) {
  if (const StrategyEntry* const found = find_strategy(name)) return found;
  std::string names;
  for (const StrategyEntry& entry : strategies())
    names += (names.empty() ? "" : ", ") + std::string(entry.name);
  return Error{"there is no strategy '" + std::string(name) + "'; choose one of: " + names};
}

std::unique_ptr<Strategy> make_strategy(const StrategyEntry& entry, const StrategyParameters& parameters,
                                        const StrategyContext& context) {
  if (!parameters.early && !parameters.faults) return entry.make(parameters, context);
  Make make = [entry, parameters](const StrategyContext& of_one) { return entry.make(parameters, of_one); };
  if (parameters.faults) make = with_faults(entry, parameters, make);
  if (parameters.early)
    make = in_stages(entry, TransitionKind::kEarly, BoundOn::kEarlyTimeouts, *parameters.early, make);
  return make(context);
}

Result<std::unique_ptr<Strategy>> make_strategy(std::string_view name, const StrategyParameters& parameters,
                                                const StrategyContext& context) {
  const auto entry = strategy_named(name);
  if (!entry) return entry.error();
  if ((*entry)->make == nullptr) return Error{std::string(name) + " visits states, and runs no executions"};
  return make_strategy(**entry, parameters, context);
}

}  // namespace ravel
