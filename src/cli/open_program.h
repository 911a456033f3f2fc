// Opening the program that a command line names, with the remarks that belong to it.

#pragma once

#include <memory>

#include "cli/options.h"
#include "erlang/system/program.h"

namespace ravel {

// Reads the project if no file was given, compiles what has to be, and shows what the project and the compiler had to say.
Result<std::unique_ptr<erlang::Program>> open_program(const ProgramArguments& arguments, const ReportOptions& report);

}  // namespace ravel
