#include "front_ends/erlang/own_options.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <utility>

#include "erlang/system/project.h"
#include "host/messages.h"

namespace ravel::erlang {

namespace {

// The modules that stand in for others.
Result<std::vector<std::pair<std::string, std::string>>> parse_stubs(const std::vector<std::string>& texts) {
  std::vector<std::pair<std::string, std::string>> stubs;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
      return Error{"--stub " + text + ": not two modules. Write MODULE=STUB."};
    const std::string replaced = text.substr(0, equals), stub = text.substr(equals + 1);
    if (replaced == stub) return Error{"--stub " + text + ": a module cannot stand in for itself."};
    if (replaced == "erlang")
      return Error{"--stub " + text + ": the functions of erlang are the language and cannot be replaced."};
    if (std::ranges::count(stubs, replaced, &std::pair<std::string, std::string>::first) > 0)
      return Error{"--stub " + text + ": a second stub of " + replaced + ". Give one."};
    stubs.emplace_back(replaced, stub);
  }
  return stubs;
}

// Of NAME=VALUE and NAME; the last one of a name counts. What is not set here is not set there.
Result<std::vector<std::pair<std::string, std::string>>> parse_environment(
    const std::vector<std::string>& texts) {
  std::vector<std::pair<std::string, std::string>> variables;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    const std::string name = text.substr(0, equals);
    if (name.empty())
      return Error{"--env " + text +
                   ": the name of a variable is missing. Give NAME=VALUE, or NAME for its value here."};
    std::erase_if(variables, [&](const auto& variable) { return variable.first == name; });
    if (equals != std::string::npos) {
      variables.emplace_back(name, text.substr(equals + 1));
    } else if (const char* const value = std::getenv(name.c_str())) {
      variables.emplace_back(name, value);
    }
  }
  std::ranges::sort(variables);
  return variables;
}

void add_program_rows(OptionTable& table, OwnOptions& own) {
  table.list("--pa", "DIR", own.code_folders, "where other modules are looked for first (as erl -pa)");
  table.list("-I", "DIR", own.include_folders, "where include files are looked for");
  table.list("-D", "NAME[=VALUE]", own.defines, "defines a macro");
  table.list("--ct-config", "FILE", own.test_configuration_files,
             "a file of what ct:get_config reads, as ct_run -config; may be repeated");
  table.flag("--no-start", "does not start a mix project's application before its tests",
             [&own] { own.starts_applications = false; });
  table.list("--env", "NAME[=VALUE]", own.environment,
             "the environment variable NAME is set in the program, to VALUE or to what it is here; may be "
             "repeated (default: none "
             "is)");
  table.list("--stub", "MODULE=STUB", own.stubs, "calls of MODULE go to STUB; may be repeated");
}

Status add_patterns(const std::string& option, std::string_view names,
                    std::vector<ProcessPattern>& patterns) {
  for (std::size_t begin = 0; begin <= names.size();) {
    const std::size_t end = std::min(names.find(',', begin), names.size());
    auto pattern = ProcessPattern::parse(names.substr(begin, end - begin));
    if (!pattern) return Error{option + ": " + pattern.error().message + "."};
    patterns.push_back(std::move(*pattern));
    begin = end + 1;
  }
  return Success{};
}

// Of N and N=NAME,...
Status parse_kills(const std::vector<std::string>& texts, MishapOptions& mishaps) {
  bool are_all = false;
  for (const std::string& text : texts) {
    const std::string option = "--kill " + text;
    const std::size_t equals = std::min(text.find('='), text.size());
    std::uint32_t kills = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + equals, kills);
    if (problem != std::errc() || end != text.data() + equals || kills == 0 || kills > kMishapsMax)
      return Error{option + ": not a number of kills. Write N or N=NAME,..., with N from 1 to " +
                   std::to_string(kMishapsMax) + "."};
    if (mishaps.kills != 0 && mishaps.kills != kills)
      return Error{option + ": a second number. There is one for all processes that may be killed; give it " +
                   "with each name, or once with all."};
    mishaps.kills = kills;
    are_all |= equals == text.size();
    if (equals == text.size()) continue;
    if (Status added = add_patterns(option, std::string_view(text).substr(equals + 1), mishaps.victims);
        !added)
      return added;
  }
  if (are_all) mishaps.victims.clear();
  return Success{};
}

// Those that `run` has, too.
void add_run_rows(OptionTable& table, OwnOptions& own) {
  table.number("--after-infinite", "MS", own.after_infinite,
               "an 'after' or timer of at least as many milliseconds never fires", 1);
  table.number("--rand-seed", "N", own.random_seed,
               "what the program's own random numbers start from (default 0)",
               std::numeric_limits<std::int64_t>::min());
}

