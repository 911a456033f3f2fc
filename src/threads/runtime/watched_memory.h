// Which memory instrumented accesses are looked at for.

#pragma once

#include <cstdint>

namespace ravel::threads {

// An access that does not begin in it is of no interest, nor one that does if the word is not tracked and
// only those are: all of memory, or from where the widest access begins that reaches the first word that was
// named, to the end of the last one. Code that was compiled with the plugin (compiler/insert_checks.cc) reads
// the first two members when a function begins: they change only between executions.
struct WatchedMemory {
  std::uint64_t low = 0, size = ~std::uint64_t{0};
  bool is_only_tracked = false;
};
extern "C" [[gnu::visibility("protected")]] WatchedMemory ravel_watched_memory;

// Bytes of what the compiler takes for one access; others are ranges.
inline constexpr std::uint64_t kAccessMax = 16;

}  // namespace ravel::threads
