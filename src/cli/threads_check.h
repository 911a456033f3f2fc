// ravel check and ravel replay for programs of C and C++.

#pragma once

#include "base/result.h"
#include "cli/options.h"
#include "cli/search_file.h"
#include "engine/ticket.h"

namespace ravel {

// The exit status, or what is wrong with the input. `before` is what an interrupted search has left, or null.
Result<int> check_threads(const CheckOptions& options, const SavedSearch* before);

// REQUIRES: the ticket is of this front end.
Result<int> replay_threads(const Ticket& ticket, const ReplayOptions& options);

}  // namespace ravel
