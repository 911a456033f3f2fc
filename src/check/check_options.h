// What command lines ask for, apart from what only one front end knows: common to all programs.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "check/shard.h"
#include "engine/search_request.h"
#include "options/option_table.h"
#include "report/text.h"
#include "story/told_story.h"

namespace ravel {

// --budget 60s, 5m, 2h, 10000x, 8G: how long a search may take, how many executions, or bytes of memory.
struct Budget {
  std::optional<double> seconds;
  std::optional<std::uint64_t> executions;
  std::optional<std::uint64_t> memory;
};

enum class Quiet : std::uint8_t { kNo, kYes };

// How much of the search is told, and in which colours.
struct ReportOptions {
  ColourWish colour = ColourWish::kAuto;
  Quiet quiet = Quiet::kNo;
};

// Which program, and which of its tests.
struct ProgramArguments {
  std::vector<std::string> files;              // none: the project of this folder
  std::vector<std::string> program_arguments;  // after --
  std::vector<std::string> tests;              // as -t names them; none: all
};

// When timeouts and timers fire, and timed waits give up.
enum class TimeOption : std::uint8_t { kIdle, kAny, kDeadlines };

// The values of a front end's own options.
class FrontEndOptions {
 public:
  virtual ~FrontEndOptions() = default;
};

// What several commands have in common: the program, and how it is run.
struct CommandOptions {
  ProgramArguments program;
  TimeOption time = TimeOption::kIdle;
  std::vector<std::string> ignored;  // --ignore: kinds of bugs that are none
  ReportOptions report;
  std::map<std::string, std::shared_ptr<FrontEndOptions>, std::less<>> own;  // by the front end's name
  std::vector<GivenOption> given;

  bool is_given(std::string_view name) const;
};

struct CheckOptions : CommandOptions {
  std::string strategy;           // empty: what fits the other options
  StrategyParameters parameters;  // apart from `executions` and `early`
  std::optional<std::uint32_t> early;
  std::vector<std::string> budgets;
  std::optional<std::uint64_t> events_max = {};  // none: as many as fit into the memory
  LongExecutions long_executions = LongExecutions::kCutOff;
  bool keep_going = false;
  StoryWish story = {};             // how bugs are told
  std::uint32_t jobs = 1;           // how many processes search
  bool are_jobs_given = false;      // the user has said so
  std::optional<Shard> shard = {};  // the part of the check that is run; none: all of it
  std::string trace;                // with which every execution begins: a file; empty: none
  std::string out;          // folder of the tickets; empty: kDefaultTicketFolder, made when there is a ticket
  std::string json_file;    // empty: none
  std::string junit_file;   // empty: none
  std::string sarif_file;   // empty: none
  std::string graph_file;   // empty: none
  std::string html_folder;  // empty: none
  std::string resume;       // the file of an interrupted search; empty: none
  std::vector<std::string> arguments;  // what all this was made of
};

// Of the commands about one execution: that of a ticket or a trace, or a test's first.
struct SubjectOptions : CommandOptions {
  std::uint64_t events_max = 1'000'000;
  std::string out;  // the file of the trace; empty: none
};

// How many processes may search at a time.
inline constexpr std::uint32_t kJobsMax = 1024;

inline constexpr const char kDefaultTicketFolder[] = "ravel-tickets";

// Each part may be given once; the error says what a budget looks like.
Result<Budget> parse_budgets(const std::vector<std::string>& texts);

// The rows of what these structs hold, but for those of front ends (front_end.h).
void add_program_rows(OptionTable& table, ProgramArguments& program, std::string_view program_help);
void add_test_row(OptionTable& table, ProgramArguments& program);
void add_time_row(OptionTable& table, TimeOption& time);
void add_report_rows(OptionTable& table, ReportOptions& report, std::string_view quiet_help);
void add_story_rows(OptionTable& table, StoryWish& story);
void add_search_rows(OptionTable& table, CheckOptions& options);
void add_result_rows(OptionTable& table, CheckOptions& options);

}  // namespace ravel
