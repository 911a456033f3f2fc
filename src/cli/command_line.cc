#include "cli/command_line.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <deque>
#include <functional>

#include "base/version.h"
#include "check/part_commands.h"
#include "cli/commands.h"
#include "cli/option_pages.h"
#include "host/messages.h"

namespace ravel {

namespace {

constexpr const char kAbout[] =
    "Finds concurrency bugs that stress tests miss: runs a test under a scheduler that it controls, tries "
    "the\n"
    "schedules that matter, and shows the exact one that breaks the test, or says what it has ruled out.";

constexpr const char kExamples[] =
    "\nExamples:\n"
    "  ravel check bank.erl bank_tests.erl                  every EUnit test of these modules\n"
    "  ravel check bank.erl -t bank:transfer -k             one function, and all its bugs\n"
    "  ravel check bank.erl --preemptions 2 --budget 60s    a bounded search, for a minute at most\n"
    "  ravel replay ravel-tickets/bank.transfer.deadlock.03f2a1.ticket.json\n"
    "  ravel-c++ account.cc -o account; ravel check ./account   a program of C++\n"
    "\n'ravel COMMAND --help' shows the options of a command, and --help-all explains them all.\n"
    "\nExit status: 0 nothing found and the search is complete; 1 a bug; 2 bad usage or input; 3 stopped\n"
    "before the search was complete; 4 the program does something that no schedule controls.\n";

constexpr const char kCheckExamples[] =
    "\nWithout -t all EUnit tests of the given modules are checked. Each bug is shown with the\n"
    "simplest schedule found, and leaves a ticket that 'ravel replay' runs again.\n"
    "\nExamples:\n"
    "  ravel check bank.erl bank_tests.erl -t bank_tests\n"
    "  ravel check ebin/bank.beam --pa deps/ebin -t bank:transfer --strategy dfs\n"
    "  ravel check bank.erl -t bank:transfer --strategy random --seed 7 --budget 10000x\n";

constexpr const char kTraceExamples[] =
    "\nA trace is what each process did, with which messages, and no order between processes: it stands for\n"
    "all schedules that differ only in the order of independent operations.\n"
    "\nExamples:\n"
    "  ravel trace bank.erl -t bank:transfer --out transfer.json\n"
    "  ravel trace ravel-tickets/bank.transfer.deadlock.03f2a1.ticket.json\n"
    "  ravel replay transfer.json\n";

constexpr const char kUiExamples[] =
    "\nThe page is for this machine only, and whoever has the address that is printed. Ctrl-C ends it.\n"
    "\nExamples:\n"
    "  ravel ui ravel-tickets/bank.transfer.deadlock.03f2a1.ticket.json\n"
    "  ravel ui bank.erl -t bank:transfer\n";

constexpr const char kRacesExamples[] =
    "\nFor each receive: which other messages it could have taken. For operations on one thing: which could "
    "have come\n"
    "in the other order. Each is a variant of the execution, which --variant N runs.\n"
    "\nExamples:\n"
    "  ravel races bank.erl -t bank:transfer\n"
    "  ravel races ravel-tickets/bank.transfer.deadlock.03f2a1.ticket.json --variant 2\n";

constexpr const char kShowExamples[] =
    "\nExamples:\n"
    "  ravel show ravel-tickets/bank.transfer.deadlock.03f2a1.ticket.json --html bug.html\n"
    "  ravel show bank.transfer.deadlock.03f2a1.ticket.json --story lanes --whole\n"
    "  ravel show bank.erl -t bank:transfer --json - | jq .failing.steps\n";

constexpr const char kDapExamples[] =
    "\nIt is a Debug Adapter: editors start it, and speak with it over standard input and output. The "
    "editor's\n"
    "launch configuration names the ticket.\n";

constexpr const char kMcpExamples[] =
    "\nIt is a server of the Model Context Protocol over standard input and output.\n";

constexpr const char kSplitExamples[] =
    "\nThe search of one test is divided into files, which any machine can run that has the same ravel and "
    "the\n"
    "program's files. 'ravel merge' takes their results, and writes further parts or tells the final "
    "result.\n"
    "\nExamples:\n"
    "  ravel split bank.erl -t bank:transfer -k --into search --parts 16\n"
    "  ravel part search/1.part --budget 60s\n"
    "  ravel merge search\n";

constexpr std::string_view kProgramHelp = "the program, as for 'ravel check'";

// What is asked for with --resume is that of the file, but for what concerns this run.
Status check_resume(const CheckOptions& check) {
  static constexpr std::array<std::string_view, 14> kOfThisRun = {
      "--resume", "--budget", "--keep-going", "--jobs",  "--out",   "--quiet", "--story",
      "--color",  "--json",   "--junit",      "--sarif", "--graph", "--html",  "--whole"};
  if (check.resume.empty()) return Success{};
  for (const GivenOption& given : check.given)
    if (std::ranges::find(kOfThisRun, given.name) == kOfThisRun.end())
      return Error{"--resume: the search is that of the file; leave out " + given.name};
  return Success{};
}

// All commands of one command line. Each has a table of options, whose values live here.
class CommandLine {
 public:
  CommandLine(const FrontEnds& front_ends, std::vector<std::string> arguments,
              std::vector<std::string> after_dashes)
      : front_ends_(front_ends),
        arguments_(std::move(arguments)),
        after_dashes_(std::move(after_dashes)),
        app_(kAbout, "ravel") {
    // What a short help leaves out is hidden, and the parser's messages do not name what is hidden.
    const auto is_there = [this](const char* name) {
      return std::ranges::find(arguments_, name) != arguments_.end();
    };
    if (is_there("-h") || is_there("--help")) help_ = OptionTable::Help::kShort;
    std::ranges::replace(arguments_, std::string("--help-all"), std::string("--help"));
    take_words_of_p();
    app_.set_version_flag("--version", std::string("ravel ") + kVersion);
    app_.set_help_flag("-h,--help", "shows this text");
    app_.footer(kExamples);
    app_.require_subcommand(1);
    app_.get_formatter()->column_width(34);
    app_.get_formatter()->label("REQUIRED", "");
    app_.get_formatter()->label("SUBCOMMAND", "COMMAND");
    app_.get_formatter()->label("Subcommands", "Commands");
    add_check();
    add_replay();
    add_show();
    add_ui();
    add_trace();
    add_races();
    add_servers();
    for (const FrontEnd* const one : front_ends_.rows())
      for (const OwnCommand& own : one->own_commands()) add_own(own);
    add_tests();
    add_run();
    add_split();
    add_part();
    add_merge();
    add_pages();
  }

