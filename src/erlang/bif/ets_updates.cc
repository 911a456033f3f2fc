// ets:update_counter and ets:update_element: changes of one row in place.
//
// All that is asked for is checked first, so a call that fails changes nothing.
#include <span>

#include "erlang/bif/ets_family.h"
#include "erlang/machine/table_notes.h"
#include "erlang/term/arithmetic.h"
#include "erlang/term/compare.h"
#include "erlang/term/header.h"
#include "erlang/term/list.h"
#include "erlang/term/release.h"

namespace ravel::erlang {

namespace {

bool is_set(const Table& table) { return !table.is_bag(); }

// A copy of a row, to be changed before anyone sees it.
Term copy_of(Heap& heap, Term row) {
  return heap.tuple(std::span<const Term>(row.object() + 1, tuple_size(row)));
}
Term& element_at(Term row, std::int64_t position) { return row.object()[position]; }

void put_row(Call& call, Table& table, Term key, const RowGroup& before, Term row) {
  notes_of(call, table).change(key, before, row);
  rows_of(call, call.machine.tables.touch(table)).insert(row);
}

// One tuple stands for the list of it.
Term list_of_operations(Heap& heap, Term t) { return is_tuple(t) ? heap.cons(t, Term::nil()) : t; }

// What is wrong with an operation of update_counter on a row: the cause, `none`
// for no certain one; Term::none() if nothing is.
Term check_counter_operation(const Table& table, Term row, Term operation) {
  const Word size = is_tuple(operation) ? tuple_size(operation) : 0;
  if (size != 2 && size != 4) return atoms::kNone;
  if (size == 4 && (!is_integer(element(operation, 3)) || !is_integer(element(operation, 4))))
    return atoms::kNone;
  const Term position = element(operation, 1);
  if (!position.is_small() || !is_integer(element(operation, 2))) return atoms::kNone;
  const std::int64_t index = position.small_value();
  if (index == static_cast<std::int64_t>(table.options.key_position)) return atoms::kKeypos;
  if (index < 1 || index > static_cast<std::int64_t>(tuple_size(row))) return atoms::kPosition;
  return is_integer(element_at(row, index)) ? Term::none() : atoms::kNone;
}

Term fail_with(Call& call, Term cause) {
  return cause == atoms::kNone ? call.badarg() : call.fail(atoms::kBadarg, cause);
}

// None: the sum is too large.
Term count(Call& call, Term old, Term operation) {
  const Term increment = element(operation, 2);
  const Term sum = add(call.heap, old, increment);
  if (sum.is_none() || tuple_size(operation) == 2) return sum;
  const Term threshold = element(operation, 3);
  const bool goes_down = compare(call.names, increment, Term::small(0)) < 0;
  const int order = compare(call.names, sum, threshold);
  return (goes_down ? order < 0 : order > 0) ? element(operation, 4) : sum;
}

// `standard`: the row to begin with if there is none with the key; or
// Term::none().
Term update_counter(Call& call, Table& table, const Term* arguments, Term standard) {
  if (!is_set(table)) return call.fail(atoms::kBadarg, atoms::kTableType);
  Heap& heap = call.heap;
  const Term key = arguments[1];
  const Term what = arguments[2];
  notes_of(call, table).read_to_change(key);
  const RowGroup group = rows_of(call, table).find(key);
  const auto key_position = static_cast<std::int64_t>(table.options.key_position);
  if (!group.exists()) {
    if (standard.is_none()) return call.fail(atoms::kBadarg, atoms::kBadkey);
    if (!rows_of(call, table).is_row(standard)) return call.badarg();
  }
  const Term row = copy_of(heap, group.exists() ? group.rows : standard);
  if (!group.exists()) element_at(row, key_position) = key;
  const Term operations =
      list_of_operations(heap, is_integer(what) ? heap.tuple({Term::small(key_position + 1), what}) : what);
  Term rest = operations;
  for (; rest.is_cons(); rest = rest.tail())
    if (const Term cause = check_counter_operation(table, row, rest.head()); !cause.is_none())
      return fail_with(call, cause);
  if (!rest.is_nil()) return call.badarg();
  Term results = Term::nil();
  Term value = Term::nil();
  for (rest = operations; rest.is_cons(); rest = rest.tail()) {
    Term& counter = element_at(row, element(rest.head(), 1).small_value());
    value = count(call, counter, rest.head());
    if (value.is_none()) return call.system_limit();
    counter = value;
    results = heap.cons(value, results);
  }
  put_row(call, table, key, group, row);
  return is_list(what) ? reverse_onto(heap, results, Term::nil()) : value;
}

}  // namespace

Term ets_update_counter_3(Call& call, const Term* arguments) {
  Table* table = find_table(call, arguments[0], TableRight::kWrite);
  return table == nullptr ? Term::none() : update_counter(call, *table, arguments, Term::none());
}

Term ets_update_counter_4(Call& call, const Term* arguments) {
  Table* table = find_table(call, arguments[0], TableRight::kWrite);
  if (table == nullptr) return Term::none();
  if (installed_release().refuses_short_defaults && !rows_of(call, *table).is_row(arguments[3]))
    return call.fail(atoms::kBadarg, atoms::kDefault);
  return is_tuple(arguments[3]) ? update_counter(call, *table, arguments, arguments[3]) : call.badarg();
}

namespace {

// `standard` as in update_counter.
Term update_element(Call& call, Table& table, const Term* arguments, Term standard) {
  if (!is_set(table)) return call.badarg();  // without a cause
  const Term key = arguments[1];
  notes_of(call, table).read_to_change(key);
  const RowGroup group = rows_of(call, table).find(key);
  if (!group.exists() && standard.is_none()) return atoms::kFalse;
  const Term row = copy_of(call.heap, group.exists() ? group.rows : standard);
  if (!group.exists()) element_at(row, static_cast<std::int64_t>(table.options.key_position)) = key;
  Term rest = list_of_operations(call.heap, arguments[2]);
  for (; rest.is_cons(); rest = rest.tail()) {
    const Term pair = rest.head();
    if (!is_tuple_of(pair, 2) || !element(pair, 1).is_small()) return call.badarg();
    const std::int64_t position = element(pair, 1).small_value();
    if (position == static_cast<std::int64_t>(table.options.key_position))
      return call.fail(atoms::kBadarg, atoms::kKeypos);
    if (position < 1 || position > static_cast<std::int64_t>(tuple_size(row)))
      return installed_release().explains_positions ? call.fail(atoms::kBadarg, atoms::kPosition)
                                                    : call.badarg();
    element_at(row, position) = element(pair, 2);
  }
  if (!rest.is_nil()) return call.badarg();
  put_row(call, table, key, group, row);
  return atoms::kTrue;
}

}  // namespace

Term ets_update_element_3(Call& call, const Term* arguments) {
  Table* table = find_table(call, arguments[0], TableRight::kWrite);
  return table == nullptr ? Term::none() : update_element(call, *table, arguments, Term::none());
}

Term ets_update_element_4(Call& call, const Term* arguments) {
  Table* table = find_table(call, arguments[0], TableRight::kWrite);
  if (table == nullptr) return Term::none();
  if (!rows_of(call, *table).is_row(arguments[3]))
    return installed_release().explains_default_rows ? call.fail(atoms::kBadarg, atoms::kDefault)
                                                     : call.badarg();
  return update_element(call, *table, arguments, arguments[3]);
}

}  // namespace ravel::erlang
