// The command line: the table of all commands and options, and what each sets.

#pragma once

#include <span>
#include <string>

#include "base/result.h"
#include "cli/options.h"

namespace ravel {

// Parses the arguments, runs the command they name and returns its exit status.
int run_command_line(int argc, const char* const* argv);

// Sets what these arguments of `ravel check` say, and leaves the rest of the options as it is.
Status parse_check_arguments(std::span<const std::string> arguments, CheckOptions& options);

}  // namespace ravel
