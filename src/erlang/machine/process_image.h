// What a process is saved as: its image, of which equal ones are equal words.
//
// An image is a stored tuple of three parts (freezer.cc), or, where a table of states numbers them, a number.
#pragma once

#include <cstddef>
#include <cstdint>

#include "erlang/term/term.h"

namespace ravel::erlang {

// Stored terms. What changes most comes last.
struct ImageParts {
  Term others, stack, mailbox;
};

// Keeps parts of images, for as long as it lives, instead of the store.
class ImageTable {
 public:
  virtual ~ImageTable() = default;

  // The image with these parts: a small integer.
  virtual Term image_of(const ImageParts& parts) = 0;
  virtual ImageParts parts_of(Term image) const = 0;
};

// In front of the pids and images of processes in a saved state (Freezer::save).
inline constexpr std::size_t kWordsBeforeImages = 2;

// A hash of everything except how many children and references the process has made.
std::uint64_t hash_but_for_counts(const ImageParts& parts);

}  // namespace ravel::erlang
