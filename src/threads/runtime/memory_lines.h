// Looks through memory in lines of the cache: between two executions most of the time goes into finding the
// few that have changed. With 32 bytes at a time where the processor can do that.

#pragma once

#include <cstddef>
#include <cstdint>

namespace ravel::threads {

constexpr std::uint64_t kLineSize = 64;

// Copies back the lines that differ; most pages that a program changes it changes in few places. Whether any
// did. `count` is in words.
bool put_back(std::uint64_t* to, const std::uint64_t* from, std::size_t count);

// The first line in [low, high) that is not all zeros, or `high`. Both are multiples of kLineSize.
std::uint64_t lowest_used(std::uint64_t low, std::uint64_t high);

}  // namespace ravel::threads
