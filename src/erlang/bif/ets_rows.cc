// Rows of ets tables by key: insert, look up, delete.
#include <algorithm>
#include <span>
#include <vector>

#include "erlang/bif/ets_family.h"
#include "erlang/machine/table_notes.h"
#include "erlang/term/header.h"
#include "erlang/term/release.h"

namespace ravel::erlang {

namespace {

enum class IfPresent : std::uint8_t { kReplace, kFail };

// Puts rows into a table, whatever is there.
void insert_rows(Call& call, Table& table, std::span<const Term> rows) {
  TableRows contents = rows_of(call, call.machine.tables.touch(table));
  TableNotes notes = notes_of(call, table);
  for (const Term row : rows) {
    const Term key = contents.key_of(row);
    notes.insert(key, row, contents.find(key));
    contents.insert(row);
  }
}

// In which the emulator inserts them.
void put_in_order(const Table& table, std::vector<Term>& rows) {
  if (table.options.type == TableType::kBag && installed_release().inserts_bags_backwards)
    std::ranges::reverse(rows);
}

// Rows whose keys were looked for and not found: a list may have several with one key.
void add_new_rows(Call& call, Table& table, std::vector<Term> rows) {
  put_in_order(table, rows);
  TableRows contents = rows_of(call, call.machine.tables.touch(table));
  for (const Term row : rows) {
    const Term key = contents.key_of(row);
    const RowGroup before = contents.find(key);
    contents.insert(row);
    notes_of(call, table).change(key, before, contents.find(key).rows);
  }
}

Term insert(Call& call, const Term* arguments, IfPresent if_present) {
  Table* table = find_table(call, arguments[0], TableRight::kWrite);
  if (table == nullptr) return Term::none();
  const TableRows contents = rows_of(call, *table);
  if (if_present == IfPresent::kReplace && contents.is_row(arguments[1])) {
    insert_rows(call, *table, {&arguments[1], 1});
    return atoms::kTrue;
  }
  std::vector<Term> rows;
  Term rest = arguments[1];
  if (rest.is_cons()) {
    for (; rest.is_cons(); rest = rest.tail()) rows.push_back(rest.head());
    if (!rest.is_nil()) return call.badarg();
  } else if (!rest.is_nil()) {
    rows.push_back(rest);
  }
  for (const Term row : rows)
    if (!contents.is_row(row)) return call.badarg();
  if (if_present == IfPresent::kFail) {
    for (const Term row : rows) {
      const Term key = contents.key_of(row);
      notes_of(call, *table).read_to_change(key);
      if (contents.has(key)) return atoms::kFalse;
    }
    add_new_rows(call, *table, rows);
    return atoms::kTrue;
  }
  put_in_order(*table, rows);
  insert_rows(call, *table, rows);
  return atoms::kTrue;
}

// Deletes can be noticed by whoever has fixed the table, and whether it is fixed decides what they leave
// behind.
void note_deletion(Call& call, const Table& table, const RowGroup& before, Term after) {
  TableNotes notes = notes_of(call, table);
  notes.change(before.key, before, after);
  if (table.is_hash()) notes.fixing(access::kRead);
}

}  // namespace

Term ets_insert_2(Call& call, const Term* arguments) { return insert(call, arguments, IfPresent::kReplace); }
Term ets_insert_new_2(Call& call, const Term* arguments) { return insert(call, arguments, IfPresent::kFail); }

Term ets_lookup_2(Call& call, const Term* arguments) {
  Table* table = find_table(call, arguments[0], TableRight::kRead);
  if (table == nullptr) return Term::none();
  notes_of(call, *table).read(arguments[1]);
  const TableRows contents = rows_of(call, *table);
  return contents.list(contents.find(arguments[1]));
}

namespace {

// `standard`: the answer if there is no row; or Term::none().
Term lookup_element(Call& call, const Term* arguments, Term standard) {
  Table* table = find_table(call, arguments[0], TableRight::kRead);
  if (table == nullptr) return Term::none();
  if (!arguments[2].is_small() || arguments[2].small_value() < 1) return call.badarg();
  const auto position = static_cast<Word>(arguments[2].small_value());
  notes_of(call, *table).read(arguments[1]);
  const RowGroup group = rows_of(call, *table).find(arguments[1]);
  if (!group.exists()) return standard.is_none() ? call.fail(atoms::kBadarg, atoms::kBadkey) : standard;
  bool is_short = false;
  group.for_each([&](Term row) { is_short |= position > tuple_size(row); });
  if (is_short) return call.badarg();
  if (!table->is_bag()) return element(group.rows, position);
  Term values = Term::nil();
  group.for_each([&](Term row) { values = call.heap.cons(element(row, position), values); });
  return values;
}

}  // namespace

Term ets_lookup_element_3(Call& call, const Term* arguments) {
  return lookup_element(call, arguments, Term::none());
}
Term ets_lookup_element_4(Call& call, const Term* arguments) {
  return lookup_element(call, arguments, arguments[3]);
}

Term ets_member_2(Call& call, const Term* arguments) {
  Table* table = find_table(call, arguments[0], TableRight::kRead);
  if (table == nullptr) return Term::none();
  notes_of(call, *table).read(arguments[1]);
  return atoms::boolean(rows_of(call, *table).has(arguments[1]));
}

Term ets_take_2(Call& call, const Term* arguments) {
  Table* table = find_table(call, arguments[0], TableRight::kWrite);
  if (table == nullptr) return Term::none();
  TableRows contents = rows_of(call, *table);
  const RowGroup group = contents.find(arguments[1]);
  if (!group.exists()) {
    notes_of(call, *table).read_to_change(arguments[1]);
    return Term::nil();
  }
  const Term taken = contents.list(group);
  note_deletion(call, *table, group, Term::none());
  call.machine.tables.touch(*table);
  contents.erase(arguments[1]);
  return taken;
}

Term ets_delete_2(Call& call, const Term* arguments) {
  Table* table = find_table(call, arguments[0], TableRight::kWrite);
  if (table == nullptr) return Term::none();
  TableRows contents = rows_of(call, *table);
  if (const RowGroup group = contents.find(arguments[1]); group.exists()) {
    note_deletion(call, *table, group, Term::none());
    call.machine.tables.touch(*table);
    contents.erase(arguments[1]);
  } else {
    notes_of(call, *table).read_to_change(arguments[1]);
  }
  return atoms::kTrue;
}

Term ets_delete_object_2(Call& call, const Term* arguments) {
  Table* table = find_table(call, arguments[0], TableRight::kWrite);
  if (table == nullptr) return Term::none();
  TableRows contents = rows_of(call, *table);
  const Term row = arguments[1];
  if (!contents.is_row(row)) return call.badarg();
  const Term key = contents.key_of(row);
  const RowGroup before = contents.find(key);
  if (contents.erase_row(row) > 0) {
    const RowGroup after = contents.find(key);
    note_deletion(call, *table, before, after.exists() ? after.rows : Term::none());
    call.machine.tables.touch(*table);
  } else {
    notes_of(call, *table).read_to_change(key);
  }
  return atoms::kTrue;
}

Term ets_internal_delete_all_2(Call& call, const Term* arguments) {
  Table* table = find_table(call, arguments[0], TableRight::kWrite);
  if (table == nullptr) return Term::none();
  if (arguments[1] != atoms::kUndefined)
    return arguments[1];  // where the emulator goes on after an interruption
  notes_of(call, *table).all();
  for (const RowGroup& group : rows_of(call, *table).all()) note_deletion(call, *table, group, Term::none());
  return call.heap.unsigned_integer(rows_of(call, call.machine.tables.touch(*table)).clear());
}

}  // namespace ravel::erlang
