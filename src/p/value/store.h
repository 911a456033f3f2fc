// The store of values: each is stored once, so that equal ones are the same word.
//
// The idea: an object is looked for by its content before it is made ("hash-consing"). Objects never change;
// what updates one makes another, which shares all that stayed. A state of a program is then as cheap to
// compare as a word, and to keep as what is new in it.
//
// Layout: before each object stands a word, `hash << 8 | flags`. The hash depends on the content alone, never
// on an address.
//
// Reclamation: `collect` marks from the roots and sweeps; objects do not move. Freed room is used again by
// size.
//
// Invariants:
//  1. No two stored objects have equal words.
//  2. A stored object points only at stored objects.
//  3. Blocks have an even number of words, so that an object has a place of 31 bits.
//
// Cost: a look-up in a table for each object that is made; small integers, events, machines and truths are
// none.

#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "base/wide_hash.h"
#include "p/value/object.h"

namespace ravel::p {

// Gives all roots of a collection: calls `visit` with every value that is still used.
class ValueRoots {
 public:
  virtual ~ValueRoots() = default;
  virtual void for_each(const std::function<void(std::span<const Value>)>& visit) = 0;
};

class ValueStore {
 public:
  // A collection of less than 4 M words (32 MiB) would cost more than it gives back.
  static constexpr std::size_t kDefaultWords = std::size_t{1} << 22;
  // `words`: how much is stored between two collections, at least. With none, it always wants one (for
  // tests).
  enum class Hashes : std::uint8_t { kNarrow, kWide };
  explicit ValueStore(std::size_t words = kDefaultWords, Hashes hashes = Hashes::kNarrow);
  ~ValueStore();
  ValueStore(const ValueStore&) = delete;
  ValueStore& operator=(const ValueStore&) = delete;

  Value integer(std::int64_t number) {
    return fits_small(number) ? Value::small(number)
                              : make_raw(ObjectKind::kInteger, static_cast<Word>(number));
  }
  Value real(double number);
  Value string(std::string_view text);
  Value tuple(std::span<const Value> parts) { return make(ObjectKind::kTuple, parts); }
  Value named_tuple(std::uint32_t shape, std::span<const Value> parts);
  // `type`: its number. REQUIRES: the content is stored.
  Value foreign(std::uint32_t type, Value content);
  // The tuple, with or without names, with another part. REQUIRES: at < tuple_size(tuple).
  Value with_part(Value tuple, std::size_t at, Value part);
  Value empty_seq() const { return empty_seq_; }
  Value empty_set() const { return empty_set_; }
  Value empty_map() const { return empty_map_; }

  // For those that know what objects of that kind hold. REQUIRES: all parts are stored.
  Value make(ObjectKind kind, std::span<const Value> parts);

  // Of the content.
  static std::uint64_t hash(Value value) {
    return value.is_object() ? value.object()[-1] >> 8 : hash_of_immediate(value);
  }

  // The same of 128 bits. REQUIRES: Hashes::kWide.
  static Hash128 wide_hash(Value value) {
    if (!value.is_object()) return {.high = value.bits(), .low = kImmediate};
    const Word* const behind = value.object() + 1 + words_of(value);
    return {.high = behind[0], .low = behind[1]};
  }

  // A number for each object, below 2^31, and the object that has it: as long as it is stored.
  std::uint32_t place_of(Value object) const {
    return static_cast<std::uint32_t>(static_cast<std::size_t>(object.object() - base_) / 2);
  }
  Value at_place(std::uint32_t place) const {
    return Value(reinterpret_cast<Word>(base_ + std::size_t{place} * 2));
  }

  // Frees what no root reaches. REQUIRES: the roots visit every value in use.
  void collect(ValueRoots& roots);
  // Whether enough was allocated since the last collection to make one worth its cost.
  bool wants_collection() const { return words_used_ > collect_at_; }

  std::size_t objects() const { return count_; }
  std::size_t words_used() const { return words_used_; }
  // Whether the object is one of this store (for tests).
  bool contains(Value value) const;

 private:
  static constexpr std::size_t kReservedBytes = std::size_t{32} << 30;
  static constexpr Word kMark = 1, kFree = 2;
  static constexpr std::size_t kSizeClasses = 64;
  static constexpr std::uint64_t kImmediate = 0x1d;  // any number

  struct Slot {
    std::uint32_t hash = 0;   // upper bits of the hash
    std::uint32_t where = 0;  // offset of the header in words; 0: empty
  };

  static std::uint64_t hash_of_immediate(Value value) { return value.bits() * 0xd6e8feb86659fd93 >> 8; }
  Value make_raw(ObjectKind kind, Word word) { return find_or_add(make_header(kind, 1), {&word, 1}); }
  Value find_or_add(Word header, std::span<const Word> words);
  static std::uint64_t hash_of(Word header, std::span<const Word> words);
  Word* allocate(std::size_t words);
  void free_block(Word* block, std::size_t words);
  void insert_slot(std::uint64_t hash, std::uint32_t where);
  void grow_table();
  void mark(Value root);
  void sweep();
  static Hash128 wide_hash_of(Word header, std::span<const Word> words);
  // Of an object with so many words behind its header.
  std::size_t block_size(std::size_t words) const { return (words + words_around_ + 1) & ~std::size_t{1}; }
  std::size_t block_words(const Word* block) const { return block_size(words_of_header(block[1])); }

  const std::size_t
      words_around_;      // an object: what stands before it, its header, the wide hash if there is one
  Word* base_ = nullptr;  // of the reserved room; the first word is not used
  Word* top_ = nullptr;
  Word* end_ = nullptr;
  std::vector<Slot> table_;
  std::size_t count_ = 0;
  std::size_t words_used_ = 0;
  const std::size_t words_min_;
  std::size_t collect_at_;
  std::vector<Word*> free_[kSizeClasses];  // blocks of exactly that many words
  std::vector<std::pair<Word*, std::size_t>> free_large_;
  std::vector<Word> scratch_;
  std::vector<Value> pending_;
  Value empty_seq_, empty_set_, empty_map_;
};

}  // namespace ravel::p
