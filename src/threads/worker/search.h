// A whole search inside the program's process: see threads/search/adaptive_search.h.

#pragma once

#include <optional>

#include "threads/protocol/messages.h"
#include "threads/runtime/threads_system.h"
#include "threads/search/adaptive_search.h"

namespace ravel::threads {

// The memory to which this actor comes next by an access that is not atomic.
std::optional<Extent> pending_access(ActorId actor);

// Progress goes to the socket while it works; an interrupt is any byte that waits there.
SearchEnd search(ThreadsSystem& system, const SearchOrder& order, const SearchJobs& jobs, int socket);

}  // namespace ravel::threads
