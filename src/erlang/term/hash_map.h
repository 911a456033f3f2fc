// The trie behind large maps; see map.h for its shape. Only map.cc and the tables of ets (table.h) use this.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "erlang/term/heap.h"
#include "erlang/term/names.h"
#include "erlang/term/term.h"

namespace ravel::erlang {

// REQUIRES for every parameter `map`: a hash map.

// The leaf with this key, or none.
Term hash_map_find(const Names& names, Term map, Term key);

enum class MissingKey : std::uint8_t { kAdd, kFail };

// None if the key is missing and that is a failure.
Term hash_map_put(Heap& heap, const Names& names, Term map, Term key, Term value, MissingKey missing);

// REQUIRES: the map has the key; a map that the program sees has more than 33 keys.
Term hash_map_remove(Heap& heap, const Names& names, Term map, Term key);

Term hash_map_merge(Heap& heap, const Names& names, Term left, Term right);

// What tables are made of (table.h): a hash map of any size, from none on. The functions above that change a
// map keep it a hash map, so a table never turns flat and its keys have one order for ever.

Term empty_hash_map(Heap& heap);

// The first leaf after a key's place in the order of the map, whether or not the key is there; none at the
// end. The order of two keys depends on them alone.
Term hash_map_next(const Names& names, Term map, Term key);

// The leaves whose keys' hashes begin with these eight bits, in the order of the map.
void hash_map_slot(const Names& names, Term map, std::uint32_t slot, std::vector<Term>& leaves);
inline constexpr std::uint32_t kHashMapSlots = 256;

// One pair among many: which one, and its key's hash.
struct HashedPair {
  std::uint32_t hash;   // four-bit groups reversed, so that sorting by it is the order of slots
  std::uint32_t index;  // of the pair
};

// The pairs that count (of equal keys the last), sorted by hash.
std::vector<HashedPair> hash_unique_pairs(const Names& names, std::span<const Term> pairs);

// REQUIRES: `hashed` comes from `hash_unique_pairs` and is more than a flat map can hold.
Term hash_map_from_pairs(Heap& heap, const Names& names, std::span<const Term> pairs,
                         std::span<HashedPair> hashed);

}  // namespace ravel::erlang
