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
  if (is_number(key)) return number_hash(key);
  if (key.is_immediate()) return key_hash(names, key, 0);
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
  const std::uint64_t hash = table.is_hash() ? key_hash(names, key, 0) : loose_hash(names, key);
  return mix(mix(0, table.id.reference_payload()), hash);
}

TableTouch& TableNotes::touch(TableTouch::Kind kind) {
  return machine_.record.note_table_touch({.kind = kind,
                                           .type = table_.options.type,
                                           .key_position = table_.options.key_position,
                                           .table = table_.id,
                                           .process = process_});
}

void TableNotes::touch_key(Term key, std::uint8_t access, Decides decides) {
  const std::uint64_t payload = table_row_object(machine_.names, table_, key);
  if (decides == Decides::kYes) {
    machine_.record.note_access(ObjectClass::kTableRow, payload, access);
  } else {
    machine_.record.note_plain_access(ObjectClass::kTableRow, payload, access);
  }
}

void TableNotes::touch_rows(std::uint8_t access) {
  machine_.record.note_plain_access(ObjectClass::kTableRows, table_.id.reference_payload(), access);
}

void TableNotes::survey() { touch_rows(access::kRead); }

void TableNotes::select_to_change() {
  machine_.record.note_access(ObjectClass::kTableRows, table_.id.reference_payload(), access::kRead);
}

void TableNotes::read_to_change(Term key) {
  touch_key(key, access::kRead, Decides::kYes);
  touch(TableTouch::Kind::kRead).key = key;
}

void TableNotes::read(Term key) {
  touch_key(key, access::kRead, Decides::kNo);
  touch(TableTouch::Kind::kRead).key = key;
}

void TableNotes::insert(Term key, Term row, const RowGroup& before) {
  touch_key(key, access::kWrite, Decides::kNo);
  touch_rows(access::kChange);
  TableTouch& touch = this->touch(TableTouch::Kind::kInsert);
  touch.key = key;
  touch.before = before.exists() ? before.rows : Term::none();
  touch.after = row;
}

void TableNotes::change(Term key, const RowGroup& before, Term after) {
  touch_key(key, access::kWrite, Decides::kYes);
  touch_rows(access::kChange);
  TableTouch& touch = this->touch(TableTouch::Kind::kChange);
  touch.key = key;
  touch.before = before.exists() ? before.rows : Term::none();
  touch.after = after;
}

void TableNotes::select(Term specification) {
  survey();
  touch(TableTouch::Kind::kSelect).specification = specification;
}

void TableNotes::select(Term specification, const std::vector<Term>& keys) {
  for (const Term key : keys) touch_key(key, access::kRead, Decides::kNo);
  touch(TableTouch::Kind::kSelect).specification = specification;
}

void TableNotes::order(Term from, Term to) {
  survey();
  TableTouch& touch = this->touch(TableTouch::Kind::kOrder);
  touch.from = from;
  touch.to = to;
}

void TableNotes::all() {
  survey();
  touch(TableTouch::Kind::kAll);
}

void TableNotes::fixing(std::uint8_t access) {
  machine_.record.note_access(ObjectClass::kTableFixing, table_.id.reference_payload(), access);
}

}  // namespace ravel::erlang
