// What objects of the store look like.
//
// A value points at a header, `words behind it << 8 | kind`; before the header stands a word of the store's.
//
//   kind          words behind the header
//   integer       raw: 64 bits that do not fit a value
//   float         raw: an IEEE double; -0.0 is 0.0, and there is one that is not a number
//   string        raw: length in bytes, then the bytes, the last word filled up with zeros
//   tuple         the parts
//   named tuple   its shape (a number that stands for its names), the parts
//   seq           at most kSeqLeaf elements
//   seq tree      how many elements, how many each child but the last has, the children; see sequence.h
//   set           at most kFlatMax elements in order
//   set tree      how many elements, an element, those before it, those behind it; see ordered_tree.h
//   map           at most kFlatMax keys in order, then their values
//   map tree      how many keys, a key, its value, those before it, those behind it
//   foreign       the number of its type, the value that it was made of

#pragma once

#include <span>
#include <string_view>

#include "base/check.h"
#include "p/value/value.h"

namespace ravel::p {

enum class ObjectKind : std::uint8_t {
  kInteger,
  kFloat,
  kString,
  kFirstOfValues,  // every kind from here on holds values only
  kTuple = kFirstOfValues,
  kNamedTuple,
  kSeq,
  kSeqTree,
  kSet,
  kSetTree,
  kMap,
  kMapTree,
  kForeign,
};

constexpr Word make_header(ObjectKind kind, std::size_t words) {
  return Word{words} << 8 | static_cast<Word>(kind);
}
constexpr ObjectKind kind_of_header(Word header) { return static_cast<ObjectKind>(header & 0xff); }
constexpr std::size_t words_of_header(Word header) { return static_cast<std::size_t>(header >> 8); }
constexpr bool is_raw(ObjectKind kind) { return kind < ObjectKind::kFirstOfValues; }

// REQUIRES: of all below: the value is an object.
inline ObjectKind kind_of(Value value) { return kind_of_header(value.object()[0]); }
inline bool is_kind(Value value, ObjectKind kind) { return value.is_object() && kind_of(value) == kind; }
inline std::size_t words_of(Value value) { return words_of_header(value.object()[0]); }
inline Value part(Value value, std::size_t at) { return Value(value.object()[1 + at]); }
inline std::span<const Word> raw_words(Value value) { return {value.object() + 1, words_of(value)}; }

// Of integers.
inline bool is_integer(Value value) { return value.is_small() || is_kind(value, ObjectKind::kInteger); }
inline std::int64_t integer_value(Value value) {
  return value.is_small() ? value.small_value() : static_cast<std::int64_t>(value.object()[1]);
}
inline bool is_float(Value value) { return is_kind(value, ObjectKind::kFloat); }
inline double float_value(Value value) { return __builtin_bit_cast(double, value.object()[1]); }
inline bool is_string(Value value) { return is_kind(value, ObjectKind::kString); }
// As long as the store keeps it.
inline std::string_view string_value(Value value) {
  return {reinterpret_cast<const char*>(value.object() + 2), value.object()[1]};
}
inline bool is_tuple(Value value) { return is_kind(value, ObjectKind::kTuple); }
inline bool is_named_tuple(Value value) { return is_kind(value, ObjectKind::kNamedTuple); }
inline std::size_t tuple_size(Value value) { return words_of(value) - (is_named_tuple(value) ? 1 : 0); }
inline Value tuple_part(Value value, std::size_t at) {
  return part(value, at + (is_named_tuple(value) ? 1 : 0));
}
inline std::uint32_t tuple_shape(Value value) {
  return static_cast<std::uint32_t>(part(value, 0).small_value());
}
inline bool is_seq(Value value) {
  return is_kind(value, ObjectKind::kSeq) || is_kind(value, ObjectKind::kSeqTree);
}
inline bool is_set(Value value) {
  return is_kind(value, ObjectKind::kSet) || is_kind(value, ObjectKind::kSetTree);
}
inline bool is_map(Value value) {
  return is_kind(value, ObjectKind::kMap) || is_kind(value, ObjectKind::kMapTree);
}
inline bool is_foreign(Value value) { return is_kind(value, ObjectKind::kForeign); }
inline std::uint32_t foreign_type(Value value) {
  return static_cast<std::uint32_t>(part(value, 0).small_value());
}
inline Value foreign_content(Value value) { return part(value, 1); }

}  // namespace ravel::p
