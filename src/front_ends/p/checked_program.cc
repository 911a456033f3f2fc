#include "front_ends/p/checked_program.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "check/state_search_parts.h"
#include "check/system_search.h"
#include "check/ticket_writer.h"
#include "engine/named_step.h"
#include "explorers/explorer_library.h"
#include "front_ends/p/coverage.h"
#include "front_ends/p/explainer.h"
#include "front_ends/p/program_note.h"
#include "front_ends/p/trace_json.h"
#include "host/files.h"
#include "host/interrupt.h"
#include "states/shared_states.h"

namespace ravel::p {

namespace {

// How long an execution may be by default, as P's own checker has it: most programs in P have no end.
constexpr std::uint64_t kEventsMost = 10'000;

// Executions that are drawn before a search by states, as they show the bugs of large programs sooner: a
// second at most.
constexpr const char kDrawing[] = "pos";
constexpr std::uint64_t kDrawnExecutions = 1'000, kDrawnEvents = 2'000, kDrawnUnfinishedEvents = 1'000'000;

// Most programs in P go round for ever, so that only a search by states comes to an end. What knows no
// executions does not begin with one, and draws none.
StrategyRules strategy_rules(const CheckOptions& options) {
  const bool needs_executions = !options.trace.empty() || !options.graph_file.empty();
  return {
      .usual = needs_executions ? "dpor" : "states",
      .no_pending =
          "--variables, --iterations, --threads and --strategy vt are for programs of C and C++; machines "
          "in P share no variables.",
      .has_own_explorers = true,
      .may_go_round = true,
      .events_most = kEventsMost};
}

Status check_own_options(const CheckOptions& options, const SearchSettings& settings) {
  const OwnOptions& own = own_options(options);
  const StrategyTraits& traits = settings.traits();
  if (options.early)
    return Error{"--early is not for programs in P, which have no timeouts of their own. Leave it out."};
  for (const char* const option : {"--fingerprints", "--bitstate"})
    if (options.parameters.own_value(option) && !own.formulas.empty())
      return Error{
          std::string(option) +
          " is not for --ltl, which needs the states to see where executions go round; leave it out."};
  if (options.parameters.own_value("--reduced") && !own.formulas.empty())
    return Error{
        "--reduced is not for --ltl: a formula may tell orders apart that are left out; leave it out."};
  if (options.parameters.own_value("--reduced") && options.is_given("--time"))
    return Error{"--reduced is not for --time of programs in P; leave one of the two out."};
  if (!own.symmetric.empty() && (!traits.by_states || traits.by_states == StateOrder::kByDelays))
    return Error{
        "--symmetric is for --strategy states or shortest, which visit states and know nobody by name; the "
        "strategy here is " +
        settings.request.strategy + "."};
  if (!own.symmetric.empty() && options.parameters.own_value("--reduced"))
    return Error{
        "--reduced is not for --symmetric: what can still happen after a state is known by names, which it "
        "exchanges; leave one of them out."};
  if (!own.symmetric.empty() && !own.formulas.empty())
    return Error{
        "--symmetric is not for --ltl, which has to know who goes on for ever; leave one of them out."};
  if (!own.formulas.empty() && traits.by_states != StateOrder::kDepthFirst)
    return Error{
        "--ltl is for --strategy states, which sees where executions go round; the strategy here is " +
        settings.request.strategy + "."};
  return Success{};
}

// Which orders a spec tells apart that is asked about executions without an end, is not known.
Status check_reduced(const OpenedProgram& program, const std::vector<std::size_t>& chosen,
                     const POptions& system) {
  for (const std::size_t place : chosen) {
    const TestCase& test = program.program().tests[place];
    if (!PSystem(program.program(), test, system).liveness_formulas().empty())
      return Error{"--reduced is not for tests with a spec that may stay hot, as " + test.name +
                   ". Leave it out, or add --ignore liveness."};
  }
  return Success{};
}

// What is left of a search is of the program as it was.
Status check_unchanged(const SavedSearch& before, const OpenedProgram& program, const std::string& file) {
  for (const SavedTest& saved : before.tests) {
    const auto noted = parse_program_note(saved.program, file);
    if (!noted) return noted.error();
    const std::vector<std::string> changed = changed_sources(*noted, program);
    if (!changed.empty())
      return Error{fmt::format(
          "{}: the program has changed since ({}), and with it what is left to search. Begin anew.", file,
          fmt::join(changed, ", "))};
  }
  return Success{};
}

// What only one process can do, of a search by states; empty: nothing.
std::string obstacle_to_sharing(const OwnOptions& own, const SearchSettings& settings, bool may_stay_hot) {
  if (!own.formulas.empty()) return "--ltl";
  if (!own.symmetric.empty()) return "--symmetric";
  if (own.tells_coverage) return "--coverage";
  const bool asks = settings.traits().by_states == StateOrder::kDepthFirst && may_stay_hot;
  return asks ? "the search for executions in which a spec stays hot" : "";
}

// Of executions without an end; empty if it is known of the search.
std::string why_not_asked(const SearchSettings& settings, const OwnOptions& own) {
  if (settings.traits().by_states != StateOrder::kDepthFirst) return "--strategy states does";
  if (!own.symmetric.empty()) return "that needs to know who goes on for ever, which --symmetric leaves open";
  return "that needs the states, and not only hashes of them";
}

Result<SearchSettings> settings_for(const CheckOptions& options) {
  auto settings = search_settings(options, strategy_rules(options));
  if (!settings) return settings.error();
  if (Status fitting = check_own_options(options, *settings); !fitting) return fitting.error();
  return settings;
}

}  // namespace

CheckedPProgram::CheckedPProgram(std::shared_ptr<const OpenedProgram> program,
                                 std::vector<std::size_t> chosen, SearchSettings settings,
                                 const POptions& system, const CheckOptions& options)
    : program_(std::move(program)),
      chosen_(std::move(chosen)),
      settings_(std::move(settings)),
      system_(system),
      options_(options) {
  for (std::size_t i = 0; i < chosen_.size(); ++i) entries_.push_back({.name = test_case(i).name});
}

Result<std::unique_ptr<CheckedProgram>> CheckedPProgram::open(const CheckOptions& options,
                                                              const SavedSearch* before) {
  auto settings = settings_for(options);
  if (!settings) return settings.error();
  const auto system = system_options(options);
  if (!system) return system.error();
  if (const std::string& file = own_options(options).trace_file; !file.empty())
    if (const Status writable = check_writable_file(file); !writable)
      return Error{writable.error().message + " Name another file with --trace-json."};
  auto program = open_program(options);
  if (!program) return program.error();
  auto chosen = (*program)->chosen_tests(options.program.tests);
  if (!chosen) return chosen.error();
  if (Status whole = (*program)->check_foreign(*chosen); !whole) return whole.error();
  if (before != nullptr)
    if (Status same = check_unchanged(*before, **program, options.resume); !same) return same.error();
  if (system->timers != TimersFire::kAsModelled)
    if (Status fitting = (*program)->check_timers(*chosen); !fitting) return fitting.error();
  if (!names_general_explorer(options.parameters.explorer))
    if (const auto spec = (*program)->explorer(options.parameters.explorer, *chosen); !spec)
      return spec.error();
  if (const auto machines = (*program)->symmetric_machines(own_options(options).symmetric); !machines)
    return machines.error();
  if (options.parameters.own_value("--reduced"))
    if (Status fitting = check_reduced(**program, *chosen, *system); !fitting) return fitting.error();
  return std::unique_ptr<CheckedProgram>(
      new CheckedPProgram(std::move(*program), std::move(*chosen), std::move(*settings), *system, options));
}

Result<std::unique_ptr<CheckedProgram>> CheckedPProgram::open(std::shared_ptr<const OpenedProgram> program,
                                                              std::size_t test, const POptions& system,
                                                              const CheckOptions& options) {
  auto settings = settings_for(options);
  if (!settings) return settings.error();
  return std::unique_ptr<CheckedProgram>(
      new CheckedPProgram(std::move(program), {test}, std::move(*settings), system, options));
}

// Specs of older programs were in force by themselves.
std::vector<std::string> CheckedPProgram::remarks() const {
  std::vector<std::string> remarks;
  const Program& program = program_->program();
  for (std::size_t number = 0; number < program.machines.size(); ++number) {
    const Machine& machine = program.machines[number];
    if (machine.kind != MachineKind::kSpec || is_explorer(program, static_cast<MachineId>(number))) continue;
    const bool is_attached = std::ranges::any_of(program.tests, [&](const TestCase& test) {
      return std::ranges::any_of(test.monitors, [&](const Monitor& monitor) {
        return monitor.machine == static_cast<MachineId>(number);
      });
    });
    if (!is_attached)
      remarks.push_back("the spec " + std::string(machine.name) +
                        " is part of no test, so nothing holds programs to it; a test has it by 'assert " +
                        std::string(machine.name) + " in ...', or by --attach-specs");
  }
  return remarks;
}

std::string CheckedPProgram::assumptions() const {
  std::string text;
  if (system_.steps == Steps::kHandlers)
    text += "One step each: what a machine does until it has handled its event, waits or chooses.\n";
  if (system_.timers == TimersFire::kWhenAllWait)
    text += "Timers fire only when no machine can do anything else; --time any lets them fire before.\n";
  if (system_.timers == TimersFire::kAnyTime)
    text += "Timers fire at any time between their start and their end, in one step.\n";
  return text;
}

// Sources of a project are named from its folder.
Result<PortableProgram> CheckedPProgram::portable() const {
  if (own_options(options_).tells_coverage)
    return Error{
        "--coverage is not for searches that are divided: it is noted in one process only. Leave it out."};
  PortableProgram portable;
  portable.files = program_->files();
  const bool is_project = portable.files.size() == 1 && portable.files.front().ends_with(".pproj");
  const std::filesystem::path folder = std::filesystem::path(portable.files.front()).parent_path();
  for (const SourceChecksum& source : program_->sources())
    portable.files.push_back(is_project ? (folder / source.name).string() : source.name);
  return portable;
}

// Whether the user has left open how to search.
bool CheckedPProgram::draws_first() const {
  return options_.strategy.empty() && !options_.keep_going && settings_.traits().by_states &&
         !settings_.request.limits.executions && own_options(options_).formulas.empty();
}

SearchSettings CheckedPProgram::drawing(SearchSettings drawing) {
  SearchRequest& request = drawing.request;
  request.strategy = kDrawing;
  request.parameters = {};
  request.parameters.executions = kDrawnExecutions;
  request.limits.events_max = std::min(request.limits.events_max, kDrawnEvents);
  request.limits.unfinished_events_max = kDrawnUnfinishedEvents;
  request.limits.long_executions = LongExecutions::kLeftOpen;
  return drawing;
}

Result<SearchedTest> CheckedPProgram::search(std::size_t test, const SearchTask& task) {
  SearchSettings settings = settings_;
  if (Status fitting = fit_to_task(task, settings); !fitting) return fitting.error();
  std::optional<UseOfProgram> use;
  if (own_options(options_).tells_coverage) use.emplace(program_->program());
  auto searched = search_in_turn(test, task, settings, use ? &*use : nullptr);
  if (!searched || !use) return searched;
  searched->report.program_coverage =
      coverage_of(program_->program(), test_case(test), *use,
                  system_.timers == TimersFire::kAsModelled ? Timers{} : find_timers(program_->program()));
  if (task.before != nullptr)
    searched->report.warnings.emplace_back(
        "what is covered is of this run alone, and not of the search before it was interrupted");
  return searched;
}

// Draws first, where that is due.
Result<SearchedTest> CheckedPProgram::search_in_turn(std::size_t test, const SearchTask& task,
                                                     const SearchSettings& settings, UseOfProgram* use) {
  if (draws_first() && task.before == nullptr && task.parts == nullptr) {
    SearchTask first = task;
    first.keep = {};
    auto drawn = search(test, first, drawing(settings), use);
    if (!drawn || !drawn->report.result.bugs.empty()) return drawn;
  }
  return search(test, task, settings, use);
}

Result<SearchedTest> CheckedPProgram::search(std::size_t test, const SearchTask& task,
                                             const SearchSettings& settings, UseOfProgram* use) {
  POptions options = system_;
  options.visited = storage_of(settings.request.parameters);
  const OwnOptions& own = own_options(options_);
  if (settings.traits().by_states) {
    auto machines = program_->symmetric_machines(own.symmetric);
    if (!machines) return machines.error();
    options.symmetric = std::move(*machines);
  }
  const std::vector<std::string> live =
      PSystem(program_->program(), test_case(test), system_).liveness_formulas();
  std::optional<SharedStates> shared;
  const std::string obstacle = obstacle_to_sharing(own, settings, !live.empty());
  if (shares_states(options_, settings, task, obstacle)) {
    shared.emplace(options_.jobs);
    options.visited.shared = &*shared;
  }
  PSystem system(program_->program(), test_case(test), options);
  if (use != nullptr) system.reset_for(*use);
  const std::string note = print_program_note(note_program(*program_, test_case(test), system_));
  SystemSearch search(system, settings, task, options_,
                      {.front_end = kFrontEndName, .test = test_case(test).name, .program = note});
  if (use != nullptr) search.forbid_parts();
  if (obstacle.empty()) search.note_shareable();
  if (shared) {
    // Machines that were created have indices.
    shared->set_knowledge([&system] { return system.world().names().size(); });
    search.share_states(*shared, {});
  }
  const bool asks = settings.traits().by_states == StateOrder::kDepthFirst && options.visited.is_exact() &&
                    own.symmetric.empty();
  if (!own.symmetric.empty()) search.forbid_resuming();
  if (asks && !(live.empty() && own.formulas.empty())) {
    if (const std::size_t specs = test_case(test).monitors.size(); specs > PSystem::kSpecsMax)
      return Error{test_case(test).name + ": this test has " + std::to_string(specs) +
                   " specs, and of at most " + std::to_string(PSystem::kSpecsMax) +
                   " can be asked whether they stay hot. Add --ignore liveness."};
    std::vector<std::string> formulas = live;
    formulas.insert(formulas.end(), own.formulas.begin(), own.formulas.end());
    search.ask(std::move(formulas), own.fairness,
               [&](const std::string& formula, Bug& bug) { system.tell_liveness(formula, bug); });
  }
  if (names_explorer_library(options_.parameters.explorer)) {
    system.tell_explorer_in_text();
    search.set_explorer({}, &system);
  } else if (!names_general_explorer(options_.parameters.explorer)) {
    const auto spec = program_->explorer(options_.parameters.explorer, {chosen_[test]});
    if (!spec) return spec.error();
    search.set_explorer([&system, spec = *spec] { return std::make_unique<PExplorer>(system, spec); },
                        &system);
  }
  if (Status begun = search.begin(); !begun) return begun.error();
  search.run();
  if (!asks && !live.empty() && search.exploration().bugs.empty())
    search.report().warnings.push_back(
        "executions that go on for ever while a spec stays hot were not looked for: " +
        why_not_asked(settings, own));
  const Explainer explainer(program_->program(), test_case(test), system_, settings.request.limits.events_max,
                            catch_interrupts());
  search.simplify(SystemSearch::Simpler::kFewerEvents,
                  [&](const Recording& recording) { return explainer.shorten(recording); });
  search.simplify(SystemSearch::Simpler::kFewerPreemptions,
                  [&](const Recording& recording) { return explainer.simplify(recording); });
  auto bug_file = trace_of_bug(search, system, test);
  std::optional<PSystem> shown;
  SearchedTest searched =
      search.finish([&](const Recording& recording) { return explainer.explain(recording); },
                    [&] { return &shown.emplace(program_->program(), test_case(test), system_); });
  searched.bug_file = std::move(bug_file);
  return searched;
}

// For the viewers of P.
std::optional<BugFile> CheckedPProgram::trace_of_bug(SystemSearch& search, PSystem& system,
                                                     std::size_t test) {
  const std::string& file = own_options(options_).trace_file;
  const std::vector<FoundBug>& bugs = search.exploration().bugs;
  if (file.empty() || bugs.empty()) return std::nullopt;
  const Bug& bug = bugs.front().bug;
  const std::string error =
      bug.message + (bug.file.empty() ? "" : " at " + bug.file + ":" + std::to_string(bug.line));
  const Recording recording = record_bug(system, bugs.front(), settings_.request.limits.events_max);
  return BugFile{.path = file,
                 .text = trace_json(program_->program(), test_case(test), system_, steps_of(recording), error,
                                    search.exploration().strategy)};
}

}  // namespace ravel::p
