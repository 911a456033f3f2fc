// Sequences: a leaf of at most kSeqLeaf elements, or a tree of such leaves.
//
// The idea: a radix tree over the index (the persistent vector of Bagwell and Hickey), whose shape depends on
// nothing but the length: each child but the last is full. So equal sequences are equal trees.
//
// Cost: reading, replacing and appending are logarithmic, to the base of kSeqLeaf. What moves elements
// (inserting and removing elsewhere) makes the leaves behind the place anew: a look-up in the store for each
// 32 of them.

#pragma once

#include <span>
#include <vector>

#include "p/value/store.h"

namespace ravel::p::seq {

inline constexpr std::size_t kSeqLeaf = 32;  // elements of a leaf, children of a tree

// REQUIRES: of all below: is_seq(seq), and `at` is in it (for `inserted`: or just behind it).
std::size_t size(Value seq);
Value at(Value seq, std::size_t at);
Value of(ValueStore& store, std::span<const Value> elements);
Value replaced(ValueStore& store, Value seq, std::size_t at, Value element);
Value appended(ValueStore& store, Value seq, Value element);
Value inserted(ValueStore& store, Value seq, std::size_t at, Value element);
Value removed(ValueStore& store, Value seq, std::size_t at);
bool contains(Value seq, Value element);
// All elements in their order.
std::vector<Value> elements(Value seq);

}  // namespace ravel::p::seq