void add_model_rows(OptionTable& table, OwnOptions& own) {
  table.choice("--delivery", "WHEN", own.delivery,
               {{"instant", Delivery::kInstant}, {"channels", Delivery::kChannels}},
               "when messages and signals arrive: instant (as they are sent) or channels (later, each pair "
               "of processes in "
               "order; default instant)");
  table.choice("--ends", "HOW", own.ends, {{"stepwise", Ends::kStepwise}, {"atomic", Ends::kAtomic}},
               "the end of a process: stepwise (each exit signal and 'DOWN' that it sends is a step) or "
               "atomic (all of it is "
               "one; default stepwise, but atomic with dfs, preemption, delay, states and shortest)");
  table.choice("--steps", "HOW", own.steps,
               {{"operations", Steps::kOperations}, {"receives", Steps::kReceives}},
               "how far a step of a process goes: operations (one operation) or receives (on to the next "
               "message that it takes; "
               "default operations)");
  table.choice(
      "--clocks", "KIND", own.clocks, {{"frozen", Clocks::kFrozen}, {"virtual", Clocks::kVirtual}},
      "what clocks show: frozen (always the same) or virtual (they follow the time that has passed; default "
      "virtual with --time idle, else frozen)");
  Properties& properties = own.properties;
  table.list("--property", "NAME", properties.monitored,
             "a property that no execution may violate: the FILE or MODULE of a monitor, MODULE:FUNCTION, or "
             "mutual_exclusion(PROBE), at_most_one(PROBE), never_gone(NAME), mailbox_longer_than(N); may be "
             "repeated");
  table.list("--normal", "REASON", properties.normal_reasons,
             "an exit reason or halt status that is no bug; may be repeated");
  table.choice("--leftovers", "WHAT", properties.leftovers,
               {{"left", Leftovers::kLeft}, {"bug", Leftovers::kBugs}},
               "what processes are that wait idle when nobody can move: left behind (the default), or a bug, "
               "as any other deadlock");
  table.choice(
      "--crashes", "WHICH", properties.crashes, {{"unhandled", Crashes::kUnhandled}, {"all", Crashes::kAll}},
      "which abnormal ends are bugs: unhandled (errors, and exits that nobody hears of; the default) or all");
  table.flag("--assertions-only", "of abnormal exits only failed assertions are bugs",
             [&properties] { properties.assertions_only = true; });
  table.flag("--first-process-only", "only what strikes the process that runs the test is a bug",
             [&properties] { properties.first_process_only = true; });
}

void add_check_rows(OptionTable& table, OwnOptions& own) {
  table.list("--ltl", "FORMULA", own.properties.formulas,
             "a formula of linear temporal logic that every execution is to keep, as 'always (request -> "
             "eventually release)'; searches by states; may be repeated");
  table.of_search();
  table.choice(
      "--fairness", "WHICH", own.fairness,
      {{"none", Fairness::kNone}, {"weak", Fairness::kWeak}, {"strong", Fairness::kStrong}},
      "which executions without an end --ltl is about: all (none), those where nobody who can always "
      "go on waits for ever (weak, the default), or nobody who can go on again and again (strong)");
  table.of_search();
  table.list("--atomic", "MODULE", own.atomic_modules,
             "what happens during a call of MODULE is one step; may be repeated");
  table.number("--step-limit", "N", own.step_limit,
               "a process that makes more calls between two operations is a bug (default 100000000)", 1);
  table.choice(
      "--blocking", "HOW", own.blocking, {{"avoid", Blocking::kAvoid}, {"explore", Blocking::kExplore}},
      "whether finding that there is no message is a step of its own: avoid or explore (default avoid)");
  table.choice("--starts", "HOW", own.starts,
               {{"once", ErlangOptions::Starts::kOnce}, {"explored", ErlangOptions::Starts::kExplored}},
               "what happens while the application controller starts or stops an application and nobody else "
               "can go on: once (in "
               "one order) or explored (with dpor, where once is the default)");
  table.of_search();
  table.list(
      "--kill", "N[=NAME,...]", own.kills,
      "at most N times in an execution a process is killed, at any point: one that is registered as NAME, "
      "began with "
      "MODULE:FUNCTION[/ARITY] or is P.1 in stories; without names any but the one that runs the test");
  table.of_search();
  table.number("--drop", "N", own.losses,
               "with --delivery channels: at most N messages of an execution are lost", 0, kMishapsMax);
  table.of_search();
  table.number("--duplicate", "N", own.duplications,
               "with --delivery channels: at most N messages of an execution arrive twice", 0, kMishapsMax);
  table.of_search();
  table.list("--slow", "NAME[,...]", own.slow,
             "with --delivery channels: what such a process sends arrives only when nothing else can happen");
  table.of_search();
  table.list(
      "--symmetric", "NAME[,...]", own.symmetric,
      "with states and shortest: processes with these names are interchangeable, that is, the program "
      "goes by their names only to send and to compare them by =:=; NAME as in --kill; may be repeated");
  table.of_search();
  table.text(
      "--abstraction", "MODULE:FUNCTION", own.abstraction,
      "with states and shortest: states of which this function makes the same term are one, so that bugs "
      "may be hidden");
  table.of_search();
  table.list(
      "--non-racing", "NAME", own.non_racing,
      "a registered process for which the order of the messages sent to it is not varied; may be repeated");
  table.of_search();
}

}  // namespace

