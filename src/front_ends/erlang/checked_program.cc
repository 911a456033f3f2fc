#include "front_ends/erlang/checked_program.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/check.h"
#include "check/check.h"
#include "check/state_search_parts.h"
#include "check/ticket_writer.h"
#include "engine/bug_ledger.h"
#include "engine/named_step.h"
#include "explorers/explorer_library.h"
#include "front_ends/erlang/front_end.h"
#include "front_ends/erlang/module_options.h"
#include "front_ends/erlang/own_options.h"
#include "front_ends/erlang/portable_files.h"
#include "front_ends/erlang/program_note.h"
#include "front_ends/erlang/program_tests.h"
#include "front_ends/erlang/told_schedule.h"
#include "host/messages.h"
#include "races/orphans.h"
#include "report/assumptions.h"
#include "states/shared_states.h"

namespace ravel::erlang {

namespace {

using Json = nlohmann::json;

// Reduction, where it can do what was asked for.
StrategyRules strategy_rules(const CheckOptions& options) {
  const OwnOptions& own = own_options(options);
  const bool counts_steps =
      !own.atomic_modules.empty() || own.steps == Steps::kReceives || own.blocking == Blocking::kExplore;
  const bool goes_by_states =
      !own.properties.formulas.empty() || !own.symmetric.empty() || !own.abstraction.empty();
  const char* const usual = goes_by_states ? "states" : counts_steps ? "preemption" : "dpor";
  return {.usual = usual,
          .waits_unseen = options.time == TimeOption::kDeadlines || !own.slow.empty(),
          .no_pending =
              "--variables, --iterations, --threads and --strategy vt are for programs of C and C++, whose "
              "operations are "
              "known before they happen.",
          .has_own_explorers = true};
}

Status check_own_options(const CheckOptions& options, const SearchSettings& search) {
  const OwnOptions& own = own_options(options);
  const std::string& strategy = search.request.strategy;
  const StrategyTraits& traits = search.traits();
  if (const auto known = propositions_of(own.properties.formulas); !known)
    return Error{"--ltl: " + known.error().message};
  if (!own.properties.formulas.empty() && traits.by_states != StateOrder::kDepthFirst)
    return Error{
        "--ltl is for --strategy states, which sees where executions go round; the strategy here is " +
        strategy + "."};
  if (options.parameters.own_value("--reduced") && (!own.symmetric.empty() || !own.abstraction.empty()))
    return Error{std::string("--reduced is not for ") +
                 (own.symmetric.empty() ? "--abstraction" : "--symmetric") +
                 ": what can still happen after a state is known by names, which it exchanges or leaves out; "
                 "leave one of them out."};
  if (options.parameters.own_value("--reduced") && options.early.value_or(0) > 0)
    return Error{
        "--reduced is not for --early yet: timeouts fire early only as long as somebody else can go on; "
        "leave "
        "one of them out."};
  if (!own.properties.formulas.empty() && options.parameters.own_value("--reduced"))
    return Error{
        "--reduced is not for --ltl: a formula may tell orders apart that are left out; leave it out."};
  for (const char* const option : {"--fingerprints", "--bitstate"})
    if (!own.properties.formulas.empty() && options.parameters.own_value(option))
      return Error{
          std::string(option) +
          " is not for --ltl, which needs the states to see where executions go round; leave it out."};
  if (traits.by_states == StateOrder::kByDelays && (!own.symmetric.empty() || !own.abstraction.empty()))
    return Error{
        fmt::format("{} is not for --strategy {}: an explorer knows processes by names, which it "
                    "exchanges or leaves out; choose --strategy states.",
                    own.symmetric.empty() ? "--abstraction" : "--symmetric", strategy)};
  if (!own.abstraction.empty() && !traits.by_states)
    return Error{
        "--abstraction is for --strategy states or shortest, which visit states; the strategy here is " +
        strategy + "."};
  if (!own.abstraction.empty() && !own.properties.formulas.empty())
    return Error{
        "--abstraction is not for --ltl, which asks about the states themselves; leave one of them out."};
  if (options.parameters.bound && traits.compares_executions && !options.trace.empty())
    return Error{"--preemptions and --trace do not go together with --strategy " + strategy +
                 "; add --strategy preemption."};
  if (options.time == TimeOption::kDeadlines && traits.is_about_messages)
    return Error{"--strategy " + strategy +
                 " is not for --time deadlines yet: which deadline is the first one is no race of messages; "
                 "choose another strategy."};
  if (traits.compares_executions && !own.atomic_modules.empty())
    return Error{"--atomic is not for --strategy " + strategy +
                 " yet, which compares single operations; choose another strategy."};
  if (traits.compares_executions && own.steps == Steps::kReceives)
    return Error{"--steps receives is not for --strategy " + strategy +
                 ", which compares single operations; choose another strategy."};
  if (traits.compares_executions && own.blocking == Blocking::kExplore)
    return Error{"--blocking explore is not for --strategy " + strategy +
                 ": a blocked step changes nothing."};
  if (!traits.compares_executions && !own.non_racing.empty())
    return Error{"--non-racing is for --strategy dpor or variants; the strategy here is " + strategy + "."};
  return Success{};
}

// What follows from the strategy for how the program is run.
void set_for_strategy(TestSettings& settings, const std::vector<std::string>& non_racing) {
  if (!settings.search.traits().compares_executions) return;
  settings.system.machine.notes_messages = true;
  settings.system.non_racing = non_racing;
  settings.system.after_failure = ErlangOptions::AfterFailure::kGoOn;
}

WatchingListener::Claim claim_of(const SearchSettings& search) {
  const bool says_more = search.traits().by_states == StateOrder::kBreadthFirst &&
                         search.request.limits.after_bug == AfterBug::kStop;
  return says_more ? WatchingListener::Claim::kNoneWithFewerEvents : WatchingListener::Claim::kNone;
}

// The explorer in Erlang that was asked for; empty: it is none, or none in Erlang.
std::string explorer_in_erlang(const StrategyParameters& asked) {
  const std::string& name = asked.explorer;
  return names_general_explorer(name) ? std::string() : name;
}

// Of an explorer that knows the program's language, or is a library.
void listen_to_messages(const StrategyParameters& asked, ErlangOptions& options) {
  options.explorer = explorer_in_erlang(asked);
  options.tells_explorer = !options.explorer.empty() || names_explorer_library(asked.explorer);
}

// Whether a module calls ravel:progress().
bool tells_of_progress(const Program& program) {
  return std::ranges::any_of(program.modules(), [](const ProgramModule& module) {
    const BeamFile& beam = module.beam;
    return module.name != "ravel" && std::ranges::any_of(beam.imports, [&](const Import& import) {
             return beam.atoms[import.module_atom] == "ravel" &&
                    beam.atoms[import.function_atom] == "progress" && import.arity == 0;
           });
  });
}

// What only one process can do, of a search by states; empty: nothing.
std::string obstacle_to_sharing(const TestSettings& settings, bool could_ask_about_progress) {
  if (!settings.system.properties.formulas.empty()) return "--ltl";
  if (!settings.system.machine.symmetric.empty()) return "--symmetric";
  if (!settings.system.abstraction.empty()) return "--abstraction";
  if (could_ask_about_progress) return "the search for executions without ravel:progress()";
  return "";
}

// What hashes of states depend on, as indices of names and of code, and what ends a search when it is found
// out: how much of that there is. It only grows.
std::function<std::size_t()> knowledge_of(ErlangSystem& system) {
  return [&system, has_left_out = false]() mutable {
    const Machine& machine = system.machine();
    has_left_out |= system.leaves_others_out();
    return machine.names.size() + machine.code.area().size() + system.discovered().code.size() +
           system.discovered().concurrent_starts.size() + (machine.processes.were_listed() ? 1 : 0) +
           (has_left_out ? 1 : 0);
  };
}

// What a resume file notes of a search besides what it has found.
Json json_of_names(const std::vector<ActorName>& names) {
  Json json = Json::array();
  for (const ActorName& name : names) json.push_back(name.to_string());
  return json;
}

// Nothing if one of them is no name.
std::optional<std::vector<ActorName>> names_of(const Json& json) {
  std::vector<ActorName> names;
  for (const Json& text : json) {
    if (!text.is_string()) return std::nullopt;
    auto name = ActorName::parse(text.get<std::string>());
    if (!name) return std::nullopt;
    names.push_back(std::move(*name));
  }
  return names;
}

}  // namespace

Result<TestSettings> test_settings(const CheckOptions& options) {
  auto search = search_settings(options, strategy_rules(options));
  if (!search) return search.error();
  TestSettings settings{.search = std::move(*search), .system = {}};
  if (Status fitting = check_own_options(options, settings.search); !fitting) return fitting.error();
  const OwnOptions& own = own_options(options);
  settings.system.properties = properties_of(options);
  settings.fairness = own.fairness;
  MachineOptions& machine = settings.system.machine;
  machine.reductions_per_step_max = own.step_limit;
  machine.blocking = own.blocking;
  if (Status fitting = set_model(options, machine); !fitting) return fitting.error();
  machine.fires_early = settings.search.request.parameters.early.has_value();
  const StrategyTraits& traits = settings.search.traits();
  auto mishaps = mishaps_of(options, *find_strategy(settings.search.request.strategy));
  if (!mishaps) return mishaps.error();
  machine.mishaps = std::move(*mishaps);
  const bool has_mishaps = machine.mishaps.count() > 0 || !machine.mishaps.slow.empty();
  if (has_mishaps && settings.search.request.parameters.own_value("--reduced"))
    return Error{
        "--reduced is not for faults yet (--kill, --drop, --duplicate, --slow): they happen only as long as "
        "somebody else can go on; leave one of them out."};
  auto groups = symmetric_groups(options, *find_strategy(settings.search.request.strategy));
  if (!groups) return groups.error();
  machine.symmetric = std::move(*groups);
  settings.system.abstraction = own.abstraction;
  if (traits.by_states && machine.fires_early)
    machine.mishaps.early = settings.search.request.parameters.early;
  StrategyParameters& parameters = settings.search.request.parameters;
  if (machine.mishaps.count() > 0) parameters.faults = machine.mishaps.count();
  machine.mishaps.names_are_own =
      traits.compares_executions && !parameters.bound && !settings.search.context.waits_unseen;
  if (!own.ends) machine.ends = traits.counts_schedules || traits.by_states ? Ends::kAtomic : Ends::kStepwise;
  set_for_strategy(settings, own.non_racing);
  // In the one order that starts come in there is no place for faults.
  if (traits.compares_executions && own.starts == ErlangOptions::Starts::kOnce &&
      machine.mishaps.count() == 0)
    settings.system.starts = ErlangOptions::Starts::kOnce;
  return settings;
}

Result<std::unique_ptr<CheckedProgram>> CheckedErlangProgram::open(const CheckOptions& options,
                                                                   const SavedSearch*) {
  auto settings = test_settings(options);
  if (!settings) return settings.error();
  auto program = open_program(options, file_of_property(explorer_in_erlang(options.parameters)));
  if (!program) return program.error();
  std::unique_ptr<CheckedErlangProgram> checked(
      new CheckedErlangProgram(options, std::move(*program), std::move(*settings)));
  if (Status chosen = checked->choose(options.program.tests); !chosen) return chosen.error();
  return std::unique_ptr<CheckedProgram>(std::move(checked));
}

Result<std::unique_ptr<CheckedProgram>> CheckedErlangProgram::open(std::unique_ptr<Program> program,
                                                                   const std::string& test,
                                                                   const ErlangOptions& system,
                                                                   const CheckOptions& options) {
  auto settings = test_settings(options);
  if (!settings) return settings.error();
  if (const std::string file = file_of_property(explorer_in_erlang(options.parameters)); !file.empty())
    return Error{"--explorer " + file +
                 " is not for --trace, whose program has its files already; name the " +
                 "module, if the program has it, or leave --trace out."};
  settings->system = system;
  settings->system.machine.notes_messages = false;
  if (system.machine.mishaps.count() > 0 || !system.machine.mishaps.slow.empty())
    return Error{
        "--trace " + options.trace +
        ": its test was run with faults (--kill, --drop, --duplicate or --slow), which a search after "
        "a trace does not have yet; leave --trace out."};
  const std::string& strategy = settings->search.request.strategy;
  if (system.machine.time == TimePolicy::kDeadlines && settings->search.traits().compares_executions)
    return Error{
        "--trace " + options.trace +
        ": its test was run with --time deadlines, where a search after a trace is not for --strategy " +
        strategy + " yet; add --strategy preemption."};
  set_for_strategy(*settings, own_options(options).non_racing);
  std::unique_ptr<CheckedErlangProgram> checked(
      new CheckedErlangProgram(options, std::move(program), std::move(*settings)));
  if (Status chosen = checked->choose({test}); !chosen) return chosen.error();
  return std::unique_ptr<CheckedProgram>(std::move(checked));
}

Status CheckedErlangProgram::choose(const std::vector<std::string>& wanted) {
  auto tests = chosen_tests(*program_, wanted, settings_.system.machine);
  if (!tests) return tests.error();
  cases_ = std::move(*tests);
  for (const TestCase& test : cases_)
    entries_.push_back({.name = test.name.to_string(), .title = test.title, .skipped = test.skipped});
  return Success{};
}

std::string CheckedErlangProgram::assumptions() const {
  const MachineOptions& machine = settings_.system.machine;
  std::string atomic, stubs;
  for (const std::string& module : machine.atomic_modules) atomic += (atomic.empty() ? "" : ", ") + module;
  for (const auto& [replaced, stub] : machine.stubs)
    stubs += (stubs.empty() ? "" : ", ") + replaced + " by " + stub;
  return (atomic.empty() ? "" : "One step each: the calls of " + atomic + ".\n") +
         (stubs.empty() ? "" : "Replaced: " + stubs + ".\n");
}

Result<PortableProgram> CheckedErlangProgram::portable() const {
  if (options_.program.files.empty())
    return Error{
        "a project cannot be divided into files yet: name its modules, and its folders with -I and --pa."};
  for (const std::string& variable : own_options(options_).environment)
    if (variable.find('=') == std::string::npos)
      return Error{
          "--env " + variable +
          ": the value is that of the machine at hand, and others may have another one. Write --env " +
          variable + "=VALUE."};
  std::string installed = fmt::format("Erlang/OTP {} (runtime system {})", program_->otp().release(),
                                      program_->otp().runtime_version());
  return PortableProgram{.files = portable_files(*program_), .installed = std::move(installed)};
}

// The options of the test's module, if it has some, below and above those of the command line.
Result<TestSettings> CheckedErlangProgram::settings_for(const TestCase& test) const {
  const ProgramModule* const module = program_->find(test.name.module);
  if (module == nullptr || !options_.trace.empty()) return settings_;
  const auto of_module = module_options(*module);
  if (!of_module) return of_module.error();
  if (of_module->empty()) return settings_;
  const FrontEnds own({&erlang_front_end()});
  const auto forced = parse_check(own, of_module->forced);
  std::vector<std::string> arguments = of_module->defaults;
  std::ranges::copy(options_.arguments, std::back_inserter(arguments));
  std::ranges::copy(of_module->forced, std::back_inserter(arguments));
  auto options = forced ? parse_check(own, arguments) : forced;
  if (!options) return Error{module->file + ": the options in its attributes: " + options.error().message};
  // Budgets do not add up.
  if (!options_.resume.empty() || !options_.budgets.empty()) options->budgets = options_.budgets;
  if (options_.resume.empty() && !forced->budgets.empty()) options->budgets = forced->budgets;
  options->keep_going |= options_.keep_going;
  auto settings = test_settings(*options);
  if (!settings)
    return Error{module->file + ": with the options in its attributes: " + settings.error().message};
  return settings;
}

Result<CheckedErlangProgram::Discovered> CheckedErlangProgram::discovered_before(
    const SavedTest* saved) const {
  if (saved == nullptr) return Discovered();
  auto noted = parse_program_note(saved->program, options_.resume);
  if (!noted) return noted.error();
  const Json own = Json::parse(saved->own, nullptr, false);
  const Error damaged{options_.resume + ": the file is damaged. Begin anew."};
  if (!own.is_object()) return damaged;
  Discovered known{
      .order = own.value("notes_message_order", false) ? MessageOrder::kNoted : MessageOrder::kRefused,
      .code = std::move(noted->watched_code),
      .explored_starts = own.value("explored_starts", std::vector<std::string>())};
  known.lists_processes = own.value("lists_processes", false);
  const auto read = [&](const char* field, std::vector<ActorName>& to) {
    auto names = names_of(own.value(field, Json::array()));
    if (names) to = std::move(*names);
    return names.has_value();
  };
  if (!read("requests_in_state", known.requests_in_state) || !read("asked", known.requests.asked) ||
      !read("judged", known.requests.judged))
    return damaged;
  return known;
}

// `recurring`: the System of a search by states, or null.
std::string CheckedErlangProgram::print_own(MessageOrder order, const Discovered& known,
                                            const ErlangSystem* recurring) {
  Json json = Json::object();
  if (order == MessageOrder::kNoted) json["notes_message_order"] = true;
  if (!known.explored_starts.empty()) json["explored_starts"] = known.explored_starts;
  if (!known.requests_in_state.empty()) json["requests_in_state"] = json_of_names(known.requests_in_state);
  if (known.lists_processes) json["lists_processes"] = true;
  if (recurring != nullptr) {
    const NotedRequests::Known requests = recurring->requests().known();
    json["asked"] = json_of_names(requests.asked);
    json["judged"] = json_of_names(requests.judged);
  }
  return json.dump();
}

// Who asks and who is judged by it, as another process has noted (print_own()).
void CheckedErlangProgram::learn_requests(const std::string& noted, ErlangSystem& system) {
  const Json json = Json::parse(noted);
  auto asked = names_of(json.value("asked", Json::array()));
  auto judged = names_of(json.value("judged", Json::array()));
  CHECK(asked && judged);
  system.requests().note_known({.asked = std::move(*asked), .judged = std::move(*judged)});
}

Result<SearchedTest> CheckedErlangProgram::search(std::size_t test, const SearchTask& task) {
  auto known = discovered_before(task.before);
  if (!known) return known.error();
  for (;;) {
    auto searched = search_once(cases_[test], task, *known);
    if (!searched) return searched.error();
    if (*searched) return std::move(**searched);
  }
}

// What the test's search goes on from. Null: it begins anew, as when it has found out since what it had to
// know from its beginning.
Result<const SavedTest*> CheckedErlangProgram::find_saved(const SavedTest* saved,
                                                          const Discovered& known) const {
  // One process searches once more, to tell a loop.
  if (known.has_loops && was_shared(saved)) saved = nullptr;
  if (saved == nullptr) return saved;
  const auto before = discovered_before(saved);
  if (!before) return before.error();
  if (before->order != known.order || before->requests_in_state != known.requests_in_state ||
      before->lists_processes != known.lists_processes)
    return static_cast<const SavedTest*>(nullptr);
  // States that were visited before may have other steps then.
  if (settings_.search.traits().by_states &&
      (before->code != known.code || before->explored_starts != known.explored_starts))
    return static_cast<const SavedTest*>(nullptr);
  const auto noted = parse_program_note(saved->program, options_.resume);
  if (!noted) return noted.error();
  if (const auto changed = changed_modules(*noted, *program_); !changed.empty())
    return Error{
        fmt::format("{}: the program has changed since ({}), and with it what is left to search. Begin anew.",
                    options_.resume, fmt::join(changed, ", "))};
  return saved;
}

// With what is known from the beginning.
Result<TestSettings> CheckedErlangProgram::settings_of_search(const TestCase& test, const SearchTask& task,
                                                              const Discovered& known) const {
  auto settings = settings_for(test);
  if (!settings) return settings.error();
  if (Status fitting = fit_to_task(task, settings->search); !fitting) return fitting.error();
  if (settings->search.traits().compares_executions) settings->system.machine.message_order = known.order;
  settings->system.machine.watched_code = known.code;
  settings->system.explored_starts = known.explored_starts;
  if (auto& seconds = settings->search.request.limits.seconds)
    *seconds = std::max(0.0, *seconds - known.seconds);
  return settings;
}

// Nothing if it has discovered something.
Result<std::optional<SearchedTest>> CheckedErlangProgram::search_once(const TestCase& test,
                                                                      const SearchTask& task,
                                                                      Discovered& known) {
  auto settings = settings_of_search(test, task, known);
  if (!settings) return settings.error();
  StateStorage storage = storage_of(settings->search.request.parameters);
  const bool could_ask_about_progress =
      settings->search.traits().by_states == StateOrder::kDepthFirst && tells_of_progress(*program_);
  std::optional<SharedStates> shared;
  const std::string obstacle = obstacle_to_sharing(*settings, could_ask_about_progress);
  if (!known.has_loops && shares_states(options_, settings->search, task, obstacle)) {
    shared.emplace(options_.jobs);
    storage.shared = &*shared;
  }
  const bool is_reduced = settings->search.request.parameters.own_value("--reduced").has_value();
  const bool tells_states_apart = storage.is_exact() && settings->system.machine.symmetric.empty() &&
                                  settings->system.abstraction.empty();
  const bool visits_all = tells_states_apart && !is_reduced;
  settings->system.properties.asks_about_progress = could_ask_about_progress && visits_all;
  const std::uint64_t events_max = settings->search.request.limits.events_max;
  const bool by_states = settings->search.traits().by_states.has_value();
  ErlangOptions told_options = settings->system;
  if (!by_states) listen_to_messages(settings->search.request.parameters, told_options);
  const auto system = ErlangSystem::start(*program_, test.name, told_options);
  if (!system) return system.error();
  const auto before = find_saved(task.before, known);
  if (!before) return before.error();
  const std::string note = print_program_note(note_program(*program_, test.name, settings->system));
  SystemSearch search(**system, settings->search, task, options_,
                      {.front_end = kFrontEndName, .test = test.name.to_string(), .program = note});
  // The System that is searched; the other one tells.
  std::unique_ptr<ErlangSystem> recurring;
  std::optional<ToldSchedule> told;
  if (!settings->system.machine.symmetric.empty()) search.forbid_resuming();
  if (by_states) {
    ErlangOptions options = settings->system;
    listen_to_messages(settings->search.request.parameters, options);
    options.machine.recurring = true;
    options.requests_in_state = known.requests_in_state;
    options.unseen_ends_come_first = !known.lists_processes;
    options.visited = storage;
    auto started = ErlangSystem::start(*program_, test.name, options);
    if (!started) return started.error();
    recurring = std::move(*started);
    if (*before != nullptr) recurring->requests().note_known(known.requests);
    told.emplace(*recurring, **system);
    search.search_states_of(*recurring, std::ref(*told),
                            print_program_note(note_program(*program_, test.name, options)));
    search.ask(options.properties.formulas, settings->fairness);
    if (options.properties.asks_about_progress)
      search.ask_about_progress(settings->fairness);
    else if (tells_states_apart || shared)
      search.look_for_polling(settings->fairness);
    if (obstacle.empty()) search.note_shareable();
    if (shared) {
      shared->set_knowledge(knowledge_of(*recurring));
      search.share_states(*shared, [&](const std::string& noted) { learn_requests(noted, *recurring); });
    }
  }
  ErlangSystem& searched_system = recurring != nullptr ? *recurring : **system;
  if (!explorer_in_erlang(settings->search.request.parameters).empty())
    search.set_explorer([&] { return searched_system.explorer_calls().make_explorer(); }, &searched_system);
  else
    search.set_explorer({}, &searched_system);
  if (Status begun = search.begin(*before); !begun) return begun.error();
  const auto own = [&] { return print_own(settings->system.machine.message_order, known, recurring.get()); };
  search.set_own(own);
  search.set_findings([&](TestReport& report) {
    report.left_behind.add(searched_system.remarks().left_behind);
    report.handled_ends.add(searched_system.remarks().handled_ends);
  });
  WatchingListener listener(search.tickets(), searched_system, claim_of(settings->search));
  search.run(&listener);
  TestReport& report = search.report();
  Exploration& exploration = search.exploration();
  report.title = test.title;
  if (searched_system.explorer_calls().refusal() && !exploration.refusal) {
    exploration.refusal = searched_system.explorer_calls().refusal();
    exploration.stop = Stop::kUnsupported;
  }
  if (could_ask_about_progress && !settings->system.properties.asks_about_progress)
    report.warnings.emplace_back(
        storage.is_exact()
            ? "executions that go on for ever without ravel:progress() were not looked for: that needs all "
              "states, and not one for several"
            : "executions that go on for ever without ravel:progress() were not looked for: that needs the "
              "states, and not only hashes of them");
  if (has_to_begin_anew(searched_system, listener, search, known)) return std::optional<SearchedTest>();
  if (recurring != nullptr && note_requests(*recurring, exploration, settings->search, **system, known))
    return std::optional<SearchedTest>();
  add_bugs_before(known, **system, search);
  if (*before != nullptr) {
    report.left_behind.add((*before)->report.left_behind);
    report.handled_ends.add((*before)->report.handled_ends);
  }
  report.left_behind.add(searched_system.remarks().left_behind);
  report.handled_ends.add(searched_system.remarks().handled_ends);
  // What is searched by states need not have an end.
  Explainer explainer(*program_, test.name, settings->system,
                      recurring == nullptr ? events_max : std::min(events_max, kEventsToExplain));
  if (!settings->system.machine.notes_messages && exploration.bugs.empty() && !exploration.refusal)
    add_places(exploration.assumed, explainer.assumed_by_first_execution());
  search.simplify(SystemSearch::Simpler::kFewerPreemptions,
                  [&](const Recording& recording) { return explainer.simplify(recording); });
  find_unreceived(**system, search, events_max);
  SearchedTest searched =
      search.finish([&](const Recording& recording) { return explainer.explain(recording); },
                    [&] { return explainer.shown(); });
  searched.saved->own = own();
  return std::optional(std::move(searched));
}

// Whether the search has found out something that it had to know from its beginning: that is noted.
bool CheckedErlangProgram::has_to_begin_anew(const ErlangSystem& searched, const WatchingListener& listener,
                                             SystemSearch& search, Discovered& known) const {
  if (searched.discovered().shows_message_order) {
    CHECK(std::exchange(known.order, MessageOrder::kNoted) == MessageOrder::kRefused);
    return true;
  }
  if (listener.has_discovered() && !search.exploration().refusal) {
    note_discovered(searched, known);
    return true;
  }
  if (!search.has_loops()) return false;
  remark(
      "somebody only looks, again and again, and waits for ever: one process searches once more, to tell "
      "it",
      options_.report.colour);
  known.has_loops = true;
  known.seconds += search.exploration().counts.seconds;
  return true;
}

// Whether a search by states has to begin anew with more requests as part of the state.
bool CheckedErlangProgram::note_requests(const ErlangSystem& system, const Exploration& exploration,
                                         const SearchSettings& search, const System& told,
                                         Discovered& known) const {
  const bool says_all =
      exploration.stop == Stop::kComplete ||
      (exploration.stop == Stop::kFirstBug && claim_of(search) != WatchingListener::Claim::kNone);
  const std::vector<ActorName> found = says_all ? system.requests().that_matter() : std::vector<ActorName>();
  if (found.empty()) return false;
  known.requests_in_state.insert(known.requests_in_state.end(), found.begin(), found.end());
  known.seconds += exploration.counts.seconds;
  if (exploration.stop == Stop::kComplete) known.before = name_result(exploration, told);
  return true;
}

// If the search has not come to them again.
void CheckedErlangProgram::add_bugs_before(const Discovered& known, System& told,
                                           SystemSearch& search) const {
  Exploration& exploration = search.exploration();
  if (!known.before || !is_interruption(exploration.stop)) return;
  const auto before = find_result(*known.before, told);
  CHECK(before);
  BugLedger ledger(std::move(exploration.bugs));
  for (const FoundBug& found : before->bugs) {
    if (ledger.find(found.bug) != nullptr) continue;
    search.tickets().on_bug(found);
    ledger.merge(std::span(&found, 1));
  }
  exploration.bugs = ledger.take();
  exploration.counts.bugs = exploration.bugs.size();
}

void CheckedErlangProgram::note_discovered(const ErlangSystem& system, Discovered& known) const {
  known.lists_processes |= system.discovered().lists_hidden_ends;
  std::ranges::copy(system.discovered().concurrent_starts, std::back_inserter(known.explored_starts));
  for (const WatchedCode& one : system.discovered().code) {
    const auto same = std::ranges::find_if(known.code, [&](const WatchedCode& other) {
      return other.kind == one.kind && other.module == one.module;
    });
    if (same == known.code.end()) {
      known.code.push_back(one);
    } else {
      same->is_shared |= one.is_shared;
    }
  }
}

// What lies in the mailboxes of the processes that were there before the test is not the test's concern.
void CheckedErlangProgram::find_unreceived(ErlangSystem& system, SystemSearch& search,
                                           std::uint64_t events_max) const {
  std::optional<UnreceivedMessages>& unreceived = search.exploration().unreceived;
  if (!unreceived) return;
  auto orphans = find_orphans(system, unreceived->schedule, events_max);
  std::erase_if(orphans,
                [](const OrphanDescription& orphan) { return orphan.receiver.root() != ActorName().root(); });
  if (orphans.empty()) {
    unreceived.reset();
  } else {
    unreceived->messages = orphans.size();
    search.report().orphan = orphans.front();
  }
}

}  // namespace ravel::erlang
