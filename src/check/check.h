// The search of the chosen tests of a program, and what is told of it: the same for all front ends.
#pragma once

#include "base/result.h"
#include "check/check_options.h"
#include "check/front_end.h"

namespace ravel {

// The folder of the tickets.
std::string ticket_folder(const CheckOptions& options);

// Searches each test, prints what was found and writes the files that were asked for. Returns the exit
// status, or what is wrong with the input.
Result<int> check(const FrontEnds& front_ends, const CheckOptions& options);

}  // namespace ravel
