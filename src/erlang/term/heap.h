// The nursery: where a running actor allocates, by bumping a pointer.
//
// The idea: terms live here only while steps run. When a state is saved, what is still reachable moves to
// the store (store.h) and the nursery starts over empty; when it runs full before that, a copying collection
// (Cheney) moves the live terms to its other half. All actors of a machine share one nursery, so a message
// is never copied.
//
// Both halves are large reservations of address space that cost nothing until touched, so a built-in may
// always allocate what it needs; only instructions that can name all roots check `is_full()` and collect.
//
// Invariants:
//  1. `is_young(p)` iff p lies in a reservation of this heap; it is one subtraction and one comparison.
//  2. No object outside the nursery points into it, except the roots given to `collect`.
//
// Cost: allocation one addition; collection proportional to the live words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>

#include "erlang/term/header.h"
#include "erlang/term/term.h"

namespace ravel::erlang {

// Gives all roots of a collection: calls `visit` on every word that may point into the nursery.
class Roots {
 public:
  virtual ~Roots() = default;
  using Visit = void (*)(void* collector, Term* first, std::size_t count);
  virtual void for_each(Visit visit, void* collector) = 0;
};

// Thrown where something wants more at once than there is room for, if somebody catches that.
struct HeapExhausted {};

class Heap {
 public:
  // 512 K words (4 MiB): the nursery of a running step stays in the second-level cache of current machines
  // for small programs and is seldom collected for large ones.
  static constexpr std::size_t kDefaultWords = std::size_t{1} << 19;

  // `words`: how much is allocated between two collections, at least. Tests make do with none: then every
  // instruction that may collect does.
  explicit Heap(std::size_t words = kDefaultWords);
  ~Heap();
  Heap(const Heap&) = delete;
  Heap& operator=(const Heap&) = delete;

  // Room for `words` words, uninitialised.
  Term* allocate(std::size_t words) {
    Term* result = top_;
    top_ += words;
    if (top_ > hard_end_) [[unlikely]]
      fail_exhausted(words);
    return result;
  }

  // The interpreter keeps `top` in a register and gives it back before it calls anything else.
  Term* top() const { return top_; }
  void set_top(Term* top) { top_ = top; }
  Term* limit() const { return limit_; }
  bool is_full() const { return top_ >= limit_; }
  bool is_empty() const { return top_ == base_; }

  bool is_young(const void* p) const { return reinterpret_cast<Word>(p) - reserved_ < kReservedBytes; }
  bool is_young(Term t) const { return t.is_pointer() && is_young(t.pointer()); }

  // Forgets everything. REQUIRES: nothing that lives on points into the nursery.
  void reset();

  // Moves what is reachable from the roots to the other half and makes room for at least `words_needed`.
  void collect(Roots& roots, std::size_t words_needed);

  // Number of live words after the last collection, and of collections.
  std::size_t words_used() const { return static_cast<std::size_t>(top_ - base_); }
  std::uint64_t collections() const { return collections_; }

  // More is live than a program may hold: a sixteenth of the machine's memory, or less where address space is
  // limited. The code that runs processes asks after collections, and long before there is no room.
  bool is_exhausted() const { return is_exhausted_; }
  void note_exhausted() { is_exhausted_ = true; }
  std::size_t words_max() const { return words_max_; }
  // Whether allocate() may throw HeapExhausted. Otherwise it ends the program with a message.
  void set_throwing(bool throws) { throws_ = throws; }

  // Convenience for built-ins.
  Term cons(Term head, Term tail) {
    Term* cell = allocate(2);
    cell[0] = head;
    cell[1] = tail;
    return Term::cons(cell);
  }
  Term tuple(std::initializer_list<Term> elements);
  Term tuple(std::span<const Term> elements);
  Term list(std::span<const Term> elements, Term tail = Term::nil());
  Term floating(double value) {
    Term* object = allocate(2);
    object[0] = make_header(Kind::kFloat, 1);
    object[1] = Term(__builtin_bit_cast(Word, value));
    return Term::boxed(object);
  }
  // Any 64-bit integer, small or big.
  Term integer(std::int64_t value) { return fits_small(value) ? Term::small(value) : big_integer(value); }
  Term unsigned_integer(std::uint64_t value);

 private:
  Term big_integer(std::int64_t value);
  [[noreturn]] void fail_exhausted(std::size_t words);
  static constexpr Word kReservedBytes = Word{32} << 30;  // two halves; far above what a machine has

  Word reserved_ = 0;        // start of the reservation
  Term* halves_[2] = {};     // first word of each half
  std::size_t current_ = 0;  // the half in use
  Term* base_ = nullptr;
  Term* top_ = nullptr;
  Term* limit_ = nullptr;        // soft: ask for a collection
  Term* hard_end_ = nullptr;     // end of the half
  const std::size_t words_min_;  // see the constructor
  std::size_t capacity_ = 0;     // words between base and limit
  std::size_t words_max_ = 0;    // live ones
  bool is_exhausted_ = false;
  bool throws_ = false;
  std::uint64_t collections_ = 0;
};

}  // namespace ravel::erlang
