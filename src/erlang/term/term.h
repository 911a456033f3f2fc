// One Erlang term in one 64-bit word.
//
// The two low bits are the primary tag: a pointer to a cons cell, a pointer to a boxed object, or an
// immediate. The word 0 is no term at all (`Term::none()`); built-ins return it to say that they failed.
//
//   ...pppppppp01   cons     points at two words, head and tail
//   ...pppppppp10   boxed    points at a header word and its payload (see header.h)
//   ...iiiiii0011   pid      index of a process name in `Names`
//   ...iiiiii0111   reference  creator and its number, packed (see names.h)
//   ...iiiiii1111   small integer, 60 bits, signed
//   ...iiii001011   atom     index in the atom table
//   ...iiii011011   catch    a code index; lives only in stack slots
//   ...iiii101011   port
//          111011   the empty list
//   ...xxxxxxxx00   header, or a raw word inside an object: never a term
//
// Invariants:
//  1. An integer that fits 60 bits is always small; a big integer never fits.
//  2. Every pointer leads either into the nursery (heap.h) or into the store (store.h), and an object in
//     the store points only at objects in the store.
//  3. Objects do not change once another actor can see them.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>

namespace ravel::erlang {

using Word = std::uint64_t;

enum class AtomId : std::uint32_t {};

class Term {
 public:
  constexpr Term() = default;
  explicit constexpr Term(Word bits) : bits_(bits) {}

  static constexpr Term none() { return Term(0); }
  static constexpr Term nil() { return Term(0x3B); }
  static constexpr Term small(std::int64_t value) { return Term((static_cast<Word>(value) << 4) | 0xF); }
  static constexpr Term atom(AtomId id) { return Term((static_cast<Word>(id) << 6) | 0x0B); }
  static constexpr Term pid(Word name) { return Term((name << 4) | 0x3); }
  static constexpr Term port(Word name) { return Term((name << 6) | 0x2B); }
  static constexpr Term reference(Word payload) { return Term((payload << 4) | 0x7); }
  static constexpr Term catch_tag(Word code_index) { return Term((code_index << 6) | 0x1B); }
  static Term cons(const Term* cell) { return Term(reinterpret_cast<Word>(cell) | 1); }
  static Term boxed(const Term* object) { return Term(reinterpret_cast<Word>(object) | 2); }

  constexpr Word bits() const { return bits_; }
  constexpr bool is_none() const { return bits_ == 0; }

  constexpr bool is_cons() const { return (bits_ & 3) == 1; }
  constexpr bool is_boxed() const { return (bits_ & 3) == 2; }
  constexpr bool is_immediate() const { return (bits_ & 3) == 3; }
  constexpr bool is_pointer() const { return ((bits_ & 3) - 1) < 2; }
  constexpr bool is_header() const { return (bits_ & 3) == 0; }
  constexpr bool is_nil() const { return bits_ == nil().bits_; }
  constexpr bool is_small() const { return (bits_ & 0xF) == 0xF; }
  constexpr bool is_atom() const { return (bits_ & 0x3F) == 0x0B; }
  constexpr bool is_pid() const { return (bits_ & 0xF) == 0x3; }
  constexpr bool is_reference() const { return (bits_ & 0xF) == 0x7; }
  constexpr bool is_port() const { return (bits_ & 0x3F) == 0x2B; }
  constexpr bool is_catch() const { return (bits_ & 0x3F) == 0x1B; }

  // REQUIRES: the matching is_...().
  constexpr std::int64_t small_value() const { return static_cast<std::int64_t>(bits_) >> 4; }
  constexpr AtomId atom_id() const { return static_cast<AtomId>(bits_ >> 6); }
  constexpr Word pid_name() const { return bits_ >> 4; }
  constexpr Word port_name() const { return bits_ >> 6; }
  constexpr Word reference_payload() const { return bits_ >> 4; }
  constexpr Word catch_index() const { return bits_ >> 6; }
  Term* cell() const { return reinterpret_cast<Term*>(bits_ - 1); }
  Term* object() const { return reinterpret_cast<Term*>(bits_ - 2); }
  Term* pointer() const { return reinterpret_cast<Term*>(bits_ & ~Word{3}); }
  Term head() const { return cell()[0]; }
  Term tail() const { return cell()[1]; }
  Term header() const { return object()[0]; }

  // Identity of the word. Erlang's =:= is `equal_exactly` in compare.h.
  friend constexpr bool operator==(Term, Term) = default;

 private:
  Word bits_;
};

static_assert(sizeof(Term) == 8);

inline constexpr std::int64_t kSmallMax = (std::int64_t{1} << 59) - 1;
inline constexpr std::int64_t kSmallMin = -(std::int64_t{1} << 59);
constexpr bool fits_small(std::int64_t value) { return value >= kSmallMin && value <= kSmallMax; }

}  // namespace ravel::erlang
