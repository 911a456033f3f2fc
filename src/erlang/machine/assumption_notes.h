// Where the program has met what this machine takes for granted: one seed, one environment, ends that are one
// step.
//
// Notes outlive rewinding, because they are about all executions. Each place is noted once.

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "erlang/machine/code.h"

namespace ravel::erlang {

enum class Assumed : std::uint8_t { kOneSeed, kOneEnvironment, kAtomicEnds, kInstantDelivery, kTimeoutsWait };

class AssumptionNotes {
 public:
  struct Note {
    Assumed what;
    std::vector<const CodeWord*> places;  // where the process was, innermost first
  };

  // `places`: StackTraces::places_of().
  void add(Assumed what, std::vector<const CodeWord*> places) {
    std::uint64_t key = static_cast<std::uint64_t>(what);
    for (const CodeWord* const place : places) key = combine(key, reinterpret_cast<std::uintptr_t>(place));
    if (is_full() || std::ranges::find(keys_, key) != keys_.end()) return;
    keys_.push_back(key);
    notes_.push_back({.what = what, .places = std::move(places)});
  }
  bool is_full() const { return keys_.size() >= kNotesMax; }
  std::span<const Note> all() const { return notes_; }
  void clear() {
    notes_.clear();
    keys_.clear();
  }

 private:
  static constexpr std::size_t kNotesMax = 256;  // the reader of a sentence does not need more places

  std::vector<Note> notes_;
  std::vector<std::uint64_t> keys_;  // by note
};

}  // namespace ravel::erlang
