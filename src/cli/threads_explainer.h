// Why a bug of a program of C or C++ happens: the race that makes the difference (races/explain.h).

#pragma once

#include <optional>

#include "engine/race.h"
#include "engine/recording.h"
#include "threads/remote/remote_system.h"

namespace ravel {

// Runs the program again, some hundred milliseconds at most for an ordinary bug. Nothing if the execution has no end, is too long
// for that, or if each execution needs a process of its own.
std::optional<Explanation> explain_threads_bug(threads::RemoteSystem& system, const Recording& recording, std::uint64_t events_max);

}  // namespace ravel
