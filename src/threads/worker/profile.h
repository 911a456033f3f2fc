// Some executions in which accesses are counted.

#pragma once

#include "threads/protocol/messages.h"
#include "threads/runtime/threads_system.h"

namespace ravel::threads {

// The first execution preempts nobody, the others are random. REQUIRES: the configuration counts accesses.
Profile profile(ThreadsSystem& system, const ProfileOrder& order);

}  // namespace ravel::threads
