// The command line: the table of all commands and options, and what each sets.

#pragma once

namespace ravel {

// Parses the arguments, runs the command they name and returns its exit status.
int run_command_line(int argc, const char* const* argv);

}  // namespace ravel