  int run() {
    try {
      std::vector<std::string> reversed(arguments_.rbegin(), arguments_.rend());
      app_.parse(reversed);
    } catch (const CLI::ParseError& error) {
      if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) return app_.exit(error);
      return complain_of_usage(error.what());
    }
    return status_;
  }

 private:
  int complain_of_usage(std::string message) {
    while (!message.empty() && (message.back() == '\n' || message.back() == '.')) message.pop_back();
    const auto used = app_.get_subcommands();
    return complain(message + ". See ravel " + (used.empty() ? "" : used.front()->get_name() + " ") +
                    "--help.");
  }

  // Spellings that people know from P's own checker.
  void take_words_of_p() {
    std::ranges::replace(arguments_, std::string("-tc"), std::string("-t"));
    const auto lists = std::ranges::find(arguments_, "--list-tests");
    if (lists == arguments_.end() || arguments_.front() != "check") return;
    arguments_.erase(lists);
    arguments_.front() = "tests";
  }

  // What packages install besides the program: made from the same rows.
  void add_pages() {
    OptionTable& table = tables_.emplace_back();
    table.choice("KIND", "KIND", page_,
                 {{"man", Page::kMan}, {"bash", Page::kBash}, {"zsh", Page::kZsh}, {"fish", Page::kFish}},
                 "man (the manual page), or completions for bash, zsh or fish");
    add("pages", "prints the manual page, or completions for a shell", "", table, [this]() -> Result<int> {
      std::fputs(print_page(page_, kAbout, pages_).c_str(), stdout);
      return 0;
    });
  }

  // `run` is called when the options have their values.
  void add(const std::string& name, const std::string& help, const char* footer, OptionTable& table,
           std::function<Result<int>()> run) {
    CLI::App& command = *app_.add_subcommand(name, help);
    pages_.push_back({.name = name, .help = help, .table = &table});
    table.add_to(command, help_);
    std::string others;
    if (help_ == OptionTable::Help::kShort && table.has_common_rows())
      others = "\nThe other options, which 'ravel " + name + " --help-all' explains:\n" +
               table.others_text() + "\n";
    command.footer(others + footer);
    command.callback([this, run = std::move(run)] {
      const Result<int> status = run();
      status_ = status ? *status : complain(status.error().message);
    });
  }

  void add_check() {
    OptionTable& table = tables_.emplace_back();
    add_check_rows(table, front_ends_, check_);
    add("check", "searches for bugs in tests", kCheckExamples, table, [this, &table]() -> Result<int> {
      check_.given = table.given();
      if (Status fitting = check_resume(check_); !fitting) return complain_of_usage(fitting.error().message);
      check_.program.program_arguments = after_dashes_;
      check_.arguments = all_arguments();
      return check_command(front_ends_, check_);
    });
  }

  // Without the name of the command.
  std::vector<std::string> all_arguments() const {
    std::vector<std::string> all(arguments_.begin() + 1, arguments_.end());
    if (!after_dashes_.empty()) all.emplace_back("--");
    all.insert(all.end(), after_dashes_.begin(), after_dashes_.end());
    return all;
  }

