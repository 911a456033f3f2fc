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

namespace ravel {

struct ReplayOptions {
  std::string ticket;              // or a trace
  std::string trace;               // instead of a ticket: then `ticket` is the first of the files, or empty
  std::vector<std::string> files;  // instead of those that the ticket names; none: those
  bool debugs = false;             // --gdb
  ReportOptions report;
};

struct RacesOptions {
  SubjectOptions subject;
  std::optional<std::uint32_t> variant;  // to run; none: all are listed
};

// Searches the schedules of each chosen test for bugs (check_command.cc).
Result<int> check_command(const FrontEnds& front_ends, const CheckOptions& options);

// Runs a ticket again and says whether its bug is still there (replay_command.cc).
Result<int> replay_command(const FrontEnds& front_ends, const ReplayOptions& options);

// Shows and saves the trace of one execution (trace_command.cc).
Result<int> trace_command(const FrontEnds& front_ends, const SubjectOptions& options);

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
