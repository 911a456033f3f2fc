// Walking through ets tables key by key or slot by slot, and fixing them meanwhile.
#include <algorithm>
#include <vector>

#include "erlang/bif/ets_family.h"
#include "erlang/bif/shown_names.h"
#include "erlang/machine/table_notes.h"
#include "erlang/term/hash_map.h"
#include "erlang/term/header.h"

namespace ravel::erlang {

namespace {

// What a step to a neighbour answers: its key, or its key with its rows.
enum class Answer { kKey, kKeyAndRows };

Term answer_of(Call& call, Table& table, const RowGroup& group, Answer answer) {
  if (!may_see_place(call, table, group.key)) return Term::none();
  if (!group.exists()) return atoms::kEOT;
  if (answer == Answer::kKey) return group.key;
  notes_of(call, table).read(group.key);
  return call.heap.tuple({group.key, rows_of(call, table).list(group)});
}

enum class Side : std::uint8_t { kFirst, kLast };

// Nothing stands between one side of the table and the key that was found.
Term end_of(Call& call, const Term* arguments, Side side, Answer answer) {
  Table* table = find_table(call, arguments[0], TableRight::kRead);
  if (table == nullptr) return Term::none();
  const RowGroup found = side == Side::kFirst ? rows_of(call, *table).first() : rows_of(call, *table).last();
  if (side == Side::kFirst) {
    notes_of(call, *table).order(Term::none(), found.key);
  } else {
    notes_of(call, *table).order(found.key, Term::none());
  }
  return answer_of(call, *table, found, answer);
}

// A key that is not there, and was not deleted since the table was fixed, has no next one in a hash table.
Term next(Call& call, const Term* arguments, Answer answer) {
  Table* table = find_table(call, arguments[0], TableRight::kRead);
  if (table == nullptr) return Term::none();
  const Term key = arguments[1];
  const TableRows contents = rows_of(call, *table);
  if (table->is_hash()) {
    notes_of(call, *table).read_to_change(key);
    notes_of(call, *table).fixing(access::kRead);
    if (!contents.knows(key)) return call.badarg();
    if (!may_see_place(call, *table, key)) return Term::none();
  } else if (key == atoms::kEOT) {
    return call.badarg();
  }
  if (!table->is_hash() && !may_see_place(call, *table, key)) return Term::none();
  const RowGroup next = contents.next(key);
  notes_of(call, *table).order(key, next.key);
  return answer_of(call, *table, next, answer);
}

// A hash table has one direction.
Term previous(Call& call, const Term* arguments, Answer answer) {
  Table* table = find_table(call, arguments[0], TableRight::kRead);
  if (table == nullptr) return Term::none();
  if (table->is_hash()) return next(call, arguments, answer);
  if (arguments[1] == atoms::kEOT) return call.badarg();
  if (!may_see_place(call, *table, arguments[1])) return Term::none();
  const RowGroup previous = rows_of(call, *table).previous(arguments[1]);
  notes_of(call, *table).order(previous.key, arguments[1]);
  return answer_of(call, *table, previous, answer);
}

}  // namespace

Term ets_first_1(Call& call, const Term* arguments) {
  return end_of(call, arguments, Side::kFirst, Answer::kKey);
}
Term ets_first_lookup_1(Call& call, const Term* arguments) {
  return end_of(call, arguments, Side::kFirst, Answer::kKeyAndRows);
}
Term ets_last_1(Call& call, const Term* arguments) {
  return end_of(call, arguments, Side::kLast, Answer::kKey);
}
Term ets_last_lookup_1(Call& call, const Term* arguments) {
  return end_of(call, arguments, Side::kLast, Answer::kKeyAndRows);
}
Term ets_next_2(Call& call, const Term* arguments) { return next(call, arguments, Answer::kKey); }
Term ets_next_lookup_2(Call& call, const Term* arguments) {
  return next(call, arguments, Answer::kKeyAndRows);
}
Term ets_prev_2(Call& call, const Term* arguments) { return previous(call, arguments, Answer::kKey); }
Term ets_prev_lookup_2(Call& call, const Term* arguments) {
  return previous(call, arguments, Answer::kKeyAndRows);
}

// A slot of an ordered_set is a row; a hash table has a fixed number of slots.
Term ets_slot_2(Call& call, const Term* arguments) {
  Table* table = find_table(call, arguments[0], TableRight::kRead);
  if (table == nullptr) return Term::none();
  notes_of(call, *table).all();
  if (!arguments[1].is_small() || arguments[1].small_value() < 0) return call.badarg();
  const auto slot = static_cast<std::uint64_t>(arguments[1].small_value());
  const std::uint64_t slots = table->is_hash() ? kHashMapSlots : table->size;
  // An empty ordered_set that counts its rows in several places has no slots at all in the emulator.
  const bool has_no_end = slots == 0 && table->options.has_decentralized_counters;
  if (call.machine.opaque_names.are_watched())
    for (const RowGroup& group : rows_of(call, *table).all())
      if (!may_see_place(call, *table, group.key)) return Term::none();
  if (slot >= slots) return slot == slots && !has_no_end ? atoms::kEOT : call.badarg();
  if (!table->is_hash()) {
    const OrderedTree tree(call.heap, call.names, table->options.key_position);
    return call.heap.cons(tree.at(table->rows, slot), Term::nil());
  }
  std::vector<Term> leaves;
  hash_map_slot(call.names, table->rows, static_cast<std::uint32_t>(slot), leaves);
  Term rows = Term::nil();
  for (const Term leaf : leaves)
    RowGroup{.key = leaf.head(), .rows = leaf.tail()}.for_each(
        [&](Term row) { rows = call.heap.cons(row, rows); });
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
  notes_of(call, *table).fixing(is_change ? access::kWrite : access::kRead);
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
