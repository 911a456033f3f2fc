// Where in a saved state (machine/freezer.cc, tables.cc) things lie in the order of the names of processes,
// or in one that depends on them: who gives other names to processes has to know.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "erlang/machine/table.h"
#include "erlang/term/header.h"
#include "erlang/term/term.h"

namespace ravel::erlang {

// Flat sequences of things with so many words each.
struct NamedSequence {
  Word element;       // of the tuple in which the sequence is
  std::size_t words;  // of each thing
};

// Of the first part of an image.
inline constexpr Word kAttributesOfImage = 7;
// Links, watchers, former links, priority links.
inline constexpr auto kSequencesOfAttributes =
    std::to_array<NamedSequence>({{12, 1}, {14, 5}, {16, 2}, {17, 1}});

// Of what no process owns.
inline constexpr Word kTimers = 2, kChannels = 9;
inline constexpr std::size_t kWordsOfTimer = 7;

// Of a table's image.
inline constexpr Word kTableFlags = 6, kTableKeyPosition = 7, kTableRows = 10, kTableDeletedKeys = 11,
                      kTableFixations = 12;
inline bool is_ordered_table(Term image) {
  return static_cast<TableType>(element(image, kTableFlags).small_value() & 3) == TableType::kOrderedSet;
}

// Calls visit(words) for each channel: its reference, sender and receiver, how many signals, and three words
// for each of these. REQUIRES: there are some.
template <class Visit>
void for_each_channel(Term channels, Visit visit) {
  const Term* word = channels.object() + 1;
  const Term* const end = word + tuple_size(channels);
  while (word < end) {
    const auto words = static_cast<std::size_t>(4 + 3 * (word[3].small_value() >> 1));
    visit(std::span(word, words));
    word += words;
  }
}

}  // namespace ravel::erlang
