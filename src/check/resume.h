// Going on with an interrupted search: what was asked for then, and what holds for this run.

#pragma once

#include "base/result.h"
#include "check/check_options.h"
#include "check/front_end.h"
#include "check/saved_search.h"

namespace ravel {

struct ResumedSearch {
  CheckOptions options;
  SavedSearch before;
};

// REQUIRES: given.resume names a file.
Result<ResumedSearch> resume_search(const FrontEnds& front_ends, const CheckOptions& given);

// Writes the file from which `saved` goes on, into the folder of the tickets. Returns the file, which is the
// same for the same command.
Result<std::string> save_search(SavedSearch saved, const CheckOptions& options, const std::string& folder);

}  // namespace ravel
