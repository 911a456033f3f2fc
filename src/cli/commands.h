// The commands. Each does its work, prints its results and returns the exit status (report/verdict.h), or
// says what is wrong with the input.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "check/check_options.h"
#include "check/front_end.h"
#include "check/subject_story.h"

namespace ravel {

struct ReplayOptions {
  std::string ticket;              // or a trace
  std::string trace;               // instead of a ticket: then `ticket` is the first of the files, or empty
  std::vector<std::string> files;  // instead of those that the ticket names; none: those
  bool debugs = false;             // --gdb
  StoryWish story = {};
  ReportOptions report;
};

struct RacesOptions {
  SubjectOptions subject;
  std::optional<std::uint32_t> variant;  // to run; none: all are listed
};

struct ShowOptions {
  // An option that names a file, and what it names; empty: nothing is written.
  struct File {
    const char* option;
    std::string path;
  };

  SubjectOptions subject;
  StoryWish story = {};
  std::string json_file, html_file, mermaid_file, shiviz_file;

  std::vector<File> files() const {
    return {
        {"--json", json_file}, {"--html", html_file}, {"--mermaid", mermaid_file}, {"--shiviz", shiviz_file}};
  }
};

struct UiOptions {
  SubjectOptions subject;
  std::uint32_t port = 0;  // 0: any that is free
};

// Searches the schedules of each chosen test for bugs (check_command.cc).
Result<int> check_command(const FrontEnds& front_ends, const CheckOptions& options);

// Runs a ticket again and says whether its bug is still there (replay_command.cc).
Result<int> replay_command(const FrontEnds& front_ends, const ReplayOptions& options);

// Shows and saves the trace of one execution (trace_command.cc).
Result<int> trace_command(const FrontEnds& front_ends, const SubjectOptions& options);

// Tells the story of one execution, or writes it for other programs (show_command.cc).
Result<int> show_command(const FrontEnds& front_ends, const ShowOptions& options);

// Shows an execution in a browser, where others can be tried (ui_command.cc).
Result<int> ui_command(const FrontEnds& front_ends, const UiOptions& options);

// Lists the races of one execution, or runs one of its variants (races_command.cc).
Result<int> races_command(const FrontEnds& front_ends, const RacesOptions& options);

// Lists the tests, one a line, or all into a file for machines (tests_command.cc). `json_file`: empty: none.
Result<int> tests_command(const FrontEnds& front_ends, const CommandOptions& options,
                          const std::string& json_file);

// Serves one session of an editor that debugs a ticket, until the editor ends it (dap_command.cc).
Result<int> dap_command(const FrontEnds& front_ends);

// Serves an assistant that writes programs, until its input ends (mcp_command.cc).
Result<int> mcp_command(const FrontEnds& front_ends);

}  // namespace ravel
