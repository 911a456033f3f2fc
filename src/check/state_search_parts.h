// Searches by states, as options ask for them: how visited states are kept, and whether several processes
// share the search.
#pragma once

#include <string>

#include "check/check_options.h"
#include "check/front_end.h"
#include "check/search_settings.h"
#include "states/visited_hashes.h"

namespace ravel {

StateStorage storage_of(const StrategyParameters& asked);

// Whether several processes (--jobs) share this search by states. A remark says why not, if that was asked
// for. `own`: what there is that only one process can do, as far as the front end knows; empty: nothing.
bool shares_states(const CheckOptions& options, const SearchSettings& settings, const SearchTask& task,
                   const std::string& own);

// Whether a search has to go on from where several processes were. One process goes on alone as well.
bool was_shared(const SavedTest* before);

}  // namespace ravel
