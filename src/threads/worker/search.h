// A whole search inside the program's process.

#pragma once

#include "threads/protocol/messages.h"
#include "threads/runtime/threads_system.h"

namespace ravel::threads {

// Progress and bugs go to the socket while it works; an interrupt is any byte that waits there.
//
// Which memory accesses are operations is found by the search: those to memory for which a race was seen. When a race is
// seen for other memory, a complete search starts again with that among the operations, and a sampling one goes on with
// it. In the pass that counts, every execution is free of races but for those, so nothing is missed by not
// interleaving the other accesses (Musuvathi & Qadeer 2007, theorem 3.1).
Searched search(ThreadsSystem& system, const SearchOrder& order, int socket);

}  // namespace ravel::threads
