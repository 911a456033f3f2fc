// A whole search inside the program's process: see threads/search/adaptive_search.h.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "threads/protocol/messages.h"
#include "threads/protocol/search_parts.h"
#include "threads/runtime/threads_system.h"
#include "threads/search/adaptive_search.h"

namespace ravel::threads {

// The memory to which this actor comes next by an access that is not atomic.
std::optional<Extent> pending_access(ActorId actor);

// Progress goes to the socket while it works; an interrupt is any byte that waits there.
SearchEnd search(ThreadsSystem& system, const SearchOrder& order, const SearchJobs& jobs, int socket);
// The same for one part of a search that another process has (threads/search/run_one_part.h).
PartRan run_part(ThreadsSystem& system, const SearchOrder& order, const std::string& part, int socket);
// Learns what parts have shown in other processes. All that is known then, in the form of such news.
std::string learn(const std::vector<std::string>& news);

}  // namespace ravel::threads