  void add_split() {
    OptionTable& table = tables_.emplace_back();
    add_check_rows(table, front_ends_, split_.check);
    table.begin("Parts");
    table.text("--into", "FOLDER", split_.into, "where the search and its parts are written");
    table.number("--parts", "N", split_.parts, "how many part files there are to be (default 8)", 1,
                 kPartFilesMax);
    table.common({"--into", "--parts"});
    add("split", "divides the search of one test into files, for many machines", kSplitExamples, table,
        [this, &table] {
          take_given(table, split_.check);
          split_.check.arguments = all_arguments();
          return split(front_ends_, split_);
        });
  }

  void add_part() {
    OptionTable& table = tables_.emplace_back();
    table.text("PART", "PART", part_.file, "a part that 'ravel split' or 'ravel merge' has written");
    table.list("--budget", "AMOUNT", part_.budgets,
               "how long: a time such as 60s, executions such as 10000x, or memory such as 8G (default: to "
               "its end)");
    table.text("--out", "FILE", part_.out, "the result (default: the part's name with .result)");
    table.flag("--end-with-parent", "stops when the process that has started it ends",
               [this] { part_.ends_with_parent = true; });
    add_report_rows(table, part_.report, "no text");
    add("part", "runs a part of a divided search", "", table,
        [this] { return run_part_file(front_ends_, part_); });
  }

  void add_merge() {
    OptionTable& table = tables_.emplace_back();
    table.list("FOLDER", "FOLDER", merge_files_,
               "the folder of 'ravel split', and results (default: those in the folder)");
    table.text("--out", "DIR", merge_.out,
               std::string("folder of the tickets (default ") + kDefaultTicketFolder + ")");
    table.text("--json", "FILE", merge_.json_file, "writes the final results for machines");
    table.text("--junit", "FILE", merge_.junit_file, "writes the final results as JUnit XML");
    table.flag("--serve", "takes results from a program, one a line (ravel-cluster)",
               [this] { merge_.serves = true; });
    add_report_rows(table, merge_.report, "one line for each bug, and nothing else");
    add("merge", "brings results of parts together: writes further parts, or tells the final result", "",
        table, [this]() -> Result<int> {
          if (merge_files_.empty())
            return complain_of_usage("FOLDER: which divided search? Name the folder of 'ravel split'");
          merge_.folder = merge_files_.front();
          merge_.results.assign(merge_files_.begin() + 1, merge_files_.end());
          return merge_results(front_ends_, merge_);
        });
  }

  void add_replay() {
    OptionTable& table = tables_.emplace_back();
    table.text("TICKET", "TICKET", replay_.ticket, "a file that 'ravel check' or 'ravel trace' has written");
    table.list("FILE", "FILE", replay_.files, "the program, if it is not where the ticket says");
    table.text("--trace", "FILE", replay_.trace, "a trace to follow, instead of a ticket");
    table.flag("--gdb", "of a C or C++ program: replays it under gdb, which stops where it fails",
               [this] { replay_.debugs = true; });
    add_story_rows(table, replay_.story);
    add_report_rows(table, replay_.report, "the exit status only");
    add("replay", "runs the schedule of a ticket again", "", table, [this]() -> Result<int> {
      if (!after_dashes_.empty())
        return complain_of_usage("--: the arguments of the program are those of the ticket; leave them out");
      return replay_command(front_ends_, replay_);
    });
  }

  void add_subject_rows(OptionTable& table, SubjectOptions& subject) {
    table.begin("");
    add_program_rows(table, subject.program, "a ticket, a trace, or the program");
    add_test_row(table, subject.program);
    table.number("--events", "N", subject.events_max,
                 "after how many events an execution is cut off (default 1000000)", 1);
    add_report_rows(table, subject.report, "no text");
    add_time_row(table, subject.time);
    front_ends_.add_own_rows(table, CommandKind::kShow, subject);
    table.begin("");
  }

  void add_trace() {
    OptionTable& table = tables_.emplace_back();
    add_subject_rows(table, trace_);
    table.text("--out", "FILE", trace_.out, "saves the trace, for 'ravel replay' and 'ravel check --trace'");
    add("trace", "shows an execution as what each process did", kTraceExamples, table, [this, &table] {
      take_given(table, trace_);
      return trace_command(front_ends_, trace_);
    });
  }

