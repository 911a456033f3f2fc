// Atoms: the table that gives every text one index, and the terms of those that the machine names.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "erlang/term/term.h"

namespace ravel::erlang {

namespace atoms {

enum class Predefined : std::uint32_t {
#define ATOM(constant, text) constant,
#include "erlang/term/atoms.def"
#undef ATOM
};

#define ATOM(constant, text) inline constexpr Term constant = Term::atom(static_cast<AtomId>(Predefined::constant));
#include "erlang/term/atoms.def"
#undef ATOM

constexpr Term boolean(bool value) { return value ? kTrue : kFalse; }

}  // namespace atoms

inline constexpr std::size_t kAtomCharactersMax = 255;

class AtomTable {
 public:
  AtomTable();
  AtomTable(const AtomTable&) = delete;
  AtomTable& operator=(const AtomTable&) = delete;

  // The atom with this UTF-8 text, made if it is new.
  Term intern(std::string_view text);
  // The same, only if it exists (binary_to_existing_atom/2 and its like).
  std::optional<Term> find(std::string_view text) const;

  // UTF-8. REQUIRES: `atom.is_atom()` and made by this table.
  std::string_view text(Term atom) const { return entries_[static_cast<std::uint32_t>(atom.atom_id())].text; }
  // The order of atoms is the order of their texts, by code point; UTF-8 bytes order the same way.
  int compare(Term a, Term b) const;
  // A hash of the text, the same in every run.
  std::uint64_t hash(Term atom) const { return entries_[static_cast<std::uint32_t>(atom.atom_id())].hash; }

  std::size_t size() const { return entries_.size(); }

 private:
  struct Entry {
    std::string_view text;
    std::uint64_t order;  // first eight bytes, big-endian: decides most comparisons
    std::uint64_t hash;
  };
  std::deque<std::string> texts_;  // addresses stay
  std::deque<Entry> entries_;
  std::unordered_map<std::string_view, std::uint32_t> index_;
};

}  // namespace ravel::erlang
