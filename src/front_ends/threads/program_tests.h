// The tests of a program of C or C++, by the names that -t and reports give them.

#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "front_ends/threads/own_options.h"
#include "threads/remote/program_tests.h"
#include "threads/remote/remote_system.h"

namespace ravel::threads {

// Whether the files of a command line are an executable and its arguments.
bool is_program(std::span<const std::string> files);

// How the program is called. An error if the arguments are not those of one program.
Result<ProgramCall> program_call(const ProgramArguments& arguments);

// What -t names the program itself, if it is run from its main().
inline constexpr const char kMainTest[] = "main";
// The name that -t takes.
std::string option_name(const ProgramTest& test);
// The name in reports: the program itself is called by its file.
std::string report_name(const ProgramCall& call);
// The name after which files are named.
std::string file_name(const ProgramCall& call);

// Makes the variables that --track names the only ones whose accesses are looked at. Nothing changes if there
// are none.
Status track_named(const OwnOptions& options, const ProgramCall& call, Configuration& configuration);

// Tests that -t names, each once; without -t all but the disabled ones.
Result<std::vector<ListedTest>> chosen_tests(const ProgramCall& call, const std::vector<std::string>& wanted);

}  // namespace ravel::threads
