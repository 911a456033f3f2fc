// The store: maximally shared, immutable terms ("hash-consing garbage collection", Appel & Goncalves 1993,
// with its boundary at the moment a state is saved).
//
// The idea: `intern` copies what is young and reachable from a term, bottom up, and gives every object that
// exists already its one address. Two stored terms are then equal bit for bit iff they are the same word; a
// saved process, a whole mailbox, a state are each one word. Sharing makes the cost of saving proportional
// to what is new.
//
// Layout: before each object stands one meta word, `hash << 8 | flags`. The hash depends on the content
// alone (and on the indices in `Names`), never on an address.
//
// A store that is asked for it has two more words behind each object: a hash of the content of 128 bits. It
// is made once, of those of the objects that this one points at.
//
// Binaries are stored as `bytes` objects of exactly their length; views are copied. Spare room is cut off.
// Match contexts get an ordinal, their position among the contexts of their frame, so that two contexts
// that happen to be equal stay two.
//
// Reclamation: `collect` marks from the roots and sweeps; objects do not move, so saved states, literals in
// code and ids stay valid. Freed room is reused by size, and neighbours that were freed together are cut
// anew.
//
// Invariants:
//  1. Every stored object is in the table exactly once, and no two stored objects have equal words.
//  2. A stored object points only at stored objects.
//
// Cost: about 10 ns a word that is already there and in the cache, a cache miss for each object otherwise.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/wide_hash.h"
#include "erlang/term/header.h"
#include "erlang/term/heap.h"
#include "erlang/term/term.h"

namespace ravel::erlang {

class Store {
 public:
  // A collection of less than 16 M words (128 MiB) would cost more than it gives back.
  static constexpr std::size_t kDefaultWords = std::size_t{1} << 24;
  // `words`: how much is stored between two collections, at least. With none, it always wants one (for
  // tests).
  enum class Hashes : std::uint8_t { kNarrow, kWide };
  explicit Store(Heap& heap, std::size_t words = kDefaultWords, Hashes hashes = Hashes::kNarrow);
  ~Store();
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  // The stored term equal to `t`. Young objects that it moves are overwritten by their forwarding address,
  // so sharing between several calls is kept until the heap is reset. REQUIRES: every term that is still used
  // after the call and that reaches the same young objects is interned as well, before the heap is reset.
  Term intern(Term t) { return heap_.is_young(t) ? intern_young(t) : t; }

  // The stored frame, with match contexts numbered. `slots` are interned in place.
  Term intern_frame(Term resume, Term parent, std::span<Term> slots);

  // A stored object made directly from terms that are stored already.
  Term intern_object(Kind kind, std::span<const Term> payload);

  bool contains(Term t) const { return reinterpret_cast<Word>(t.pointer()) - reserved_ < kReservedBytes; }

  // Does a stored object hold a float anywhere? Then =:= must look closer: 0.0 =:= -0.0 (OTP up to 26).
  static bool has_float(Term t) { return (meta_of(t) & kHasFloat) != 0; }
  // Does a stored frame hold a match context? Then thawing copies it (see process.h).
  static bool has_match_context(Term frame) { return (meta_of(frame) & kHasMatchContext) != 0; }
  // Does a reference, or a pid, lie in a stored object anywhere?
  static bool has_reference(Term t) { return (meta_of(t) & kHasReference) != 0; }
  static bool has_pid(Term t) { return (meta_of(t) & kHasPid) != 0; }
  // For a walk (name_walk.h): marks a stored object, unless it is marked; takes marks away again.
  bool mark(Term t);
  void unmark(std::span<const Term> terms);
  // The content's hash: of a stored object or an immediate.
  static std::uint64_t hash(Term t);
  // The same of 128 bits. REQUIRES: Hashes::kWide.
  Hash128 wide_hash(Term t) const {
    if (!t.is_pointer()) return {.high = t.bits(), .low = kImmediate};
    const Term* const behind = t.pointer() + object_words(t.pointer());
    return {.high = behind[0].bits(), .low = behind[1].bits()};
  }
  // The same of an object that need not be stored, by the hashes of its words behind the header.
  static Hash128 wide_hash_of(Kind kind, std::span<const Hash128> words) {
    WideHash hash(kSeedOfObject);
    hash.add({.high = make_header(kind, words.size()).bits(), .low = kImmediate});
    for (const Hash128& word : words) hash.add(word);
    return hash.finish();
  }

