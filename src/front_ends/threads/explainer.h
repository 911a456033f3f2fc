// Why a bug of a program of C or C++ happens: the race that makes the difference (races/explain.h).

#pragma once

#include <optional>

#include "engine/race.h"
#include "engine/recording.h"
#include "threads/remote/remote_system.h"

namespace ravel::threads {

// Runs the program again: for an ordinary bug that takes some milliseconds, for a long execution, or one that
// needs a process of its own, some seconds at most. Nothing if the execution has no end or more than 20,000
// events.
std::optional<Explanation> explain_threads_bug(RemoteSystem& system, const Recording& recording,
                                               std::uint64_t events_max);

}  // namespace ravel::threads
