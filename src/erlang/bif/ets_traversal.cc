// Walking through ets tables key by key or slot by slot, and fixing them meanwhile.
#include <algorithm>
#include <vector>

#include "erlang/bif/ets_family.h"
#include "erlang/machine/table_notes.h"
#include "erlang/term/hash_map.h"
#include "erlang/term/header.h"

namespace ravel::erlang {

namespace {

Term key_or_end(const RowGroup& group) { return group.exists() ? group.key : atoms::kEOT; }

}  // namespace

Term ets_first_1(Call& call, const Term* arguments) {
  Table* table = find_table(call, arguments[0], TableRight::kRead);
  if (table == nullptr) return Term::none();
  note_survey(call.machine, *table);
  return key_or_end(rows_of(call, *table).first());
}

Term ets_last_1(Call& call, const Term* arguments) {
  Table* table = find_table(call, arguments[0], TableRight::kRead);
  if (table == nullptr) return Term::none();
  note_survey(call.machine, *table);
  return key_or_end(rows_of(call, *table).last());
}

// A key that is not there, and was not deleted since the table was fixed, has no next one in a hash table.
Term ets_next_2(Call& call, const Term* arguments) {
  Table* table = find_table(call, arguments[0], TableRight::kRead);
  if (table == nullptr) return Term::none();
  const Term key = arguments[1];
  const TableRows contents = rows_of(call, *table);
  note_survey(call.machine, *table);
  if (table->is_hash()) note_fixing(call.machine, *table, access::kRead);
  const bool may_go_on = table->is_hash() ? contents.knows(key) : key != atoms::kEOT;
  return may_go_on ? key_or_end(contents.next(key)) : call.badarg();
}

// A hash table has one direction.
Term ets_prev_2(Call& call, const Term* arguments) {
  Table* table = find_table(call, arguments[0], TableRight::kRead);
  if (table == nullptr) return Term::none();
  if (table->is_hash()) return ets_next_2(call, arguments);
  note_survey(call.machine, *table);
  if (arguments[1] == atoms::kEOT) return call.badarg();
  return key_or_end(rows_of(call, *table).previous(arguments[1]));
}

// A slot of an ordered_set is a row; a hash table has a fixed number of slots.
Term ets_slot_2(Call& call, const Term* arguments) {
  Table* table = find_table(call, arguments[0], TableRight::kRead);
  if (table == nullptr) return Term::none();
  note_survey(call.machine, *table);
  if (!arguments[1].is_small() || arguments[1].small_value() < 0) return call.badarg();
  const auto slot = static_cast<std::uint64_t>(arguments[1].small_value());
  const std::uint64_t slots = table->is_hash() ? kHashMapSlots : table->size;
  if (slot == slots) return atoms::kEOT;
  if (slot > slots)
    return !table->is_hash() && table->options.has_decentralized_counters ? atoms::kEOT : call.badarg();
  if (!table->is_hash()) {
    const OrderedTree tree(call.heap, call.names, table->options.key_position);
    return call.heap.cons(tree.at(table->rows, slot), Term::nil());
  }
  std::vector<Term> leaves;
  hash_map_slot(call.names, table->rows, static_cast<std::uint32_t>(slot), leaves);
  Term rows = Term::nil();
  for (const Term leaf : leaves)
    RowGroup{.key = leaf.head(), .rows = leaf.tail()}.for_each([&](Term row) { rows = call.heap.cons(row, rows); });
  return rows;
}

Term ets_safe_fixtable_2(Call& call, const Term* arguments) {
  Table* table = find_table(call, arguments[0], TableRight::kRead);
  if (table == nullptr) return Term::none();
  if (arguments[1] != atoms::kTrue && arguments[1] != atoms::kFalse) return call.badarg();
  const Term pid = call.self().pid;
  auto& fixations = table->fixations;
  const auto is_before = [&](const Fixation& a, Term b) { return call.names.compare_pids(a.pid, b) < 0; };
  const auto place = std::lower_bound(fixations.begin(), fixations.end(), pid, is_before);
  const bool has_fixed = place != fixations.end() && place->pid == pid;
  const bool is_change = arguments[1] == atoms::kTrue || has_fixed;
  note_fixing(call.machine, *table, is_change ? access::kWrite : access::kRead);
  if (!is_change) return atoms::kTrue;
  call.machine.tables.touch(*table);
  if (arguments[1] == atoms::kTrue) {
    if (has_fixed) {
      ++place->count;
    } else {
      fixations.insert(place, {.pid = pid, .count = 1});
    }
  } else if (--place->count == 0) {
    fixations.erase(place);
    if (!table->is_fixed()) rows_of(call, *table).forget_deleted_keys();
  }
  return atoms::kTrue;
}

}  // namespace ravel::erlang
