// The commands. Each does its work, prints its results and returns the exit status (report/verdict.h).

#pragma once

#include "cli/options.h"

namespace ravel {

// Searches the schedules of each chosen test for bugs (check_command.cc).
int check_command(const CheckOptions& options);

// Runs a ticket again and says whether its bug is still there (replay_command.cc).
int replay_command(const ReplayOptions& options);

// Shows and saves the trace of one execution (trace_command.cc).
int trace_command(const SubjectOptions& options);

// Lists the races of one execution, or runs one of its variants (races_command.cc).
int races_command(const RacesOptions& options);

// Lists the tests, one MODULE:FUNCTION a line, or all into a file for machines (tests_command.cc). `json_file`: empty: none.
int tests_command(const ProgramArguments& arguments, const ModelOptions& model, const ReportOptions& report, const std::string& json_file);

// Counts the accesses to each variable of a test of C or C++ (profile_command.cc).
int profile_command(const ProfileOptions& options);

// Runs one schedule of one test, as the installed `erl` would run it (run_command.cc). Time follows the deadlines,
// whatever the model says of it.
int run_command(const ProgramArguments& arguments, const ModelOptions& model, const ReportOptions& report);

}  // namespace ravel
