// The order of values: of elements of a set, and of keys of a map. It depends on contents alone.
//
// null, truths, integers, floats, strings, events, machines, tuples, tuples with names, sequences, sets,
// maps, foreign values by type and content; within a kind by number or bytes, of what has parts the one with
// fewer of them first, then part by part.
//
// Cost: equal values are one word, so that only the way to the first difference is walked.

#pragma once

#include <compare>

#include "p/value/value.h"

namespace ravel::p {

std::strong_ordering order_of_others(Value a, Value b);

inline std::strong_ordering order(Value a, Value b) {
  if (a.is_small() && b.is_small()) return a.small_value() <=> b.small_value();
  return order_of_others(a, b);
}

}  // namespace ravel::p
