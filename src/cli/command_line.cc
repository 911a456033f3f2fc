#include "cli/command_line.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>

#include "base/version.h"
#include "cli/commands.h"
#include "cli/messages.h"
#include "report/verdict.h"
#include "strategy/catalogue.h"

namespace ravel {

namespace {

constexpr const char kAbout[] =
    "Finds concurrency bugs that stress tests miss: runs a test under a scheduler that it controls, tries the\n"
    "schedules that matter, and shows the exact one that breaks the test, or says what it has ruled out.";

constexpr const char kExamples[] =
    "\nExamples:\n"
    "  ravel check bank.erl bank_tests.erl                  every EUnit test of these modules\n"
    "  ravel check bank.erl -t bank:transfer -k             one function, and all its bugs\n"
    "  ravel check bank.erl --preemptions 2 --budget 60s    a bounded search, for a minute at most\n"
    "  ravel replay ravel-tickets/bank.transfer.deadlock.03f2a1.ticket.json\n"
    "  ravel-c++ account.cc -o account; ravel check ./account   a program of C++\n"
    "\n'ravel COMMAND --help' shows the options of a command.\n"
    "\nExit status: 0 nothing found and the search is complete; 1 a bug; 2 bad usage or input; 3 stopped\n"
    "before the search was complete; 4 the program does something that no schedule controls.\n";

constexpr const char kCheckExamples[] =
    "\nWithout -t all EUnit tests of the given modules are checked. Each bug is shown with the\n"
    "simplest schedule found, and leaves a ticket that 'ravel replay' runs again.\n"
    "\nExamples:\n"
    "  ravel check bank.erl bank_tests.erl -t bank_tests\n"
    "  ravel check ebin/bank.beam --pa deps/ebin -t bank:transfer --strategy dfs\n"
    "  ravel check bank.erl -t bank:transfer --strategy random --seed 7 --budget 10000x\n";

// An option whose value is one of a few words.
template <class Value>
using Words = std::vector<std::pair<std::string, Value>>;

template <class Value, class Target = Value>
CLI::Option* add_choice(CLI::App& command, const std::string& name, Target& value, const Words<Value>& words,
                        const std::string& help) {
  const auto choose = [name, &value, words](const std::string& given) {
    std::string known;
    for (const auto& [word, meaning] : words) {
      if (word == given) {
        value = meaning;
        return;
      }
      known += (known.empty() ? "" : ", ") + word;
    }
    throw CLI::ValidationError(name, "'" + given + "' is none of " + known);
  };
  return command.add_option_function<std::string>(name, choose, help);
}

void add_program_options(CLI::App& command, ProgramArguments& program) {
  command.add_option("FILE", program.files,
                     "the program: .erl, .ex, .exs and .beam files; none: the project of rebar3, mix or erlang.mk in this folder; or one "
                     "executable of C or C++ built with ravel-c++ or ravel-cc, then -- and its arguments");
  command.add_option("--pa", program.code_folders, "where other modules are looked for first (as erl -pa)")
      ->type_name("DIR")
      ->allow_extra_args(false);
  command.add_option("-I", program.include_folders, "where include files are looked for")
      ->type_name("DIR")
      ->allow_extra_args(false);
  command.add_option("-D", program.defines, "defines a macro")
      ->type_name("NAME[=VALUE]")
      ->allow_extra_args(false);
  command.add_option("--ct-config", program.test_configuration_files, "a file of what ct:get_config reads, as ct_run -config; may be repeated")
      ->type_name("FILE")
      ->allow_extra_args(false);
  command.add_flag("!--no-start", program.starts_applications, "does not start a mix project's application before its tests");
}

void add_stub_option(CLI::App& command, ModelOptions& model) {
  command
      .add_option("--env", model.environment,
                  "the environment variable NAME is set in the program, to VALUE or to what it is here; may be repeated (default: none is)")
      ->type_name("NAME[=VALUE]")
      ->allow_extra_args(false);
  command.add_option("--stub", model.stubs, "calls of MODULE go to STUB; may be repeated")
      ->type_name("MODULE=STUB")
      ->allow_extra_args(false);
}

void add_test_option(CLI::App& command, ProgramArguments& program) {
  command.add_option("-t,--test", program.tests, "a test, or all tests of a module or generator; may be repeated")
      ->type_name("MODULE[:FUNCTION[/N...]]")
      ->allow_extra_args(false);
}

void add_report_options(CLI::App& command, ReportOptions& report, const char* quiet) {
  const Words<ColourWish> colours = {
      {"auto", ColourWish::kAuto}, {"always", ColourWish::kAlways}, {"never", ColourWish::kNever}};
  add_choice(command, "--color", report.colour, colours, "auto, always or never")->type_name("WHEN");
  command.add_flag_callback("-q,--quiet", [&report] { report.quiet = Quiet::kYes; }, quiet);
}

// Those that `run` has, too.
void add_model_options(CLI::App& command, ModelOptions& model) {
  command.add_option("--after-infinite", model.after_infinite, "an 'after' or timer of at least as many milliseconds never fires")
      ->type_name("MS")
      ->check(CLI::PositiveNumber.description(""));
  command.add_option("--rand-seed", model.random_seed, "what the program's own random numbers start from (default 0)")
      ->type_name("N");
}

void add_time_options(CLI::App& command, ModelOptions& model) {
  const Words<erlang::TimePolicy> policies = {{"idle", erlang::TimePolicy::kIdle},
                                              {"any", erlang::TimePolicy::kAny},
                                              {"deadlines", erlang::TimePolicy::kDeadlines}};
  const Words<erlang::Delivery> deliveries = {{"instant", erlang::Delivery::kInstant},
                                              {"channels", erlang::Delivery::kChannels}};
  const Words<erlang::Ends> ends = {{"stepwise", erlang::Ends::kStepwise}, {"atomic", erlang::Ends::kAtomic}};
  const Words<erlang::Clocks> clocks = {{"frozen", erlang::Clocks::kFrozen}, {"virtual", erlang::Clocks::kVirtual}};
  add_choice(command, "--time", model.time, policies,
             "when timeouts and timers fire, and timed waits of threads give up: idle (when nobody can go on, the earliest deadline "
             "first), any (at any point) or deadlines (at any point, the earliest first; default idle)")
      ->type_name("POLICY");
  add_choice(command, "--delivery", model.delivery, deliveries,
             "when messages and signals arrive: instant (as they are sent) or channels (later, each pair of processes in "
             "order; default instant)")
      ->type_name("WHEN");
  add_choice(command, "--ends", model.ends, ends,
             "the end of a process: stepwise (each exit signal and 'DOWN' that it sends is a step) or atomic (all of it is one; "
             "default stepwise, but atomic with dfs, preemption and delay)")
      ->type_name("HOW");
  add_choice(command, "--clocks", model.clocks, clocks,
             "what clocks show: frozen (always the same) or virtual (they follow the time that has passed; default virtual with --time "
             "idle, else frozen)")
      ->type_name("KIND");
}

std::string strategies_text() {
  std::string text = "how to search:";
  for (const StrategyEntry& entry : strategies())
    text += "\n" + std::string(entry.name) + ": " + std::string(entry.help);
  return text;
}

// What is asked for with --resume is that of the file, but for what concerns this run.
void check_resume(const CLI::App& command, const CheckOptions& check) {
  static constexpr std::array<std::string_view, 10> kOfThisRun = {"resume", "budget", "keep-going", "out",   "quiet",
                                                                  "color",  "json",   "junit",      "graph", "help"};
  if (check.resume.empty()) return;
  for (const CLI::Option* option : command.get_options())
    if (option->count() > 0 && std::ranges::find(kOfThisRun, option->get_single_name()) == kOfThisRun.end())
      throw CLI::ValidationError("--resume", "the search is that of the file; leave out " + option->get_name());
}

// What is a bug, and what is not. `ignores_event_bound`: null if reaching it is none anyway.
// `ignored`: kinds of programs of C and C++, or null.
void add_property_options(CLI::App& command, erlang::Properties& properties, bool* ignores_event_bound, std::vector<std::string>* ignored) {
  command
      .add_option("--normal", properties.normal_reasons, "an exit reason or halt status that is no bug; may be repeated")
      ->type_name("REASON")
      ->allow_extra_args(false);
  static constexpr std::string_view kThreadsKinds[] = {"abort",       "assertion", "crash",         "data_race",  "double_free",        "exit_status",   "invalid_free", "misuse",
                                                       "no_progress", "out_of_memory", "stack_overflow", "terminate", "uncaught_exception", "use_after_free"};
  const auto ignore = [&properties, ignores_event_bound, ignored](const std::string& kind) {
    // By the names that results have, too.
    if (kind == "deadlock") {
      properties.ignores_deadlocks = true;
    } else if (kind == "exit" || kind == "abnormal_exit") {
      properties.ignores_exits = true;
    } else if (kind == "halt" || kind == "abnormal_halt") {
      properties.ignores_halts = true;
    } else if ((kind == "events" || kind == "event_bound") && ignores_event_bound != nullptr) {
      *ignores_event_bound = true;
    } else if (ignored != nullptr && std::ranges::find(kThreadsKinds, kind) != std::end(kThreadsKinds)) {
      ignored->push_back(kind);
    } else {
      throw CLI::ValidationError("--ignore", "'" + kind + "' is none of deadlock, exit, halt" +
                                                 (ignores_event_bound == nullptr ? "" : ", events") +
                                                 (ignored == nullptr ? "" : ", or a kind of bug of C and C++ as results name it"));
    }
  };
  command
      .add_option_function<std::vector<std::string>>(
          "--ignore", [ignore](const std::vector<std::string>& kinds) { std::ranges::for_each(kinds, ignore); },
          std::string("what is no bug: deadlock, exit (abnormal), halt (with another status than 0)") +
              (ignores_event_bound == nullptr ? "" : ", events (more than --events)") +
              (ignored == nullptr ? "" : ", of C and C++ any kind as results name it") + "; may be repeated")
      ->type_name("KIND")
      ->allow_extra_args(false);
  add_choice(command, "--leftovers", properties.leftovers,
             Words<erlang::Leftovers>{{"left", erlang::Leftovers::kLeft}, {"bug", erlang::Leftovers::kBugs}},
             "what processes are that wait idle when nobody can move: left behind (the default), or a bug, as any other deadlock")
      ->type_name("WHAT");
  add_choice(command, "--crashes", properties.crashes,
             Words<erlang::Crashes>{{"unhandled", erlang::Crashes::kUnhandled}, {"all", erlang::Crashes::kAll}},
             "which abnormal ends are bugs: unhandled (errors, and exits that nobody hears of; the default) or all")
      ->type_name("WHICH");
  command.add_flag("--assertions-only", properties.assertions_only, "of abnormal exits only failed assertions are bugs");
  command.add_flag("--first-process-only", properties.first_process_only,
                   "only what strikes the process that runs the test is a bug");
}

// Those that only programs of C and C++ know.
void add_threads_options(CLI::App& command, ThreadsOptions& options) {
  const Words<threads::AccessOperations> accesses = {{"racy", threads::AccessOperations::kRacy},
                                                     {"all", threads::AccessOperations::kAll},
                                                     {"sync", threads::AccessOperations::kSync}};
  const Words<bool> races = {{"warn", false}, {"bug", true}};
  add_choice(command, "--accesses", options.accesses, accesses,
             "of a C or C++ program, which memory accesses are interleaved besides atomics: racy (to memory with a data "
             "race), all (but those of a thread to its own stack) or sync (none; default racy)")
      ->type_name("WHICH");
  const Words<VariableParts> parts = {{"elements", VariableParts::kElements}, {"whole", VariableParts::kWhole}};
  add_choice(command, "--arrays", options.parts, parts,
             "of a C or C++ program, what a variable of --variables and vt is: a word, of arrays and blocks of the heap, too (elements), "
             "or all of an array or block (whole; default elements)")
      ->type_name("PARTS");
  command
      .add_option("--track", options.tracked,
                  "of a C or C++ program, a global variable, NAME or NAME+OFFSET: of memory accesses only those to it are interleaved, "
                  "and others are not even looked at, also for races; may be repeated")
      ->type_name("NAME")
      ->allow_extra_args(false);
  add_choice(command, "--races", options.races_are_bugs, races,
             "what a data race of a C or C++ program is: warn or bug (default warn)")
      ->type_name("HOW");
  command.add_flag("--spurious", options.spurious,
                   "waits on condition variables of a C or C++ program may wake, and weak exchanges fail, without reason");
  command.add_flag("--host-files", options.host_files,
                   "what a C or C++ program does to files really happens, in each execution; without it each finds the files as they are, and nothing "
                   "reaches them");
  command.add_flag("--isolate", options.isolates,
                   "each execution of a C or C++ program has a process of its own, which is slower and survives everything");
}

void add_check_options(CLI::App& command, CheckOptions& check) {
  const Words<BlockingSteps> blocking = {{"avoid", BlockingSteps::kAvoid}, {"explore", BlockingSteps::kExplore}};
  const Words<ApplicationStarts> starts = {{"once", ApplicationStarts::kOnce}, {"explored", ApplicationStarts::kExplored}};
  add_program_options(command, check.program);
  add_test_option(command, check.program);
  command.add_option("--strategy", check.strategy, strategies_text())->type_name("NAME");
  command.add_option("--preemptions", check.preemptions, "the largest number of preemptions")->type_name("N");
  command.add_option("--delays", check.delays, "the largest number of delays")->type_name("N");
  command.add_option("--early", check.early, "with --time idle: how many timeouts of an execution may fire while others can go on (default 0)")
      ->type_name("N");
  command.add_option("--depth", check.depth, "of pct: how many ordering constraints a bug needs (default 3)")
      ->type_name("N")
      ->check(CLI::PositiveNumber.description(""));
  command.add_option("--variables", check.variables, "how many variables a bug has to do with")
      ->type_name("N")
      ->check(CLI::PositiveNumber.description(""));
  command
      .add_option("--iterations", check.iterations,
                  "of the variables: only those of the heap before whose allocation the same calls had allocated at most N blocks")
      ->type_name("N")
      ->check(CLI::NonNegativeNumber.description(""));
  command.add_option("--threads", check.threads_ordered, "of vt: an order of how many threads a bug needs (default 2)")
      ->type_name("N")
      ->check(CLI::Range(2u, 8u).description(""));
  command.add_option("--seed", check.seed, "of the random choices (default 1)")->type_name("N");
  command
      .add_option("--budget", check.budgets,
                  "for each test: a time such as 60s or 5m, executions such as 10000x, or memory such as 8G (default: 80 % of the machine's); "
                  "may be given for each")
      ->type_name("AMOUNT")
      ->allow_extra_args(false);
  command.add_option("--trace", check.trace, "every execution contains this trace ('ravel trace' writes one), which may be partial")
      ->type_name("FILE");
  command.add_flag("-k,--keep-going", check.keep_going, "search on after the first bug of a test");
  command.add_option("--out", check.out, std::string("folder of the tickets (default ") + kDefaultTicketFolder + ")")
      ->type_name("DIR");
  command.add_option("--json", check.json_file, "writes the results for machines")->type_name("FILE");
  command.add_option("--junit", check.junit_file, "writes the results as JUnit XML")->type_name("FILE");
  command.add_option("--graph", check.graph_file, "draws the executions as a tree, for Graphviz (DOT)")->type_name("FILE");
  command
      .add_option("--resume", check.resume,
                  "goes on with a search that was interrupted; with it only --budget, -k, --out, -q, --color and files for results")
      ->type_name("FILE");
  add_property_options(command, check.properties, &check.ignores_event_bound, &check.threads.ignored);
  command
      .add_option("--non-racing", check.non_racing,
                  "a registered process for which the order of the messages sent to it is not varied; may be repeated")
      ->type_name("NAME")
      ->allow_extra_args(false);
  command
      .add_option("--events", check.events_max,
                  "an execution with more events is cut off, and the search not complete (default: as many as fit into the memory, "
                  "a million at most)")
      ->type_name("N")
      ->check(CLI::PositiveNumber.description(""));
  add_choice(command, "--long", check.long_executions,
             Words<LongExecutions>{{"cut", LongExecutions::kCutOff}, {"bug", LongExecutions::kBug}},
             "what an execution of more than --events is: cut off (the default), or a bug")
      ->type_name("WHAT");
  command
      .add_option("--step-limit", check.step_limit,
                  "a process that makes more calls between two operations is a bug (default 100000000)")
      ->type_name("N")
      ->check(CLI::PositiveNumber.description(""));
  add_choice(command, "--blocking", check.blocking, blocking,
             "whether finding that there is no message is a step of its own: avoid or explore (default avoid)")
      ->type_name("HOW");
  add_choice(command, "--starts", check.starts, starts,
             "what happens while the application controller starts or stops an application and nobody else can go on: once (in one "
             "order) or explored (with dpor, where once is the default)")
      ->type_name("HOW");
  add_time_options(command, check.model);
  add_model_options(command, check.model);
  command
      .add_option("--atomic", check.model.atomic_modules, "what happens during a call of MODULE is one step; may be repeated")
      ->type_name("MODULE")
      ->allow_extra_args(false);
  add_stub_option(command, check.model);
  add_threads_options(command, check.threads);
  add_report_options(command, check.report, "one line for each bug, and nothing else");
  command.footer(kCheckExamples);
}

constexpr const char kTraceExamples[] =
    "\nA trace is what each process did, with which messages, and no order between processes: it stands for\n"
    "all schedules that differ only in the order of independent operations.\n"
    "\nExamples:\n"
    "  ravel trace bank.erl -t bank:transfer --out transfer.json\n"
    "  ravel trace ravel-tickets/bank.transfer.deadlock.03f2a1.ticket.json\n"
    "  ravel replay transfer.json\n";

constexpr const char kRacesExamples[] =
    "\nFor each receive: which other messages it could have taken. For operations on one thing: which could have come\n"
    "in the other order. Each is a variant of the execution, which --variant N runs.\n"
    "\nExamples:\n"
    "  ravel races bank.erl -t bank:transfer\n"
    "  ravel races ravel-tickets/bank.transfer.deadlock.03f2a1.ticket.json --variant 2\n";

constexpr const char kProfileExamples[] =
    "\nRuns a test of C or C++ some times, without preemptions and then at random, and counts all accesses to memory but\n"
    "those of a thread to its own stack, and all operations. What is seldom accessed is tested least by other means.\n"
    "\nExamples:\n"
    "  ravel profile ./account\n"
    "  ravel profile ./bank_tests -t Account.Transfer --elements --json profile.json\n";

void add_subject_options(CLI::App& command, SubjectOptions& subject) {
  add_program_options(command, subject.program);
  add_test_option(command, subject.program);
  add_property_options(command, subject.properties, nullptr, nullptr);
  command.add_option("--events", subject.events_max, "after how many events an execution is cut off (default 1000000)")
      ->type_name("N")
      ->check(CLI::PositiveNumber.description(""));
  add_time_options(command, subject.model);
  add_model_options(command, subject.model);
  add_stub_option(command, subject.model);
  add_report_options(command, subject.report, "no text");
}

}  // namespace

Status parse_check_arguments(std::span<const std::string> arguments, CheckOptions& options) {
  // Behind -- stand those of the program under test.
  const auto dashes = std::ranges::find(arguments, "--");
  if (dashes != arguments.end()) options.program.program_arguments.assign(dashes + 1, arguments.end());
  arguments = arguments.first(static_cast<std::size_t>(dashes - arguments.begin()));
  CLI::App app;
  add_check_options(app, options);
  std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
  try {
    app.parse(reversed);
  } catch (const CLI::ParseError& error) {
    return Error{error.what()};
  }
  return Success{};
}

int run_command_line(int argc, const char* const* argv) {
  CLI::App app(kAbout, "ravel");
  app.set_version_flag("--version", std::string("ravel ") + kVersion);
  app.set_help_flag("-h,--help", "shows this text");
  app.footer(kExamples);
  app.require_subcommand(1);
  app.get_formatter()->column_width(34);
  app.get_formatter()->label("REQUIRED", "");
  app.get_formatter()->label("SUBCOMMAND", "COMMAND");
  app.get_formatter()->label("Subcommands", "Commands");

  int status = 0;
  CheckOptions check;
  // Behind -- stand the arguments of the program under test, which may look like options.
  const char* const* const end = argv + argc;
  const char* const* const dashes = std::find_if(argv, end, [](std::string_view argument) { return argument == "--"; });
  std::vector<std::string> behind_dashes;
  if (dashes != end) behind_dashes.assign(dashes + 1, end);
  argc = static_cast<int>(dashes - argv);
  CLI::App& check_app = *app.add_subcommand("check", "searches for bugs in tests");
  add_check_options(check_app, check);
  check_app.callback([&] {
    check_resume(check_app, check);
    check.program.program_arguments = behind_dashes;
    check.arguments.assign(argv + 2, end);
    status = check_command(check);
  });

  ReplayOptions replay;
  CLI::App& replay_app = *app.add_subcommand("replay", "runs the schedule of a ticket again");
  replay_app.add_option("TICKET", replay.ticket, "a file that 'ravel check' or 'ravel trace' has written");
  replay_app.add_option("FILE", replay.files, "the program, if it is not where the ticket says");
  replay_app.add_option("--trace", replay.trace, "a trace to follow, instead of a ticket")->type_name("FILE");
  replay_app.add_flag("--gdb", replay.debugs, "of a C or C++ program: replays it under gdb, which stops where it fails");
  add_report_options(replay_app, replay.report, "the exit status only");
  replay_app.callback([&] {
    if (dashes != end) throw CLI::ValidationError("--", "the arguments of the program are those of the ticket; leave them out");
    status = replay_command(replay);
  });

  SubjectOptions trace;
  CLI::App& trace_app = *app.add_subcommand("trace", "shows an execution as what each process did");
  add_subject_options(trace_app, trace);
  trace_app.add_option("--out", trace.out, "saves the trace, for 'ravel replay' and 'ravel check --trace'")->type_name("FILE");
  trace_app.get_option("FILE")->description("a ticket, a trace, or the program");
  trace_app.footer(kTraceExamples);
  trace_app.callback([&] {
    trace.program.program_arguments = behind_dashes;
    status = trace_command(trace);
  });

  RacesOptions races;
  CLI::App& races_app = *app.add_subcommand("races", "shows what could have happened otherwise in an execution");
  add_subject_options(races_app, races.subject);
  races_app.add_option("--variant", races.variant, "runs this variant and shows what has changed")->type_name("N");
  races_app.add_option("--out", races.subject.out, "saves the trace with which the variant begins")->type_name("FILE");
  races_app.get_option("FILE")->description("a ticket, a trace, or the program");
  races_app.footer(kRacesExamples);
  races_app.callback([&] {
    races.subject.program.program_arguments = behind_dashes;
    status = races_command(races);
  });

  ProfileOptions profile;
  CLI::App& profile_app = *app.add_subcommand("profile", "counts the accesses to each variable of a C or C++ program");
  profile_app.add_option("FILE", profile.program.files, "an executable built with ravel-c++ or ravel-cc, then -- and its arguments");
  profile_app.add_option("-t,--test", profile.program.tests, "a test, or all tests of a suite; may be repeated")->type_name("NAME")->allow_extra_args(false);
  profile_app.add_option("--executions", profile.executions, "how many are run (default 10)")->type_name("N")->check(CLI::PositiveNumber.description(""));
  profile_app.add_option("--seed", profile.seed, "of the random ones (default 1)")->type_name("N");
  profile_app.add_option("--events", profile.events_max, "after how many events an execution is cut off (default 1000000)")
      ->type_name("N")
      ->check(CLI::PositiveNumber.description(""));
  profile_app.add_flag_callback("--elements", [&profile] { profile.parts = VariableParts::kElements; },
                                "each word of an array or of a block of the heap by itself");
  profile_app.add_option("--json", profile.json_file, "writes all of it to a file")->type_name("FILE");
  add_report_options(profile_app, profile.report, "no text");
  profile_app.footer(kProfileExamples);
  profile_app.callback([&] {
    profile.program.program_arguments = behind_dashes;
    status = profile_command(profile);
  });

  ProgramArguments listed;
  ModelOptions listed_model;
  ReportOptions list_report;
  CLI::App& tests_app = *app.add_subcommand("tests", "lists the tests of a program");
  add_program_options(tests_app, listed);
  add_stub_option(tests_app, listed_model);
  add_report_options(tests_app, list_report, "has no effect here");
  std::string list_json;
  tests_app.add_option("--json", list_json, "writes the list for machines, and prints nothing")->type_name("FILE");
  tests_app.callback([&] {
    listed.program_arguments = behind_dashes;
    status = tests_command(listed, listed_model, list_report, list_json);
  });

  ProgramArguments run;
  ModelOptions run_model;
  ReportOptions run_report;
  CLI::App& run_app = *app.add_subcommand("run", "runs a test once, as erl would");
  add_program_options(run_app, run);
  add_test_option(run_app, run);
  add_model_options(run_app, run_model);
  add_stub_option(run_app, run_model);
  add_report_options(run_app, run_report, "no remarks");
  run_app.callback([&] {
    run.program_arguments = behind_dashes;
    status = run_command(run, run_model, run_report);
  });

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) return app.exit(error);
    std::string message = error.what();
    while (!message.empty() && (message.back() == '\n' || message.back() == '.')) message.pop_back();
    const auto used = app.get_subcommands();
    return complain(message + ". See ravel " + (used.empty() ? "" : used.front()->get_name() + " ") + "--help.");
  }
  return status;
}

}  // namespace ravel
