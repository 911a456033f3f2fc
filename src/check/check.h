// The search of the chosen tests of a program, and what is told of it: the same for all front ends.
#pragma once

#include "base/result.h"
#include "check/check_options.h"
#include "check/front_end.h"

namespace ravel {

// The folder of the tickets.
std::string ticket_folder(const CheckOptions& options);

class PartWork;

// Searches each test, prints what was found and writes the files that were asked for. Returns the exit
// status, or what is wrong with the input.
Result<int> check(const FrontEnds& front_ends, const CheckOptions& options);
// Does with the search of the one test what `parts` says. Prints and writes nothing as long as the search is
// not over. `before`: null, or what is gone on with.
Result<int> check(const FrontEnds& front_ends, const CheckOptions& options, const SavedSearch* before,
                  PartWork& parts);

}  // namespace ravel
