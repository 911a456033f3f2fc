// What a search of a program of C or C++ has seen besides bugs, as sentences: data races with the stacks of
// both accesses, threads that were left behind.

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/recording.h"
#include "threads/protocol/messages.h"
#include "threads/remote/remote_system.h"

namespace ravel::threads {

// A schedule that was found in another process. A program that does something else this time is no reason to
// fail.
Recording record_carefully(RemoteSystem& system, std::span<const NamedStep> schedule,
                           std::uint64_t events_max);

// Describes each finding, which is looked at again in an execution that showed it. `configuration` is that of
// the search.
std::vector<std::string> describe_findings(const ProgramCall& call, const Configuration& configuration,
                                           RemoteSystem& found_in, const Findings& findings,
                                           std::uint64_t events_max);

}  // namespace ravel::threads
