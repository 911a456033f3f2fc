// How gdb is started so that it stops where a replayed execution fails.
//
// The program is driven through the same socket as without gdb; the runtime calls ravel_failing_point() on
// the stack of the thread that fails, where there is a breakpoint. gdb sees one running thread, whose stack
// and thread-local block are those of the program's thread that has the turn.

#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace ravel::threads {

// The command in front of the program and its arguments; an error if gdb is not installed. `input`: the file
// that the program reads as its standard input, since the command's own is for gdb.
Result<std::vector<std::string>> debugger_command(const std::string& input);

}  // namespace ravel::threads
