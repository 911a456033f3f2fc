#include "cli/command_line.h"

#include <CLI/CLI.hpp>
#include <map>

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

using Names = CLI::CheckedTransformer;

void add_program_options(CLI::App& command, ProgramArguments& program) {
  command.add_option("FILE", program.files, "the program: .erl and .beam files")->required();
  command.add_option("--pa", program.code_folders, "where other modules are looked for first (as erl -pa)")
      ->type_name("DIR")
      ->allow_extra_args(false);
  command.add_option("-I", program.include_folders, "where include files are looked for")
      ->type_name("DIR")
      ->allow_extra_args(false);
  command.add_option("-D", program.defines, "defines a macro")
      ->type_name("NAME[=VALUE]")
      ->allow_extra_args(false);
}

void add_test_option(CLI::App& command, ProgramArguments& program) {
  command.add_option("-t,--test", program.tests, "a test, or all tests of a module or generator; may be repeated")
      ->type_name("MODULE[:FUNCTION[/N...]]")
      ->allow_extra_args(false);
}

void add_report_options(CLI::App& command, ReportOptions& report, const char* quiet) {
  static const std::map<std::string, ColourWish> kColours = {
      {"auto", ColourWish::kAuto}, {"always", ColourWish::kAlways}, {"never", ColourWish::kNever}};
  command.add_option("--color", report.colour, "auto, always or never")
      ->type_name("WHEN")
      ->transform(Names(kColours).description(""));
  command.add_flag_callback("-q,--quiet", [&report] { report.quiet = Quiet::kYes; }, quiet);
}

void add_after_option(CLI::App& command, std::optional<std::uint32_t>& milliseconds) {
  command.add_option("--after-infinite", milliseconds, "an 'after' of at least as many milliseconds never fires")
      ->type_name("MS")
      ->check(CLI::PositiveNumber.description(""));
}

std::string strategies_text() {
  std::string text = "how to search:";
  for (const StrategyEntry& entry : strategies())
    text += "\n" + std::string(entry.name) + ": " + std::string(entry.help);
  return text;
}

void add_check_options(CLI::App& command, CheckOptions& check) {
  static const std::map<std::string, BlockingSteps> kBlocking = {{"avoid", BlockingSteps::kAvoid},
                                                                 {"explore", BlockingSteps::kExplore}};
  add_program_options(command, check.program);
  add_test_option(command, check.program);
  command.add_option("--strategy", check.strategy, strategies_text())->type_name("NAME");
  command.add_option("--preemptions", check.preemptions, "the largest number of preemptions")->type_name("N");
  command.add_option("--seed", check.seed, "of the random choices (default 1)")->type_name("N");
  command
      .add_option("--budget", check.budgets,
                  "for each test: a time such as 60s or 5m, or executions such as 10000x; may be given for both")
      ->type_name("AMOUNT")
      ->allow_extra_args(false);
  command.add_flag("-k,--keep-going", check.keep_going, "search on after the first bug of a test");
  command.add_option("--out", check.out, std::string("folder of the tickets (default ") + kDefaultTicketFolder + ")")
      ->type_name("DIR");
  command.add_option("--json", check.json_file, "writes the results for machines")->type_name("FILE");
  command.add_option("--junit", check.junit_file, "writes the results as JUnit XML")->type_name("FILE");
  command.add_option("--normal", check.normal_reasons, "an exit reason that is no bug; may be repeated")
      ->type_name("REASON")
      ->allow_extra_args(false);
  command
      .add_option("--events", check.events_max,
                  "an execution with more events is a bug, a possible livelock (default 10000)")
      ->type_name("N")
      ->check(CLI::PositiveNumber.description(""));
  command
      .add_option("--step-limit", check.step_limit,
                  "a process that makes more calls between two operations is a bug (default 100000000)")
      ->type_name("N")
      ->check(CLI::PositiveNumber.description(""));
  command
      .add_option("--blocking", check.blocking,
                  "whether finding that there is no message is a step of its own: avoid or explore (default avoid)")
      ->type_name("HOW")
      ->transform(Names(kBlocking).description(""));
  add_after_option(command, check.after_infinite);
  add_report_options(command, check.report, "one line for each bug, and nothing else");
  command.footer(kCheckExamples);
}

}  // namespace

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
  CLI::App& check_app = *app.add_subcommand("check", "searches for bugs in tests");
  add_check_options(check_app, check);
  check_app.callback([&] { status = check_command(check); });

  ReplayOptions replay;
  CLI::App& replay_app = *app.add_subcommand("replay", "runs the schedule of a ticket again");
  replay_app.add_option("TICKET", replay.ticket, "a file that 'ravel check' has written")->required();
  replay_app.add_option("FILE", replay.files, "the program, if it is not where the ticket says");
  add_report_options(replay_app, replay.report, "the exit status only");
  replay_app.callback([&] { status = replay_command(replay); });

  ProgramArguments listed;
  ReportOptions list_report;
  CLI::App& tests_app = *app.add_subcommand("tests", "lists the tests of a program");
  add_program_options(tests_app, listed);
  add_report_options(tests_app, list_report, "has no effect here");
  tests_app.callback([&] { status = tests_command(listed, list_report); });

  ProgramArguments run;
  std::optional<std::uint32_t> run_after_infinite;
  ReportOptions run_report;
  CLI::App& run_app = *app.add_subcommand("run", "runs a test once, as erl would");
  add_program_options(run_app, run);
  add_test_option(run_app, run);
  add_after_option(run_app, run_after_infinite);
  add_report_options(run_app, run_report, "no remarks");
  run_app.callback([&] { status = run_command(run, run_after_infinite, run_report); });

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
