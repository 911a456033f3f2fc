// Counting, deleting and replacing the rows that fit a match specification.
#include <utility>
#include <vector>

#include "erlang/bif/ets_family.h"
#include "erlang/bif/table_selection.h"
#include "erlang/machine/table_notes.h"
#include "erlang/term/compare.h"
#include "erlang/term/header.h"
#include "erlang/term/map.h"

namespace ravel::erlang {

namespace {

// ---- May a specification replace rows?
// ----------------------------------------------------------------------

bool is_pair_with_const(Term t) { return is_tuple_of(t, 2) && element(t, 1) == atoms::kConst; }

// Is what the expression makes always the same as what the pattern has fitted? The emulator's rules: it need
// not see all cases.
bool makes_what_fitted(const Names& names, Term pattern, Term expression, bool is_constant) {
  struct Pair {
    Term pattern, expression;
    bool is_constant;
  };
  std::vector<Pair> pending{{pattern, expression, is_constant}};
  while (!pending.empty()) {
    auto [a, b, constant] = pending.back();
    pending.pop_back();
    if (is_tuple(b) && !constant) {
      if (is_tuple_of(b, 1) && is_tuple(element(b, 1))) {
        b = element(b, 1);  // {{...}} makes a tuple
      } else if (is_pair_with_const(b)) {
        pending.push_back({a, element(b, 2), true});
        continue;
      } else {
        return false;
      }
    }
    if (b.is_cons()) {
      if (!a.is_cons()) return false;
      pending.push_back({a.tail(), b.tail(), constant});
      pending.push_back({a.head(), b.head(), constant});
    } else if (is_tuple(b)) {
      if (!is_tuple_of(a, tuple_size(b))) return false;
      for (Word i = tuple_size(b); i > 0; --i) pending.push_back({element(a, i), element(b, i), constant});
    } else if (b.is_boxed()) {
      // What a map fits may have more keys.
      if (is_map(b) || !equal_exactly(a, b)) return false;
    } else if (a != b || a == atoms::kUnderscore || a == atoms::kDollarDollar ||
               a == atoms::kDollarUnderscore || (constant && match_variable(names, a))) {
      return false;
    }
  }
  return true;
}

// Does a clause keep the key of each row that it replaces?
bool keeps_key(const Names& names, Word position, Term pattern, Term body) {
  if (!body.is_cons() || !body.tail().is_nil()) return false;
  const Term expression = body.head();
  if (expression == atoms::kDollarUnderscore) return true;
  const auto key_of = [&](Term row) {
    return is_tuple(row) && tuple_size(row) >= position ? element(row, position) : Term::none();
  };
  const Term fitted = key_of(pattern);
  if (fitted.is_none()) return false;
  const bool is_constant = is_pair_with_const(expression);
  if (!is_constant && !is_tuple_of(expression, 1)) return false;
  const Term key = key_of(is_constant ? element(expression, 2) : element(expression, 1));
  if (key.is_none()) return false;
  if (makes_what_fitted(names, fitted, key, is_constant)) return true;
  // {element, Position, '$_'}
  return !is_constant && is_tuple_of(key, 3) && element(key, 1).is_atom() &&
         names.atoms.text(element(key, 1)) == "element" &&
         element(key, 2) == Term::small(static_cast<std::int64_t>(position)) &&
         element(key, 3) == atoms::kDollarUnderscore;
}

bool keeps_keys(Call& call, const Table& table, Term source) {
  for (; source.is_cons(); source = source.tail()) {
    const Term clause = source.head();
    if (!is_tuple_of(clause, 3) ||
        !keeps_key(call.names, table.options.key_position, element(clause, 1), element(clause, 3)))
      return false;
  }
  return source.is_nil();
}

}  // namespace

Term ets_select_count_2(Call& call, const Term* arguments) {
  Table* table = find_table(call, arguments[0], TableRight::kRead);
  if (table == nullptr) return Term::none();
  TableSelection selection(call, *table);
  if (!selection.prepare(arguments[1])) return call.badarg();
  std::int64_t count = 0;
  for (const RowGroup& group : selection.groups())
    group.for_each([&](Term row) { count += selection.run(row) == atoms::kTrue ? 1 : 0; });
  return Term::small(count);
}

Term ets_internal_select_delete_2(Call& call, const Term* arguments) {
  Table* table = find_table(call, arguments[0], TableRight::kWrite);
  if (table == nullptr) return Term::none();
  TableSelection selection(call, *table);
  if (!selection.prepare(arguments[1])) return call.badarg();
  notes_of(call, *table).select_to_change();
  std::int64_t count = 0;
  for (const RowGroup& group : selection.groups()) {
    std::vector<Term> kept;
    std::int64_t gone = 0;
    group.for_each([&](Term row) {
      if (selection.run(row) == atoms::kTrue) {
        ++gone;
      } else {
        kept.push_back(row);
      }
    });
    if (gone == 0) continue;
    count += gone;
    const Term left = kept.empty() ? Term::none() : call.heap.list(kept);
    notes_of(call, *table).change(group.key, group, left);
    if (table->is_hash()) notes_of(call, *table).fixing(access::kRead);
    call.machine.tables.touch(*table);
    if (kept.empty()) {
      selection.contents().erase(group.key);
    } else {
      selection.contents().replace_group(group, left);
      table->size -= static_cast<std::uint64_t>(gone);
    }
  }
  return Term::small(count);
}

Term ets_select_replace_2(Call& call, const Term* arguments) {
  Table* table = find_table(call, arguments[0], TableRight::kWrite);
  if (table == nullptr) return Term::none();
  if (table->options.type == TableType::kBag) return call.fail(atoms::kBadarg, atoms::kTableType);
  TableSelection selection(call, *table);
  if (!keeps_keys(call, *table, arguments[1]) || !selection.prepare(arguments[1])) return call.badarg();
  notes_of(call, *table).select_to_change();
  std::int64_t count = 0;
  for (const RowGroup& group : selection.groups()) {
    std::vector<Term> rows;
    std::int64_t replaced = 0;
    group.for_each([&](Term row) {
      const Term value = selection.run(row);
      replaced += value.is_none() ? 0 : 1;
      rows.push_back(value.is_none() ? row : value);
    });
    if (replaced == 0) continue;
    count += replaced;
    const Term after = table->is_bag() ? call.heap.list(rows) : rows.front();
    notes_of(call, *table).change(group.key, group, after);
    call.machine.tables.touch(*table);
    selection.contents().replace_group(group, after);
  }
  return Term::small(count);
}

}  // namespace ravel::erlang
