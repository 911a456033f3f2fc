// The header word of a boxed object, and the layout of every kind of object.
//
// A header is `size << 6 | kind << 2 | 00`; `size` counts the words after the header, for every kind,
// so that an object can be copied and skipped without knowing it. A kind is either all terms or all raw.
//
//   kind           payload words
//   tuple          elements
//   flat map       keys (a tuple in term order), values in the order of the keys; at most 32 keys
//   hash map       number of keys (small), bitmap (small), children; see map.h
//   hash node      bitmap (small), children
//   bitstring      offset in bits (small), length in bits (small), bytes object; a view, see bits.h
//   match context  position in bits (small), end in bits (small), bytes object, ordinal (small)
//   fun            entry (small, index in Names), arity (small), free variables
//   external fun   module (atom), function (atom), arity (small)
//   frame          resume address (small code index), caller's frame or [], y slots; only in frozen stacks
//   big +, big -   raw: limbs, least significant first, no leading zero limb
//   float          raw: one IEEE double
//   bytes          raw: length in bits, then bytes; bits after the end are zero up to the last used word.
//                  The payload may be longer than the length needs: spare room for appending.
//   native record  definition (a tuple), values; see native_record.h
//   foreign        type (atom pid, reference, port or function), node (atom), the rest as decoded
#pragma once

#include <cstdint>

#include "erlang/term/term.h"

namespace ravel::erlang {

enum class Kind : std::uint8_t {
  kTuple = 0,
  kFlatMap,
  kHashMap,
  kHashNode,
  kBitstring,
  kMatchContext,
  kFun,
  kExternalFun,
  kFrame,
  kForeign,
  kNativeRecord,
  kFirstRaw,  // every kind from here on holds raw words
  kPositiveBig = kFirstRaw,
  kNegativeBig,
  kFloat,
  kBytes,
};

constexpr Term make_header(Kind kind, Word size) {
  return Term((size << 6) | (static_cast<Word>(kind) << 2));
}
constexpr Kind kind_of(Term header) { return static_cast<Kind>((header.bits() >> 2) & 0xF); }
constexpr Word size_of(Term header) { return header.bits() >> 6; }
constexpr bool is_raw(Kind kind) { return kind >= Kind::kFirstRaw; }

inline bool is_kind(Term t, Kind kind) { return t.is_boxed() && kind_of(t.header()) == kind; }

inline bool is_tuple(Term t) { return is_kind(t, Kind::kTuple); }
// The size of a tuple. REQUIRES: is_tuple(t).
inline Word tuple_size(Term t) { return size_of(t.header()); }
// Element `index`, from 1. REQUIRES: is_tuple(t), 1 <= index <= tuple_size(t).
inline Term element(Term t, Word index) { return t.object()[index]; }
inline bool is_tuple_of(Term t, Word arity) {
  return t.is_boxed() && t.header() == make_header(Kind::kTuple, arity);
}

inline bool is_big(Term t) {
  return t.is_boxed() &&
         (kind_of(t.header()) == Kind::kPositiveBig || kind_of(t.header()) == Kind::kNegativeBig);
}
inline bool is_integer(Term t) { return t.is_small() || is_big(t); }
inline bool is_float(Term t) { return is_kind(t, Kind::kFloat); }
inline bool is_number(Term t) { return is_integer(t) || is_float(t); }
inline bool is_list(Term t) { return t.is_cons() || t.is_nil(); }
inline bool is_map(Term t) { return is_kind(t, Kind::kFlatMap) || is_kind(t, Kind::kHashMap); }
inline bool is_fun(Term t) { return is_kind(t, Kind::kFun) || is_kind(t, Kind::kExternalFun); }
inline bool is_bitstring(Term t) { return is_kind(t, Kind::kBytes) || is_kind(t, Kind::kBitstring); }
// Length in bits. REQUIRES: is_bitstring(t).
inline Word bit_size(Term t) {
  const Term* object = t.object();
  return kind_of(object[0]) == Kind::kBytes ? object[1].bits() : static_cast<Word>(object[2].small_value());
}
inline bool is_binary(Term t) { return is_bitstring(t) && bit_size(t) % 8 == 0; }

inline double float_value(Term t) { return __builtin_bit_cast(double, t.object()[1]); }

}  // namespace ravel::erlang
