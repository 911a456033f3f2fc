// The command line: the table of all commands and options, and what each sets.

#pragma once

#include "check/front_end.h"

namespace ravel {

// Parses the arguments, runs the command they name and returns its exit status.
int run_command_line(const FrontEnds& front_ends, int argc, const char* const* argv);

}  // namespace ravel