  // Frees what no root reaches. REQUIRES: the roots visit every stored term in use, and no young one.
  void collect(Roots& roots);
  // Whether enough was allocated since the last collection to make one worth its cost.
  bool wants_collection() const { return words_used_ > collect_at_; }

  std::size_t objects() const { return count_; }
  std::size_t words_used() const { return words_used_; }

 private:
  static constexpr Word kReservedBytes = Word{32} << 30;
  static constexpr std::uint64_t kHasFloat = 1, kHasMatchContext = 2, kIsCons = 4, kMark = 8, kFree = 16,
                                 kHasPid = 32, kHasReference = 64;
  // What a parent takes from its children
  static constexpr std::uint64_t kInherited = kHasFloat | kHasPid | kHasReference;
  static constexpr std::uint64_t kImmediate = 0x1d;  // any number
  static constexpr std::uint64_t kSeedOfCons = 1, kSeedOfObject = 2;
  static constexpr std::size_t kSizeClasses = 64;
  static constexpr std::size_t kRecent = 4096;

  struct Slot {
    std::uint32_t hash = 0;   // upper bits of the hash
    std::uint32_t where = 0;  // offset of the object in words; 0: empty
  };

  static std::uint64_t flags_of_immediate(Term t) {
    return t.is_reference() ? kHasReference : t.is_pid() ? kHasPid : 0;
  }
  static std::uint64_t meta_of(Term t) { return t.pointer()[-1].bits(); }
  Term intern_young(Term t);
  Term add(std::span<const Term> words, bool is_cons, std::uint64_t extra_flags);
  Term add_bytes(const Term* object, Word bit_offset, Word bit_length);
  Term add_match_context(Term context);
  Term* allocate(std::size_t words);
  void add_free(Term* block, std::size_t words);
  [[noreturn]] static void fail_exhausted();
  void grow_table();
  void insert_slot(std::uint64_t hash, std::uint32_t where);
  // Without what stands before and behind it.
  static std::size_t object_words(const Term* object) {
    return (object[-1].bits() & kIsCons) != 0 ? 2 : size_of(object[0]) + 1;
  }
  Hash128 make_wide_hash(std::span<const Term> words, bool is_cons) const;
  void mark_from(Term t);
  void sweep();

  Heap& heap_;
  const std::size_t words_around_;  // an object: the meta word, and the wide hash if there is one
  Word reserved_ = 0;
  Term* base_ = nullptr;
  Term* top_ = nullptr;
  std::vector<Slot> table_;
  // What was found or added last, by hash: most objects of a state were in the state before, too, and the
  // table is too large for the fast caches.
  std::vector<Slot> recent_ = std::vector<Slot>(kRecent);
  std::size_t mask_ = 0;
  std::size_t count_ = 0;
  std::size_t words_used_ = 0;   // in live or not yet swept objects, meta words included
  const std::size_t words_min_;  // see the constructor
  std::size_t collect_at_;
  Term* free_[kSizeClasses] = {};  // chains of freed room by size in words, meta word included
  std::vector<Term*> free_large_;
  std::vector<Term> pending_;  // work stack of intern_young
  std::vector<Term> words_;    // the object being built
  std::vector<Term> mark_stack_;
  std::int64_t next_ordinal_ = 0;  // of match contexts in the frame being interned
};

}  // namespace ravel::erlang
