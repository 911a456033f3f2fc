#include "p/value/order.h"

#include <cmath>

#include "p/value/ordered_tree.h"
#include "p/value/sequence.h"

namespace ravel::p {
namespace {

enum class Rank : std::uint8_t {
  kNull,
  kBoolean,
  kInteger,
  kFloat,
  kString,
  kEvent,
  kMachine,
  kTuple,
  kNamedTuple,
  kSeq,
  kSet,
  kMap,
  kForeign
};

Rank rank(Value value) {
  if (value.is_null()) return Rank::kNull;
  if (value.is_boolean()) return Rank::kBoolean;
  if (value.is_small()) return Rank::kInteger;
  if (value.is_event()) return Rank::kEvent;
  if (value.is_machine()) return Rank::kMachine;
  switch (kind_of(value)) {
    case ObjectKind::kInteger: return Rank::kInteger;
    case ObjectKind::kFloat: return Rank::kFloat;
    case ObjectKind::kString: return Rank::kString;
    case ObjectKind::kTuple: return Rank::kTuple;
    case ObjectKind::kNamedTuple: return Rank::kNamedTuple;
    case ObjectKind::kSeq:
    case ObjectKind::kSeqTree: return Rank::kSeq;
    case ObjectKind::kSet:
    case ObjectKind::kSetTree: return Rank::kSet;
    case ObjectKind::kMap:
    case ObjectKind::kMapTree: return Rank::kMap;
    case ObjectKind::kForeign: return Rank::kForeign;
  }
  return Rank::kNull;
}

// What is not a number is less than all numbers.
std::strong_ordering order_of_floats(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(b) <=> std::isnan(a);
  return a < b   ? std::strong_ordering::less
         : a > b ? std::strong_ordering::greater
                 : std::strong_ordering::equal;
}

std::size_t parts_of(Value value) {
  switch (rank(value)) {
    case Rank::kTuple: return words_of(value);
    case Rank::kNamedTuple: return words_of(value);  // the shape is one of them
    case Rank::kSeq: return seq::size(value);
    case Rank::kSet: return ordered::size(value);
    case Rank::kMap: return 2 * ordered::size(value);
    case Rank::kForeign: return words_of(value);
    default: return 0;
  }
}

Value part_of(Value value, std::size_t at) {
  switch (rank(value)) {
    case Rank::kSeq: return seq::at(value, at);
    case Rank::kSet: return ordered::key_at(value, at);
    case Rank::kMap: return at % 2 == 0 ? ordered::key_at(value, at / 2) : ordered::value_at(value, at / 2);
    default: return part(value, at);
  }
}

// Of two values that are not equal, and if they have parts as many of them, nothing.
std::strong_ordering order_without_parts(Value a, Value b) {
  const Rank kind = rank(a);
  if (kind != rank(b)) return kind <=> rank(b);
  switch (kind) {
    case Rank::kNull: return std::strong_ordering::equal;
    case Rank::kBoolean: return a.truth() <=> b.truth();
    case Rank::kInteger: return integer_value(a) <=> integer_value(b);
    case Rank::kFloat: return order_of_floats(float_value(a), float_value(b));
    case Rank::kString: return string_value(a) <=> string_value(b);
    case Rank::kEvent: return a.event_number() <=> b.event_number();
    case Rank::kMachine: return a.machine_number() <=> b.machine_number();
    default: return parts_of(a) <=> parts_of(b);
  }
}

}  // namespace

std::strong_ordering order_of_others(Value a, Value b) {
  while (a != b) {
    if (a.is_small() && b.is_small()) return a.small_value() <=> b.small_value();
    const std::strong_ordering found = order_without_parts(a, b);
    if (found != 0) return found;
    // There are parts that differ, and only the first of them matter: equal values are one word.
    std::size_t first = 0;
    while (part_of(a, first) == part_of(b, first)) ++first;
    a = part_of(a, first);
    b = part_of(b, first);
  }
  return std::strong_ordering::equal;
}

}  // namespace ravel::p
