// What sets and maps are made of: keys in the order of values (order.h), in a map each with its value.
//
// The idea: at most kFlatMax keys are an array; more are a treap (Seidel and Aragon, "Randomized search
// trees", 1996), whose priorities are hashes of the keys. Its shape depends on nothing but the keys, in
// whatever order they came, so that equal sets are equal trees, and updates share all but one way from the
// root.
//
// Cost: all logarithmic, as expected of random priorities; comparing keys see order.h. `elements` is linear.

#pragma once

#include <optional>
#include <span>
#include <vector>

#include "p/value/store.h"

namespace ravel::p::ordered {

inline constexpr std::size_t kFlatMax = 8;

// REQUIRES: of all below: the value is a set or a map.
std::size_t size(Value whole);
bool contains(Value whole, Value key);
// The key at that place of the order. REQUIRES: at < size(whole).
Value key_at(Value whole, std::size_t at);
std::vector<Value> keys(Value whole);

// REQUIRES: of all below: the value is a map.
Value value_at(Value map, std::size_t at);
std::vector<Value> values(Value map);

}  // namespace ravel::p::ordered

namespace ravel::p::set {

Value of(ValueStore& store, std::span<const Value> elements);
Value with(ValueStore& store, Value set, Value element);
// The same set if the element is not in it.
Value without(ValueStore& store, Value set, Value element);

}  // namespace ravel::p::set

namespace ravel::p::map {

// None if the map does not have that key.
Value find(Value map, Value key);
// The key with that value, whether the map had it or not.
Value with(ValueStore& store, Value map, Value key, Value value);
// The same map if the key is not in it.
Value without(ValueStore& store, Value map, Value key);

}  // namespace ravel::p::map
