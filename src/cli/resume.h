// Going on with an interrupted search: what was asked for then, and what holds for this run.

#pragma once

#include "base/result.h"
#include "cli/options.h"
#include "cli/search_file.h"

namespace ravel {

struct ResumedSearch {
  CheckOptions options;
  SavedSearch before;
};

// REQUIRES: given.resume names a file.
Result<ResumedSearch> resume_search(const CheckOptions& given);

// Writes the file from which `saved` goes on, into the folder of the tickets, and says how on standard output.
Status save_search(SavedSearch saved, const CheckOptions& options, const std::string& folder);

}  // namespace ravel
