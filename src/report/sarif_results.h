// The results of a check in SARIF 2.1.0 (Static Analysis Results Interchange Format, OASIS 2020), which code
// scanning and editors read.
//
// A rule for each kind of bug, a result for each bug, at its place. Its schedule is a code flow with a thread
// flow for each actor, whose locations say in which order they were executed. What no schedule controls is a
// notification of the invocation, and so is a search that was not complete.

#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/ticket.h"
#include "report/check_report.h"

namespace ravel {

// By bug of one test: its steps with their places, or none if they are not known.
using BugSchedules = std::vector<std::vector<NotedStep>>;

// `schedules`: by test. `folder`: names of files in it are told from there, as SARIF's %SRCROOT%; absolute.
std::string sarif_results(const CheckReport& report, std::span<const BugSchedules> schedules,
                          std::string_view folder);
// Bad input, which no test is to blame for.
std::string sarif_error(std::string_view message);

}  // namespace ravel
