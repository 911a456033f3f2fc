#include "check/check_options.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "strategy/catalogue.h"

namespace ravel {

namespace {

// Of a budget, in bytes: more than any machine has, and exact as a double.
constexpr double kMemoryMax = 1LL << 50;

Error not_a_budget(const std::string& text) {
  return Error{"--budget " + text +
               ": not a budget. Write a time such as 60s, 5m or 2h, a number of executions such as 10000x, " +
               "or memory such as 500M or 8G."};
}

std::string strategies_text() {
  std::string text = "how to search:";
  for (const StrategyEntry& entry : strategies())
    text += "\n" + std::string(entry.name) + ": " + std::string(entry.help);
  return text;
}

}  // namespace

bool CommandOptions::is_given(std::string_view name) const {
  return std::ranges::find(given, name, &GivenOption::name) != given.end();
}

Result<Budget> parse_budgets(const std::vector<std::string>& texts) {
  Budget budget;
  for (const std::string& text : texts) {
    const char* const end = text.data() + text.size();
    if (text.ends_with('x')) {
      std::uint64_t count = 0;
      const auto [stop, problem] = std::from_chars(text.data(), end, count);
      if (problem != std::errc() || stop != end - 1 || count == 0) return not_a_budget(text);
      if (budget.executions) return Error{"--budget " + text + ": a second number of executions. Give one."};
      budget.executions = count;
      continue;
    }
    double amount = 0;
    const auto [stop, problem] = std::from_chars(text.data(), end, amount, std::chars_format::fixed);
    if (problem != std::errc() || stop != end - 1 || !std::isfinite(amount) || amount <= 0)
      return not_a_budget(text);
    if (*stop == 'M' || *stop == 'G') {
      const double bytes = amount * (*stop == 'M' ? 1 << 20 : 1 << 30);
      if (bytes < 1 || bytes > kMemoryMax) return not_a_budget(text);
      if (budget.memory) return Error{"--budget " + text + ": a second amount of memory. Give one."};
      budget.memory = static_cast<std::uint64_t>(bytes);
      continue;
    }
    const double unit = *stop == 's' ? 1 : *stop == 'm' ? 60 : *stop == 'h' ? 3600 : 0;
    if (unit == 0) return not_a_budget(text);
    if (budget.seconds) return Error{"--budget " + text + ": a second time. Give one."};
    budget.seconds = amount * unit;
  }
  return budget;
}

void add_program_rows(OptionTable& table, ProgramArguments& program, std::string_view program_help) {
  table.list("FILE", "FILE", program.files, std::string(program_help));
}

void add_test_row(OptionTable& table, ProgramArguments& program) {
  table.list("-t,--test", "NAME", program.tests,
             "a test, or all tests of a module, generator, suite or group; may be repeated");
}

void add_time_row(OptionTable& table, TimeOption& time) {
  table.choice(
      "--time", "POLICY", time,
      {{"idle", TimeOption::kIdle}, {"any", TimeOption::kAny}, {"deadlines", TimeOption::kDeadlines}},
      "when timeouts and timers fire, and timed waits of threads give up: idle (when nobody can go on, the "
      "earliest "
      "deadline first), any (at any point) or deadlines (at any point, the earliest first; default idle)");
}

void add_report_rows(OptionTable& table, ReportOptions& report, std::string_view quiet_help) {
  table.choice("--color", "WHEN", report.colour,
               {{"auto", ColourWish::kAuto}, {"always", ColourWish::kAlways}, {"never", ColourWish::kNever}},
               "auto, always or never");
  table.flag("-q,--quiet", std::string(quiet_help), [&report] { report.quiet = Quiet::kYes; });
}

void add_story_rows(OptionTable& table, StoryWish& story) {
  table.choice("--story", "FORM", story.form, {{"lines", StoryForm::kLines}, {"lanes", StoryForm::kLanes}},
               "as lines (default), or as lanes: a column for each actor");
  table.flag("--whole", "folds nothing: also what has nothing to do with the bug, or is of libraries",
             [&story] { story.folding = Folding::kNever; });
}

void add_search_rows(OptionTable& table, CheckOptions& options) {
  table.text("--strategy", "NAME", options.strategy, strategies_text());
  std::vector<std::string> names;
  for (const StrategyEntry& entry : strategies()) names.emplace_back(entry.name);
  table.words(std::move(names));
  table.flag("-k,--keep-going", "search on after the first bug of a test",
             [&options] { options.keep_going = true; });
  table.list("--budget", "AMOUNT", options.budgets,
             "for each test: a time such as 60s or 5m, executions such as 10000x, or memory such as 8G "
             "(default: 80 % of the "
             "machine's); may be given for each");
  table.number_to(
      "-j,--jobs", "N",
      [&options](std::int64_t jobs) {
        options.jobs = static_cast<std::uint32_t>(jobs);
        options.are_jobs_given = true;
      },
      "how many processes search at a time (default: as many as there are cores for this program; 1 by "
      "states, and for one test of C or C++): each a test of its own as long as there are enough, then "
      "several one test",
      1, kJobsMax);
  table.value("--shard", "I/N",
              "of N parts of the check, to be run on as many machines, the I-th one: every N-th test of a "
              "suite, or of one test the I-th part of the executions that random or pos draws",
              [&options](const std::string& text) -> Status {
                auto shard = parse_shard(text);
                if (!shard) return shard.error();
                options.shard = *shard;
                return Success{};
              });
  table.number(
      "--early", "N", options.early,
      "with --time idle: how many timeouts of an execution may fire while others can go on (default 0)");
  for (const StrategyOption* const option : strategy_options()) {
    if (option->help.empty()) continue;
    if (option->put_text != nullptr) {
      table.value(
          std::string(option->name), "NAME", std::string(option->help),
          [&options, option](const std::string& text) { return option->put_text(options.parameters, text); });
      table.words({option->words.begin(), option->words.end()});
      continue;
    }
    const auto take = [&options, option](std::int64_t value) {
      option->set(options.parameters, static_cast<std::uint64_t>(value));
    };
    if (option->is_flag) {
      table.flag(std::string(option->name), std::string(option->help), [take] { take(1); });
      continue;
    }
    table.number_to(std::string(option->name), "N", take, std::string(option->help), option->least,
                    option->most);
  }
  table.number("--events", "N", options.events_max,
               "an execution with more events is cut off, and the search not complete (default: as many as "
               "fit into the memory, "
               "a million at most)",
               1);
  table.choice("--long", "WHAT", options.long_executions,
               {{"cut", LongExecutions::kCutOff}, {"bug", LongExecutions::kBug}},
               "what an execution of more than --events is: cut off (the default), or a bug");
  table.text("--trace", "FILE", options.trace,
             "every execution contains this trace ('ravel trace' writes one), which may be partial");
  table.text(
      "--resume", "FILE", options.resume,
      "goes on with a search that was interrupted; with it only --budget, -k, --jobs, --out, -q, --color, "
      "--story, --whole and files for results");
}

void add_result_rows(OptionTable& table, CheckOptions& options) {
  table.text("--out", "DIR", options.out,
             std::string("folder of the tickets (default ") + kDefaultTicketFolder + ")");
  table.text("--json", "FILE", options.json_file, "writes the results for machines");
  table.text("--junit", "FILE", options.junit_file, "writes the results as JUnit XML");
  table.text("--sarif", "FILE", options.sarif_file,
             "writes the bugs as SARIF, for code scanning and editors");
  table.text("--html", "DIR", options.html_folder, "writes pages for a browser: the tests, and each bug");
  table.text("--graph", "FILE", options.graph_file, "draws the executions as a tree, for Graphviz (DOT)");
}

}  // namespace ravel
