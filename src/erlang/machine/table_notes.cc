#include "erlang/machine/table_notes.h"

#include <cmath>
#include <vector>

#include "erlang/machine/signals.h"
#include "erlang/term/hash_functions.h"
#include "erlang/term/header.h"
#include "erlang/term/map.h"

namespace ravel::erlang {

namespace {

std::uint64_t mix(std::uint64_t hash, std::uint64_t word) {
  hash = (hash ^ word) * 0x9E3779B97F4A7C15;
  return hash ^ (hash >> 29);
}

// Numbers that are equal have one hash, whatever their types.
std::uint64_t number_hash(Term number) {
  constexpr double kBound = 0x1p59;
  if (number.is_small()) return mix(1, static_cast<std::uint64_t>(number.small_value()));
  if (is_big(number)) return 2;
  const double value = float_value(number);
  if (value < -kBound || value >= kBound) return 2;
  if (value == std::trunc(value)) return mix(1, static_cast<std::uint64_t>(static_cast<std::int64_t>(value)));
  return mix(3, __builtin_bit_cast(std::uint64_t, value));
}

// Keys that are equal with == have one hash. Of maps and funs it sees little.
std::uint64_t loose_hash(const Names& names, Term key) {
  std::uint64_t hash = 0;
  std::vector<Term> pending{key};
  while (!pending.empty()) {
    const Term t = pending.back();
    pending.pop_back();
    if (t.is_cons()) {
      hash = mix(hash, 4);
      pending.push_back(t.tail());
      pending.push_back(t.head());
    } else if (is_tuple(t)) {
      hash = mix(hash, 5 + (tuple_size(t) << 8));
      for (Word i = tuple_size(t); i > 0; --i) pending.push_back(element(t, i));
    } else if (is_number(t)) {
      hash = mix(hash, number_hash(t));
    } else if (t.is_boxed() && is_map(t)) {
      hash = mix(hash, 6 + (map_size(t) << 8));
    } else if (is_fun(t)) {
      hash = mix(hash, 7);
    } else {
      hash = mix(hash, 8 + (std::uint64_t{key_hash(names, t, 0)} << 8));
    }
  }
  return hash;
}

}  // namespace

std::uint64_t table_row_object(const Names& names, const Table& table, Term key) {
  const std::uint64_t hash = table.is_hash()
                                 ? std::uint64_t{key_hash(names, key, 1)} << 32 | key_hash(names, key, 0)
                                 : loose_hash(names, key);
  return mix(mix(0, table.id.reference_payload()), hash);
}

void note_row_read(Machine& machine, const Table& table, Term key) {
  machine.note_access(ObjectClass::kTableRow, table_row_object(machine.names, table, key), access::kRead);
}

void note_row_change(Machine& machine, const Table& table, Term key) {
  machine.note_access(ObjectClass::kTableRow, table_row_object(machine.names, table, key), access::kWrite);
  machine.note_access(ObjectClass::kTableRows, table.id.reference_payload(), access::kChange);
}

void note_survey(Machine& machine, const Table& table) {
  machine.note_access(ObjectClass::kTableRows, table.id.reference_payload(), access::kSurvey);
}

void note_fixing(Machine& machine, const Table& table, std::uint8_t access) {
  machine.note_access(ObjectClass::kTableFixing, table.id.reference_payload(), access);
}

}  // namespace ravel::erlang
