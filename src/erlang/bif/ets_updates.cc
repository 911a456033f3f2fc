// ets:update_counter and ets:update_element: changes of one row in place.
//
// All that is asked for is checked first, so a call that fails changes nothing.
#include <algorithm>
#include <vector>

#include "erlang/bif/ets_family.h"
#include "erlang/machine/table_notes.h"
#include "erlang/term/arithmetic.h"
#include "erlang/term/compare.h"
#include "erlang/term/header.h"

namespace ravel::erlang {

namespace {

bool is_set(const Table& table) { return !table.is_bag(); }

void put_row(Call& call, Table& table, Term key, const RowGroup& before, const std::vector<Term>& elements) {
  const Term row = call.heap.tuple(elements);
  notes_of(call, table).change(key, before, row);
  rows_of(call, call.machine.tables.touch(table)).insert(row);
}

std::vector<Term> elements_of(Term row) { return {row.object() + 1, row.object() + 1 + tuple_size(row)}; }

// The elements of a list, or the one tuple; nothing if it is an improper list or something else.
std::optional<std::vector<Term>> operations_of(Term t) {
  std::vector<Term> operations;
  if (is_tuple(t)) return operations.push_back(t), operations;
  for (; t.is_cons(); t = t.tail()) operations.push_back(t.head());
  if (!t.is_nil()) return std::nullopt;
  return operations;
}

// What is wrong with an operation of update_counter on a row: the cause, `none` for no certain one; Term::none() if
// nothing is.
Term check_counter_operation(const Table& table, const std::vector<Term>& elements, Term operation) {
  const Word size = is_tuple(operation) ? tuple_size(operation) : 0;
  if (size != 2 && size != 4) return atoms::kNone;
  if (size == 4 && (!is_integer(element(operation, 3)) || !is_integer(element(operation, 4)))) return atoms::kNone;
  const Term position = element(operation, 1);
  if (!position.is_small() || !is_integer(element(operation, 2))) return atoms::kNone;
  const std::int64_t index = position.small_value();
  if (index == static_cast<std::int64_t>(table.options.key_position)) return atoms::kKeypos;
  if (index < 1 || index > static_cast<std::int64_t>(elements.size())) return atoms::kPosition;
  return is_integer(elements[static_cast<std::size_t>(index - 1)]) ? Term::none() : atoms::kNone;
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

// `standard`: the row to begin with if there is none with the key; or Term::none().
Term update_counter(Call& call, Table& table, const Term* arguments, Term standard) {
  if (!is_set(table)) return call.fail(atoms::kBadarg, atoms::kTableType);
  const Term key = arguments[1];
  const Term what = arguments[2];
  notes_of(call, table).read(key);
  const RowGroup group = rows_of(call, table).find(key);
  std::vector<Term> elements;
  if (group.exists()) {
    elements = elements_of(group.rows);
  } else {
    if (standard.is_none()) return call.fail(atoms::kBadarg, atoms::kBadkey);
    if (!rows_of(call, table).is_row(standard)) return call.badarg();
    elements = elements_of(standard);
    elements[table.options.key_position - 1] = key;
  }
  const auto operations =
      is_integer(what)
          ? std::vector<Term>{call.heap.tuple(
                {Term::small(static_cast<std::int64_t>(table.options.key_position + 1)), what})}
          : operations_of(what);
  if (!operations) {
    // What stands before the improper end is checked first.
    for (Term rest = what; rest.is_cons(); rest = rest.tail())
      if (const Term cause = check_counter_operation(table, elements, rest.head()); !cause.is_none())
        return fail_with(call, cause);
    return call.badarg();
  }
  for (const Term operation : *operations)
    if (const Term cause = check_counter_operation(table, elements, operation); !cause.is_none())
      return fail_with(call, cause);
  std::vector<Term> results;
  for (const Term operation : *operations) {
    Term& counter = elements[static_cast<std::size_t>(element(operation, 1).small_value() - 1)];
    const Term value = count(call, counter, operation);
    if (value.is_none()) return call.system_limit();
    results.push_back(counter = value);
  }
  put_row(call, table, key, group, elements);
  return is_list(what) ? call.heap.list(results) : results.front();
}

}  // namespace

Term ets_update_counter_3(Call& call, const Term* arguments) {
  Table* table = find_table(call, arguments[0], TableRight::kWrite);
  return table == nullptr ? Term::none() : update_counter(call, *table, arguments, Term::none());
}

Term ets_update_counter_4(Call& call, const Term* arguments) {
  Table* table = find_table(call, arguments[0], TableRight::kWrite);
  if (table == nullptr) return Term::none();
  return is_tuple(arguments[3]) ? update_counter(call, *table, arguments, arguments[3]) : call.badarg();
}

Term ets_update_element_3(Call& call, const Term* arguments) {
  Table* table = find_table(call, arguments[0], TableRight::kWrite);
  if (table == nullptr) return Term::none();
  if (!is_set(*table)) return call.badarg();  // without a cause, in OTP 25
  const Term key = arguments[1];
  notes_of(call, *table).read(key);
  const RowGroup group = rows_of(call, *table).find(key);
  if (!group.exists()) return atoms::kFalse;
  std::vector<Term> elements = elements_of(group.rows);
  Term rest = is_tuple(arguments[2]) ? call.heap.cons(arguments[2], Term::nil()) : arguments[2];
  for (; rest.is_cons(); rest = rest.tail()) {
    const Term pair = rest.head();
    if (!is_tuple_of(pair, 2) || !element(pair, 1).is_small()) return call.badarg();
    const std::int64_t position = element(pair, 1).small_value();
    if (position == static_cast<std::int64_t>(table->options.key_position))
      return call.fail(atoms::kBadarg, atoms::kKeypos);
    if (position < 1 || position > static_cast<std::int64_t>(elements.size())) return call.badarg();
    elements[static_cast<std::size_t>(position - 1)] = element(pair, 2);
  }
  if (!rest.is_nil()) return call.badarg();
  put_row(call, *table, key, group, elements);
  return atoms::kTrue;
}

}  // namespace ravel::erlang
