// Atoms: the table that gives every text one index, and the terms of those that the machine names.
//
// The table only grows, also over rewinds, and a program may ask which atoms exist. So it tells two kinds
// apart: static atoms, those of loaded code and of the machine itself, exist in every execution; an atom that
// the program makes while it runs exists in the executions that made it. The latter are a set that belongs to
// the machine's state.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "erlang/term/term.h"

namespace ravel::erlang {

namespace atoms {

enum class Predefined : std::uint32_t {
#define ATOM(constant, text) constant,
#include "erlang/term/atoms.def"
#undef ATOM
};

#define ATOM(constant, text) \
  inline constexpr Term constant = Term::atom(static_cast<AtomId>(Predefined::constant));
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

  // The atom with this UTF-8 text, which is static from now on.
  Term intern(std::string_view text);
  // The atom with this text, for a running program: a new atom becomes a run-time atom.
  Term make(std::string_view text);
  // The atom, only if it exists in this execution (binary_to_existing_atom/2 and its like).
  std::optional<Term> find(std::string_view text) const;

  // The run-time atoms of this execution, in the order of their indices. (Some may have become static since.)
  std::span<const Term> run_time_atoms() const { return run_time_; }
  // Atoms that exist now exist in every execution.
  void keep_run_time_atoms();
  void set_run_time_atoms(std::span<const Term> atoms) { run_time_.assign(atoms.begin(), atoms.end()); }

  // UTF-8. REQUIRES: `atom.is_atom()` and made by this table.
  std::string_view text(Term atom) const { return entries_[static_cast<std::uint32_t>(atom.atom_id())].text; }
  // The order of atoms is the order of their texts, by code point; UTF-8 bytes order the same way.
  int compare(Term a, Term b) const;
  // A hash of the text, the same in every run.
  std::uint64_t hash(Term atom) const { return entries_[static_cast<std::uint32_t>(atom.atom_id())].hash; }

  std::size_t size() const { return entries_.size(); }

  // Which atoms there are now, to go back to later.
  struct Mark {
    std::size_t size = 0;
    std::vector<std::uint32_t> not_static = {};
  };
  Mark mark() const;
  // Forgets the atoms made since; the run-time atoms are the caller's business. REQUIRES: no term has them
  // any more.
  void return_to(const Mark& mark);

 private:
  struct Entry {
    std::string_view text;
    std::uint64_t order;  // first eight bytes, big-endian: decides most comparisons
    std::uint64_t hash;
    bool is_static = false;
  };
  std::uint32_t index_of(std::string_view text);  // made if it is new

  std::deque<std::string> texts_;  // addresses stay
  std::deque<Entry> entries_;
  std::unordered_map<std::string_view, std::uint32_t> index_;
  std::vector<Term> run_time_;
};

}  // namespace ravel::erlang
