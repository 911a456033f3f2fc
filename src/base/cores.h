// What this process may have of the machine's processors.

#pragma once

#include <cstdint>

namespace ravel {

// How many processors it may use at a time: those that it may run on (sched_getaffinity), or fewer if its
// control group, or one above, has a smaller share of their time (cgroup v2). 1 at least.
std::uint32_t cores_to_use();

// How many processors' time a control group has whose file cpu.max says this ("200000 100000": two), rounded
// up. 0: it sets no limit, or is no such text.
std::uint32_t cores_of_quota(const char* cpu_max);

// Seconds of a processor that this process has used, whatever else the machine does meanwhile.
double processor_seconds();

}  // namespace ravel
