// This program run once more, as a child: a search may take all memory, and prints.
#pragma once

#include <span>
#include <string>

#include "base/result.h"

namespace ravel::mcp {

struct CommandResult {
  int status = 0;      // of its exit; below 0: the signal that ended it
  std::string errors;  // standard error
};

// Waits for its end. Standard output is dropped.
Result<CommandResult> run_own_command(std::span<const std::string> arguments);

}  // namespace ravel::mcp
