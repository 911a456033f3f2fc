// Calls of the C library that read or change what all threads share there: its own state, streams, open
// files, what is in files.
//
// The idea: such state is a word of memory for the race detector and for footprints, at an address where
// nothing lies (protocol/library_state.h); a stream is the word at its address. As with memory, a call is an
// operation only if the word is known to be used by threads that nothing else orders. So a program whose
// threads share nothing there has no more operations than before, and one that guards it by a lock neither.
// What goes to the standard output and error that the program was started with is no use of anything: nobody
// in the program can see in which order it was written.

#pragma once

#include <array>
#include <cstdint>

#include "base/check.h"
#include "threads/protocol/library_state.h"

namespace ravel::threads {

struct LibraryUse {
  std::uint64_t word = 0;
  bool changes = true;

  friend bool operator==(const LibraryUse&, const LibraryUse&) = default;
};

constexpr LibraryUse looks_at(LibraryState state) { return {.word = library_word(state), .changes = false}; }
constexpr LibraryUse changes(LibraryState state) { return {.word = library_word(state), .changes = true}; }

// What one call uses.
struct LibraryUses {
  std::array<LibraryUse, 12> list{};
  std::size_t count = 0;

  void add(LibraryUse use) {
    if (use.word == 0) return;
    CHECK(count < list.size());
    list[count++] = use;
  }

  friend bool operator==(const LibraryUses&, const LibraryUses&) = default;
};

// Notes the use before the call. Outside of the program's threads it does nothing.
void use_library(LibraryUse use, std::uint64_t pc);
void use_library(const LibraryUses& uses, std::uint64_t pc);

}  // namespace ravel::threads