std::shared_ptr<OwnOptions> add_own_options(OptionTable& table, CommandKind command) {
  auto own = std::make_shared<OwnOptions>();
  add_program_rows(table, *own);
  if (command == CommandKind::kTests) return own;
  add_run_rows(table, *own);
  if (command == CommandKind::kRun) return own;
  add_model_rows(table, *own);
  if (command == CommandKind::kCheck) add_check_rows(table, *own);
  return own;
}

const OwnOptions& own_options(const CommandOptions& options) {
  return static_cast<const OwnOptions&>(*options.own.find(std::string_view(kFrontEndName))->second);
}

std::vector<std::string_view> ignorable_bugs() {
  return {"deadlock", "exit", "halt", "abnormal_exit", "abnormal_halt"};
}

Properties properties_of(const CommandOptions& options) {
  Properties properties = own_options(options).properties;
  for (const std::string& kind : options.ignored) {
    properties.ignores_deadlocks |= kind == "deadlock";
    properties.ignores_exits |= kind == "exit" || kind == "abnormal_exit";
    properties.ignores_halts |= kind == "halt" || kind == "abnormal_halt";
  }
  return properties;
}

TimePolicy time_policy(TimeOption time) {
  switch (time) {
    case TimeOption::kIdle: return TimePolicy::kIdle;
    case TimeOption::kAny: return TimePolicy::kAny;
    case TimeOption::kDeadlines: return TimePolicy::kDeadlines;
  }
  return TimePolicy::kIdle;
}

Status set_model(const CommandOptions& options, MachineOptions& machine) {
  const OwnOptions& own = own_options(options);
  if (own.clocks == Clocks::kVirtual && options.time == TimeOption::kAny)
    return Error{
        "--clocks virtual: with --time any no time passes that clocks could show. Add --time idle or --time "
        "deadlines."};
  if (own.after_infinite) machine.after_infinite_ms = *own.after_infinite;
  machine.time = time_policy(options.time);
  machine.delivery = own.delivery;
  if (own.ends) machine.ends = *own.ends;
  machine.steps = own.steps;
  machine.clocks =
      own.clocks.value_or(options.time == TimeOption::kIdle ? Clocks::kVirtual : Clocks::kFrozen);
  machine.random_seed = own.random_seed;
  machine.observes = !own.properties.monitored.empty() || !own.properties.formulas.empty();
  machine.atomic_modules = own.atomic_modules;
  auto stubs = parse_stubs(own.stubs);
  if (!stubs) return stubs.error();
  machine.stubs = std::move(*stubs);
  auto environment = parse_environment(own.environment);
  if (!environment) return environment.error();
  machine.environment = std::move(*environment);
  return Success{};
}

Result<MishapOptions> mishaps_of(const CommandOptions& options, const StrategyEntry& strategy) {
  const OwnOptions& own = own_options(options);
  MishapOptions mishaps{.losses = own.losses, .duplications = own.duplications};
  if (Status parsed = parse_kills(own.kills, mishaps); !parsed) return parsed.error();
  for (const std::string& names : own.slow)
    if (Status added = add_patterns("--slow " + names, names, mishaps.slow); !added) return added.error();
  const char* const of_channels = mishaps.losses > 0         ? "--drop"
                                  : mishaps.duplications > 0 ? "--duplicate"
                                  : !mishaps.slow.empty()    ? "--slow"
                                                             : nullptr;
  if (of_channels != nullptr && own.delivery != Delivery::kChannels)
    return Error{std::string(of_channels) +
                 " is about messages on their way, and without --delivery channels they arrive as they are "
                 "sent; add --delivery channels."};
  const StrategyTraits& traits = strategy.traits;
  if (mishaps.count() > 0 && !traits.fires_early && !traits.by_states)
    return Error{"--kill, --drop and --duplicate are not for --strategy " + std::string(strategy.name) +
                 "; choose another strategy."};
  if (!mishaps.slow.empty() && traits.is_about_messages)
    return Error{"--slow is not for --strategy " + std::string(strategy.name) +
                 ": that others come first is no race of messages; choose another strategy."};
  const auto is_logical = [](const ProcessPattern& one) {
    return one.kind == ProcessPattern::Kind::kLogical;
  };
  for (const auto* patterns : {&mishaps.victims, &mishaps.slow})
    if (const auto place = std::ranges::find_if(*patterns, is_logical);
        traits.by_states && place != patterns->end())
      return Error{
          place->text + " is not for --strategy " + std::string(strategy.name) +
          ", where the names of processes that have ended are given again; write a registered name or "
          "MODULE:FUNCTION instead."};
  return mishaps;
}

