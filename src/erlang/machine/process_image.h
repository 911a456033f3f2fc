// What can be told from the image of a process (freezer.cc) without thawing it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "erlang/term/term.h"

namespace ravel::erlang {

// In front of the pids and images of processes in a saved state (Freezer::save).
inline constexpr std::size_t kWordsBeforeImages = 2;
// Of an image: what changes most comes last.
inline constexpr std::size_t kImageElements = 3;

// A hash of everything except how many children and references the process has made.
std::uint64_t hash_but_for_counts(Term image);

}  // namespace ravel::erlang
