// ravel run: one schedule of one test, as the installed `erl` would run it. Time follows the deadlines,
// whatever the options say of it.
#pragma once

#include "base/result.h"
#include "check/check_options.h"

namespace ravel::erlang {

// Prints the test's output as it comes, and nothing else if it ends well. Returns the exit status.
Result<int> run_once(const CommandOptions& options);

}  // namespace ravel::erlang