Result<std::vector<ProcessGroup>> symmetric_groups(const CommandOptions& options,
                                                   const StrategyEntry& strategy) {
  const OwnOptions& own = own_options(options);
  std::vector<ProcessGroup> groups;
  if (own.symmetric.empty()) return groups;
  if (!strategy.traits.by_states)
    return Error{
        "--symmetric is for --strategy states or shortest, which visit states; the strategy here is " +
        std::string(strategy.name) + "."};
  for (const std::string& names : own.symmetric) {
    const std::string option = "--symmetric " + names;
    if (Status added = add_patterns(option, names, groups.emplace_back()); !added) return added.error();
    for (const ProcessPattern& pattern : groups.back())
      if (pattern.kind == ProcessPattern::Kind::kLogical)
        return Error{option + ": " + pattern.text +
                     " is one process. Write the function with which the processes are spawned, "
                     "MODULE:FUNCTION, or their registered names."};
  }
  if (!own.properties.formulas.empty())
    return Error{
        "--symmetric is not for --ltl yet, which has to know who goes on for ever; leave one of them out."};
  if (own.ends == Ends::kStepwise)
    return Error{
        "--symmetric is not for --ends stepwise, where the names of processes say who hears of an end first; "
        "leave one of them out."};
  // Ready-made properties treat all processes alike.
  for (const std::string& property : own.properties.monitored)
    if (!is_ready_made_property(property))
      return Error{"--symmetric is not for --property " + property +
                   " yet: a monitor of one's own may tell the processes apart; leave one of them out."};
  return groups;
}

Result<ProgramOptions> program_options(const CommandOptions& options, std::vector<std::string>& remarks) {
  const OwnOptions& own = own_options(options);
  ProgramOptions opened;
  if (options.program.files.empty()) {
    const auto otp = OtpInstallation::find();
    if (!otp) return otp.error();
    auto project = find_project(".", *otp);
    if (!project) return project.error();
    opened = std::move(project->options);
    remarks = std::move(project->remarks);
    if (!own.starts_applications) opened.applications.clear();
  }
  const auto add = [](std::vector<std::string>& to, const std::vector<std::string>& from) {
    to.insert(to.begin(), from.begin(), from.end());
  };
  add(opened.files, options.program.files);
  add(opened.include_folders, own.include_folders);
  for (const std::string& property : own.properties.monitored)
    if (const std::string file = file_of_property(property);
        !file.empty() && std::ranges::find(opened.files, file) == opened.files.end())
      opened.files.push_back(file);
  add(opened.code_folders, own.code_folders);
  std::ranges::copy(own.test_configuration_files, std::back_inserter(opened.test_configuration_files));
  std::ranges::copy(user_library_folders(), std::back_inserter(opened.code_folders));
  for (const std::string& define : own.defines) {
    const std::size_t equals = define.find('=');
    if (define.empty() || equals == 0) return Error{"-D " + define + ": no name. Write NAME or NAME=VALUE."};
    opened.defines.emplace_back(define.substr(0, equals),
                                equals == std::string::npos ? "" : define.substr(equals + 1));
  }
  return opened;
}

Result<std::unique_ptr<Program>> open_program(const CommandOptions& options, const std::string& further) {
  std::vector<std::string> remarks;
  auto opened = program_options(options, remarks);
  if (!opened) return opened.error();
  if (!further.empty() && std::ranges::find(opened->files, further) == opened->files.end())
    opened->files.push_back(further);
  for (const std::string& text : remarks) remark(text, options.report.colour);
  auto program = Program::open(*opened);
  if (program) show_compiler_messages((*program)->compiler_messages(), options.report.colour);
  return program;
}

}  // namespace ravel::erlang