  void add_show() {
    OptionTable& table = tables_.emplace_back();
    add_subject_rows(table, show_.subject);
    add_story_rows(table, show_.story);
    table.text("--json", "FILE", show_.json_file, "writes the story as data (- for standard output)");
    table.text("--html", "FILE", show_.html_file,
               "writes it as a page for a browser, which needs no network");
    table.text("--mermaid", "FILE", show_.mermaid_file, "writes it as a sequence diagram of Mermaid");
    table.text("--shiviz", "FILE", show_.shiviz_file, "writes it as a log for ShiViz");
    add("show", "shows what happened in an execution, and why", kShowExamples, table, [this, &table] {
      take_given(table, show_.subject);
      return show_command(front_ends_, show_);
    });
  }

  void add_ui() {
    OptionTable& table = tables_.emplace_back();
    add_subject_rows(table, ui_.subject);
    table.text("--out", "DIR", ui_.subject.out,
               std::string("folder of the executions that are saved (default ") + kDefaultTicketFolder + ")");
    table.number("--port", "N", ui_.port, "where the page is on this machine (default: any that is free)", 1);
    add("ui", "shows an execution in a browser, where others can be tried", kUiExamples, table,
        [this, &table] {
          take_given(table, ui_.subject);
          return ui_command(front_ends_, ui_);
        });
  }

  void add_races() {
    OptionTable& table = tables_.emplace_back();
    add_subject_rows(table, races_.subject);
    table.number("--variant", "N", races_.variant, "runs this variant and shows what has changed");
    table.text("--out", "FILE", races_.subject.out, "saves the trace with which the variant begins");
    add("races", "shows what could have happened otherwise in an execution", kRacesExamples, table,
        [this, &table] {
          take_given(table, races_.subject);
          return races_command(front_ends_, races_);
        });
  }

  // Commands that other programs start and speak with.
  void add_servers() {
    add("dap", "lets an editor go through the execution of a ticket, forwards and backwards", kDapExamples,
        tables_.emplace_back(), [this] { return dap_command(front_ends_); });
    add("mcp", "lets an assistant check tests and look into bugs", kMcpExamples, tables_.emplace_back(),
        [this] { return mcp_command(front_ends_); });
  }

  void add_own(const OwnCommand& own) {
    OptionTable& table = tables_.emplace_back();
    const auto run = own.add(table);
    add(own.name, own.help, own.examples, table, [this, run] { return run(after_dashes_); });
  }

  void add_tests() {
    OptionTable& table = tables_.emplace_back();
    add_program_rows(table, tests_.program, kProgramHelp);
    table.text("--json", "FILE", tests_json_, "writes the list for machines, and prints nothing");
    add_report_rows(table, tests_.report, "has no effect here");
    front_ends_.add_own_rows(table, CommandKind::kTests, tests_);
    add("tests", "lists the tests of a program", "", table, [this, &table] {
      take_given(table, tests_);
      return tests_command(front_ends_, tests_, tests_json_);
    });
  }

  void add_run() {
    OptionTable& table = tables_.emplace_back();
    add_program_rows(table, run_.program, kProgramHelp);
    add_test_row(table, run_.program);
    add_report_rows(table, run_.report, "no remarks");
    front_ends_.add_own_rows(table, CommandKind::kRun, run_);
    add("run", "runs a test once, as erl would", "", table, [this, &table]() -> Result<int> {
      take_given(table, run_);
      const FrontEnd& front_end = front_ends_.of(run_.program.files);
      if (Status fitting = front_ends_.check_given(front_end, run_); !fitting) return fitting.error();
      return front_end.run_once(run_);
    });
  }

  void take_given(const OptionTable& table, CommandOptions& options) const {
    options.given = table.given();
    options.program.program_arguments = after_dashes_;
  }

  const FrontEnds& front_ends_;
  std::vector<std::string> arguments_;           // with the name of the command
  const std::vector<std::string> after_dashes_;  // arguments of the program under test
  OptionTable::Help help_ = OptionTable::Help::kWhole;
  CLI::App app_;
  std::deque<OptionTable> tables_;
  std::vector<CommandRows> pages_;
  Page page_ = Page::kMan;
  CheckOptions check_;
  ReplayOptions replay_;
  SubjectOptions trace_;
  ShowOptions show_;
  UiOptions ui_;
  RacesOptions races_;
  CommandOptions tests_;
  std::string tests_json_;
  CommandOptions run_;
  SplitOptions split_;
  PartOptions part_;
  MergeOptions merge_;
  std::vector<std::string> merge_files_;
  int status_ = 0;
};

}  // namespace

int run_command_line(const FrontEnds& front_ends, int argc, const char* const* argv) {
  // After -- are the arguments of the program under test, which may look like options.
  std::vector<std::string> arguments(argv + 1, argv + argc), after_dashes;
  const auto dashes = std::ranges::find(arguments, "--");
  if (dashes != arguments.end()) after_dashes.assign(dashes + 1, arguments.end());
  arguments.erase(dashes, arguments.end());
  return CommandLine(front_ends, std::move(arguments), std::move(after_dashes)).run();
}

}  // namespace ravel
