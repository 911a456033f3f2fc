// Runs another program to its end, without a shell, and collects what it prints.

#pragma once

#include <span>
#include <string>

#include "base/result.h"

namespace ravel::erlang {

struct ProgramRun {
  int exit_status = 0;  // 128 + signal if a signal ended it
  std::string output;   // standard output and standard error, as they came
};

// `command` is the program (found in PATH unless it has a slash) and its arguments; its input is empty. An
// error means that it could not be started.
// REQUIRES: command is not empty.
Result<ProgramRun> run_program(std::span<const std::string> command);

}  // namespace ravel::erlang
