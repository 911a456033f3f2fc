#include "erlang/machine/table.h"

#include <algorithm>

#include "erlang/term/compare.h"
#include "erlang/term/hash_map.h"
#include "erlang/term/header.h"
#include "erlang/term/map.h"
#include "erlang/term/match_specification.h"

namespace ravel::erlang {

namespace {

RowGroup group_of_leaf(Term leaf) {
  return leaf.is_none() ? RowGroup{} : RowGroup{.key = leaf.head(), .rows = leaf.tail()};
}

std::uint64_t length_of(Term rows) {
  if (is_tuple(rows)) return 1;
  std::uint64_t length = 0;
  for (; rows.is_cons(); rows = rows.tail()) ++length;
  return length;
}

}  // namespace

Term TableRows::empty(Heap& heap, TableType type) {
  return type == TableType::kOrderedSet ? Term::nil() : empty_hash_map(heap);
}

bool TableRows::is_row(Term t) const { return is_tuple(t) && tuple_size(t) >= table_.options.key_position; }

OrderedTree TableRows::tree() const { return {heap_, names_, table_.options.key_position}; }

RowGroup TableRows::group_of(Term row) const {
  return row.is_none() ? RowGroup{} : RowGroup{.key = key_of(row), .rows = row};
}

RowGroup TableRows::find(Term key) const {
  if (!table_.is_hash()) return group_of(tree().find(table_.rows, key));
  return group_of_leaf(hash_map_find(names_, table_.rows, key));
}

Term TableRows::list(const RowGroup& group) const {
  Term list = Term::nil();
  if (group.exists()) group.for_each([&](Term row) { list = heap_.cons(row, list); });
  return list;
}

void TableRows::insert(Term row) {
  const Term key = key_of(row);
  if (!table_.is_hash()) {
    table_.rows = tree().put(table_.rows, row);
    table_.size = OrderedTree::size(table_.rows);
    return;
  }
  Term rows = row;
  if (table_.is_bag()) {
    const RowGroup group = find(key);
    const Term others = group.exists() ? group.rows : Term::nil();
    if (table_.options.type == TableType::kBag)
      for (Term rest = others; rest.is_cons(); rest = rest.tail())
        if (equal_exactly(rest.head(), row)) return;
    rows = heap_.cons(row, others);
    ++table_.size;
  }
  table_.rows = hash_map_put(heap_, names_, table_.rows, key, rows, MissingKey::kAdd);
  if (!table_.is_bag()) table_.size = map_size(table_.rows);
  if (!table_.deleted_keys.is_nil() && !hash_map_find(names_, table_.deleted_keys, key).is_none())
    table_.deleted_keys = hash_map_remove(heap_, names_, table_.deleted_keys, key);
}

void TableRows::remember_deleted(Term key) {
  if (!table_.is_fixed() || !table_.is_hash()) return;
  if (table_.deleted_keys.is_nil()) table_.deleted_keys = empty_hash_map(heap_);
  table_.deleted_keys = hash_map_put(heap_, names_, table_.deleted_keys, key, atoms::kTrue, MissingKey::kAdd);
}

// REQUIRES: the key is there.
void TableRows::remove_key(Term key) {
  if (!table_.is_hash()) {
    table_.rows = tree().remove(table_.rows, key);
    return;
  }
  table_.rows = hash_map_remove(heap_, names_, table_.rows, key);
  remember_deleted(key);
}

std::uint64_t TableRows::erase(Term key) {
  const RowGroup group = find(key);
  if (!group.exists()) return 0;
  const std::uint64_t gone = length_of(group.rows);
  remove_key(key);
  table_.size -= gone;
  return gone;
}

std::uint64_t TableRows::erase_row(Term row) {
  const RowGroup group = find(key_of(row));
  if (!group.exists()) return 0;
  std::vector<Term> kept;
  std::uint64_t gone = 0;
  group.for_each([&](Term other) {
    if (equal_exactly(other, row)) {
      ++gone;
    } else {
      kept.push_back(other);
    }
  });
  if (gone == 0) return 0;
  if (kept.empty()) return erase(group.key);
  table_.rows = hash_map_put(heap_, names_, table_.rows, group.key, heap_.list(kept), MissingKey::kFail);
  table_.size -= gone;
  return gone;
}

std::uint64_t TableRows::clear() {
  const std::uint64_t gone = table_.size;
  if (table_.is_fixed() && table_.is_hash())
    for (MapIterator leaves(table_.rows); leaves.next();) remember_deleted(leaves.key());
  table_.rows = empty(heap_, table_.options.type);
  table_.size = 0;
  return gone;
}

void TableRows::replace_group(const RowGroup& group, Term rows) {
  table_.rows = table_.is_hash()
                    ? hash_map_put(heap_, names_, table_.rows, group.key, rows, MissingKey::kFail)
                    : tree().put(table_.rows, rows);
}

RowGroup TableRows::first() const {
  if (table_.size == 0) return {};
  if (!table_.is_hash()) return group_of(tree().first(table_.rows));
  MapIterator leaves(table_.rows);
  leaves.next();
  return {.key = leaves.key(), .rows = leaves.value()};
}

RowGroup TableRows::last() const {
  if (table_.is_hash() || table_.size == 0) return first();
  return group_of(tree().last(table_.rows));
}

RowGroup TableRows::next(Term key) const {
  if (!table_.is_hash()) return group_of(tree().next(table_.rows, key));
  return group_of_leaf(hash_map_next(names_, table_.rows, key));
}

RowGroup TableRows::previous(Term key) const { return group_of(tree().previous(table_.rows, key)); }

std::vector<RowGroup> TableRows::all() const {
  std::vector<RowGroup> groups;
  if (table_.is_hash()) {
    for (MapIterator leaves(table_.rows); leaves.next();)
      groups.push_back({.key = leaves.key(), .rows = leaves.value()});
  } else {
    std::vector<Term> rows;
    OrderedTree::append_rows(table_.rows, rows);
    for (const Term row : rows) groups.push_back(group_of(row));
  }
  return groups;
}

std::vector<RowGroup> TableRows::fitting(std::span<const Term> patterns) const {
  std::vector<Term> rows;
  const auto look = [&](Term key) {
    OrderedTree::Directions to;
    for (const Term pattern : patterns) {
      const int order = compare_pattern(names_, pattern, key);
      to.before |= order <= 0;
      to.here |= order == 0;
      to.behind |= order >= 0;
    }
    return to;
  };
  tree().append_found(table_.rows, look, rows);
  std::vector<RowGroup> groups;
  for (const Term row : rows) groups.push_back(group_of(row));
  return groups;
}

bool TableRows::knows(Term key) const {
  if (has(key)) return true;
  return !table_.deleted_keys.is_nil() && !hash_map_find(names_, table_.deleted_keys, key).is_none();
}

}  // namespace ravel::erlang
