// Maps: small ones flat, large ones as a trie of hashes.
//
// A flat map (at most 32 keys) is a tuple of keys in the order of `compare_exactly` and the values in the
// same order. A hash map (more than 32) is a hash array mapped trie (Bagwell, "Ideal Hash Trees", 2001) whose
// nodes have up to 16 children, as in the emulator: each level takes four bits of the key's hash; a leaf is
// a cons cell [Key|Value]; a node has its occupied slots in a bitmap and its children in the order of slots.
//
//   flat map    header | keys tuple | value ...
//   hash map    header | number of keys | bitmap | child ...
//   hash node   header | bitmap | child ...                    child: leaf (cons) or hash node (boxed)
//
// Invariants:
//  1. The shape is a function of the content: a map is flat iff it has at most 32 keys; a hash node has at
//     least two leaves below it, so a key stands as high as its hash allows.
//  2. Order of a flat map: its keys'. Order of a hash map: its slots', from left to right. As keys hash like
//     in the emulator (hash_functions.h), both are OTP's orders, for keys whose hash OTP defines by content.
//
// Functions that answer a map return the same word when nothing changes, and keep the keys tuple when only
// values change.
//
// Cost: flat maps scan or copy at most 32 keys; hash maps touch one node for each level.
#pragma once

#include <span>

#include "erlang/term/header.h"
#include "erlang/term/heap.h"
#include "erlang/term/names.h"
#include "erlang/term/term.h"
#include "erlang/term/work_stack.h"

namespace ravel::erlang {

inline constexpr Word kFlatMapMax = 32;

// REQUIRES for every parameter `map`: is_map(map).

inline bool is_flat_map(Term map) { return kind_of(map.header()) == Kind::kFlatMap; }
inline Word map_size(Term map) {
  const Term* object = map.object();
  return kind_of(object[0]) == Kind::kFlatMap ? size_of(object[0]) - 1
                                              : static_cast<Word>(object[1].small_value());
}

Term empty_map(Heap& heap);

Term map_get_slowly(const Names& names, Term map, Term key);

// The value, or none if there is no such key.
inline Term map_get(const Names& names, Term map, Term key) {
  const Term* object = map.object();
  if (!key.is_immediate() || kind_of(object[0]) != Kind::kFlatMap) return map_get_slowly(names, map, key);
  const Term* keys = object[1].object();
  const Word size = size_of(object[0]) - 1;
  for (Word i = 1; i <= size; ++i)
    if (keys[i] == key) return object[i + 1];
  return Term::none();
}

Term map_put(Heap& heap, const Names& names, Term map, Term key, Term value);
// None if there is no such key.
Term map_update(Heap& heap, const Names& names, Term map, Term key, Term value);
// The same map if there is no such key.
Term map_remove(Heap& heap, const Names& names, Term map, Term key);

// Pairs are key, value, key, value, ...; of equal keys the last one counts.
Term map_from_pairs(Heap& heap, const Names& names, std::span<const Term> pairs);
Term map_put_pairs(Heap& heap, const Names& names, Term map, std::span<const Term> pairs);
// None if a key is missing; `*missing` is then the first such key.
Term map_update_pairs(Heap& heap, const Names& names, Term map, std::span<const Term> pairs, Term* missing);

// All pairs of both maps; where both have a key, the value is the right map's.
Term map_merge(Heap& heap, const Names& names, Term left, Term right);

// Lists in the order of maps:keys/1, maps:values/1 and maps:to_list/1: a large map's is its own or, in older
// releases, the reverse.
Term map_keys(Heap& heap, Term map);
Term map_values(Heap& heap, Term map);
Term map_to_list(Heap& heap, Term map);

// Children of a hash map or a hash node: leaves and hash nodes in the order of their slots.
inline std::span<const Term> hash_children(Term node) {
  const Term* object = node.object();
  const Word fields = kind_of(object[0]) == Kind::kHashMap ? 2 : 1;
  return {object + 1 + fields, size_of(object[0]) - fields};
}

// Gives the pairs of a map in its own order:
//   for (MapIterator pairs(map); pairs.next();) use(pairs.key(), pairs.value());
// The map must not move meanwhile: no collection.
class MapIterator {
 public:
  explicit MapIterator(Term map);
  bool next();
  Term key() const { return key_; }
  Term value() const { return value_; }

 private:
  struct Level {
    const Term* next;
    const Term* end;
  };
  const Term* keys_ = nullptr;    // of a flat map: the next key
  const Term* values_ = nullptr;  // of a flat map: the next value
  Word left_ = 0;
  WorkStack<Level, 12> levels_;  // of a hash map: the way from the root
  Term key_;
  Term value_;
};

}  // namespace ravel::erlang
