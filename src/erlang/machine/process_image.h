// What a process is saved as: its image, of which equal ones are equal words.
//
// An image is a stored tuple of three parts (freezer.cc), or, where a table of states numbers them, a number.
#pragma once

#include <cstddef>
#include <cstdint>

#include "erlang/machine/process.h"
#include "erlang/term/term.h"

namespace ravel::erlang {

class Store;

// Stored terms. What changes most comes last.
struct ImageParts {
  Term others, stack, mailbox;
};

// How the process of an image rests.
struct RestOfImage {
  Rest rest = Rest::kReady;
  std::size_t receive_at = 0;
  std::uint32_t choices = 1;  // ways to go on, unless it waits
  // Neither time nor an end has a part in it, nor hibernation.
  bool is_plain = false;
};
// In a receive whose time is not running.
constexpr bool is_in_untimed_receive(Rest rest) { return rest == Rest::kWaiting || rest == Rest::kMatched; }

// For these, `others` is the first part of an image.
RestOfImage rest_of_image(Term others);
// The same process while it looks for a message, and has looked at so many. If none is left it may still have
// to see how long it waits. REQUIRES: is_plain, is_in_untimed_receive().
Term looking_image(Term others, std::size_t looked_at, Store& store);
// Whether two differ in nothing but how far a process in a receive has looked, what it has found, and whether
// it has seen how long it waits.
bool is_same_but_for_look(Term one, Term other);
// Whether no time and no channel has a part in what no process owns, stored as in Freezer::save().
bool is_timeless(Term shared);

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
// Where the image of a process stands in a saved state, behind its pid.
constexpr std::size_t word_of_image(std::size_t process) { return kWordsBeforeImages + 2 * process + 1; }
constexpr std::size_t word_of_pid(std::size_t process) { return kWordsBeforeImages + 2 * process; }
inline constexpr std::size_t kPartsOfImage = 3;

// A hash of everything except how many children and references the process has made.
std::uint64_t hash_but_for_counts(const ImageParts& parts);

}  // namespace ravel::erlang
