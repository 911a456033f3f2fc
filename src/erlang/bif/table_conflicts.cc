#include "erlang/bif/table_conflicts.h"

#include <algorithm>

#include "erlang/bif/match_guards.h"
#include "erlang/term/compare.h"
#include "erlang/term/header.h"

namespace ravel::erlang {

namespace {

using Touch = TableTouch::Kind;

bool is_bag(const TableTouch& touch) {
  return touch.type == TableType::kBag || touch.type == TableType::kDuplicateBag;
}

bool has_key(const TableTouch& touch) {
  return touch.kind == Touch::kRead || touch.kind == Touch::kInsert || touch.kind == Touch::kChange;
}

bool is_same_key(const TableTouch& a, const TableTouch& b) {
  return a.type == TableType::kOrderedSet ? equal(a.key, b.key) : equal_exactly(a.key, b.key);
}

// Was a row there that is not the one inserted? No insertion of the same row beside this one can have put it
// there.
bool has_other_row(const TableTouch& insertion) {
  if (insertion.before.is_none()) return false;
  bool found = false;
  RowGroup{.key = insertion.key, .rows = insertion.before}.for_each(
      [&](Term row) { found |= !equal_exactly(row, insertion.after); });
  return found;
}

bool fits_any(MatchRunner& runner, const TableTouch& touch, Term rows) {
  bool fits = false;
  if (!rows.is_none())
    RowGroup{.key = touch.key, .rows = rows}.for_each(
        [&](Term row) { fits = fits || !runner.run(row).is_none(); });
  return fits;
}

// Does a specification see what an operation put in or took away?
bool sees(Machine& machine, const TableTouch& selection, const TableTouch& change) {
  if (selection.specification.is_nil()) return false;
  Call call(machine, machine.heap, machine.names, nullptr);
  BuiltinGuards guards(call);
  const auto specification = MatchSpecification::compile(machine.heap, machine.names, selection.specification,
                                                         MatchDialect::kTable, guards);
  if (!specification) return true;
  MatchRunner runner(*specification, machine.heap, machine.names, guards, selection.process);
  if (fits_any(runner, change, change.after)) return true;
  const bool adds_only = change.kind == Touch::kInsert && is_bag(change);
  return !adds_only && fits_any(runner, change, change.before);
}

// Did a key come or go? An insertion that found its own row takes the place of the one that put it there.
bool changes_keys(const TableTouch& change) {
  if (change.kind == Touch::kInsert) return !has_other_row(change);
  return change.before.is_none() != change.after.is_none();
}

bool is_within(const Names& names, const TableTouch& order, Term key) {
  if (order.type != TableType::kOrderedSet) return true;
  return (order.from.is_none() || compare(names, order.from, key) <= 0) &&
         (order.to.is_none() || compare(names, key, order.to) <= 0);
}

// 1 can take the place of 1.0: then the key of the table is another one.
bool changes_form_of_key(const TableTouch& change) {
  if (change.type != TableType::kOrderedSet || change.before.is_none() || change.after.is_none())
    return false;
  return !equal_exactly(element(change.before, change.key_position),
                        element(change.after, change.key_position));
}

// REQUIRES: `change` is an insertion or a change, `other` has no key.
bool conflicts_with_change(Machine& machine, const TableTouch& other, const TableTouch& change) {
  switch (other.kind) {
    case Touch::kSelect: return sees(machine, other, change);
    case Touch::kOrder:
      return is_within(machine.names, other, change.key) &&
             (changes_keys(change) || changes_form_of_key(change));
    default: return true;
  }
}

}  // namespace

void settle_repeated_insertion(TableTouch& insertion, std::span<const TableTouch> earlier) {
  if (is_bag(insertion) || insertion.before.is_none() || has_other_row(insertion)) return;
  for (std::size_t i = earlier.size(); i-- > 0;) {
    const TableTouch& other = earlier[i];
    const bool changes = other.kind == Touch::kInsert || other.kind == Touch::kChange;
    if (!changes || other.table != insertion.table || !is_same_key(other, insertion)) continue;
    // What it found is settled already.
    if (other.kind == Touch::kInsert) insertion.before = other.before;
    return;
  }
}

bool table_touches_conflict(Machine& machine, const TableTouch& a, const TableTouch& b) {
  if (a.table != b.table) return false;
  const bool a_changes = a.kind == Touch::kInsert || a.kind == Touch::kChange;
  const bool b_changes = b.kind == Touch::kInsert || b.kind == Touch::kChange;
  if (!a_changes && !b_changes) return false;
  if (has_key(a) && has_key(b)) {
    if (!is_same_key(a, b)) return false;
    return a.kind != Touch::kInsert || b.kind != Touch::kInsert || !equal_exactly(a.after, b.after);
  }
  return a_changes ? conflicts_with_change(machine, b, a) : conflicts_with_change(machine, a, b);
}

bool table_touches_conflict(Machine& machine, std::span<const TableTouch> a, std::span<const TableTouch> b) {
  return std::ranges::any_of(a, [&](const TableTouch& x) {
    return std::ranges::any_of(b, [&](const TableTouch& y) { return table_touches_conflict(machine, x, y); });
  });
}

}  // namespace ravel::erlang
