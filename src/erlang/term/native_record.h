// Native records, which Erlang/OTP 29 and newer have: values with named fields, of a type that a module
// defines.
//
//   native record   header | definition | value ...    the values in the order of the definition
//   definition      {Module, Name, IsExported, Field, ...}, a tuple; two that are equal are the same
//                   definition
//
// The emulator keeps the fields in the order of its atoms' indices, which its portable hashes show; here the
// order is that of the definition everywhere, so `phash/2` and `phash2/2` of records with two fields or more
// differ from the emulator's.
#pragma once

#include <optional>
#include <span>

#include "erlang/term/atoms.h"
#include "erlang/term/header.h"
#include "erlang/term/heap.h"
#include "erlang/term/term.h"

namespace ravel::erlang {

inline bool is_native_record(Term t) { return is_kind(t, Kind::kNativeRecord); }

// REQUIRES for every parameter `record`: is_native_record(record).

inline Term record_definition(Term record) { return record.object()[1]; }
inline std::span<const Term> record_values(Term record) {
  return {record.object() + 2, size_of(record.header()) - 1};
}

// Parts of a definition.
inline constexpr Word kDefinitionHead = 3;
inline Term defining_module(Term definition) { return element(definition, 1); }
inline Term defined_name(Term definition) { return element(definition, 2); }
inline bool is_exported_definition(Term definition) { return element(definition, 3) == atoms::kTrue; }
inline std::span<const Term> defined_fields(Term definition) {
  return {definition.object() + 1 + kDefinitionHead, tuple_size(definition) - kDefinitionHead};
}
// Which field it is, from 0.
inline std::optional<std::size_t> find_field(Term definition, Term name) {
  const auto fields = defined_fields(definition);
  for (std::size_t i = 0; i < fields.size(); ++i)
    if (fields[i] == name) return i;
  return std::nullopt;
}

inline Term make_native_record(Heap& heap, Term definition, std::span<const Term> values) {
  Term* object = heap.allocate(values.size() + 2);
  object[0] = make_header(Kind::kNativeRecord, values.size() + 1);
  object[1] = definition;
  for (std::size_t i = 0; i < values.size(); ++i) object[2 + i] = values[i];
  return Term::boxed(object);
}

}  // namespace ravel::erlang
