// How much memory this program holds, and how much it should hold at most.

#pragma once

#include <cstdint>

namespace ravel {

// Bytes of memory that this process holds (its resident set); what the allocator keeps but does not use is
// given back first if that makes the process larger than `limit`. 0 if the system does not tell.
std::uint64_t resident_bytes(std::uint64_t limit);

// Four fifths of what this process may hold: of the machine's memory, or of what its control group allows
// (cgroup v2). Of a limit on address space (ulimit -v) one part in `parts_of_limit`: who reserves large areas
// can fill little of it.
std::uint64_t memory_to_use(std::uint64_t parts_of_limit);

}  // namespace ravel
