#include "p/value/ordered_tree.h"

#include <algorithm>

#include "base/hash.h"
#include "p/value/order.h"

namespace ravel::p {
namespace {

// A key, and in a map its value; in a set that is none.
struct Entry {
  Value key, value;
};

bool is_flat(Value whole) { return kind_of(whole) == ObjectKind::kSet || kind_of(whole) == ObjectKind::kMap; }
bool has_values(Value whole) { return is_map(whole); }

// -- Arrays: the keys, then the values

std::size_t flat_size(Value flat) { return words_of(flat) / (has_values(flat) ? 2 : 1); }
Value flat_value(Value flat, std::size_t at) {
  return has_values(flat) ? part(flat, flat_size(flat) + at) : Value::none();
}

// Where the key is, or would be.
std::size_t flat_place(Value flat, Value key) {
  const std::size_t count = flat_size(flat);
  std::size_t at = 0;
  while (at < count && order(part(flat, at), key) < 0) ++at;
  return at;
}

std::vector<Entry> flat_entries(Value flat) {
  std::vector<Entry> result;
  for (std::size_t i = 0; i < flat_size(flat); ++i) result.push_back({part(flat, i), flat_value(flat, i)});
  return result;
}

// -- Trees: how many, a key, its value in a map, those before it, those behind it; none is an empty tree

bool tree_has_values(Value tree) { return kind_of(tree) == ObjectKind::kMapTree; }
std::size_t tree_size(Value tree) {
  return tree.is_none() ? 0 : static_cast<std::size_t>(part(tree, 0).small_value());
}
Entry entry(Value tree) { return {part(tree, 1), tree_has_values(tree) ? part(tree, 2) : Value::none()}; }
Value before(Value tree) { return part(tree, tree_has_values(tree) ? 3 : 2); }
Value behind(Value tree) { return part(tree, tree_has_values(tree) ? 4 : 3); }

Value make_tree(ValueStore& store, Entry root, Value left, Value right) {
  const Value count = Value::small(static_cast<std::int64_t>(1 + tree_size(left) + tree_size(right)));
  if (root.value.is_none()) {
    const Value parts[] = {count, root.key, left, right};
    return store.make(ObjectKind::kSetTree, parts);
  }
  const Value parts[] = {count, root.key, root.value, left, right};
  return store.make(ObjectKind::kMapTree, parts);
}

// Whether the first is nearer to the root. A second mix, since the hash also chooses places in the store's
// table.
bool is_above(Value a, Value b) {
  const std::uint64_t priority = mix(ValueStore::hash(a));
  const std::uint64_t other = mix(ValueStore::hash(b));
  return priority != other ? priority > other : order(a, b) < 0;
}

// REQUIRES: the key is not in the tree.
std::pair<Value, Value> split(ValueStore& store, Value tree, Value key) {
  if (tree.is_none()) return {Value::none(), Value::none()};
  if (order(entry(tree).key, key) < 0) {
    const auto [left, right] = split(store, behind(tree), key);
    return {make_tree(store, entry(tree), before(tree), left), right};
  }
  const auto [left, right] = split(store, before(tree), key);
  return {left, make_tree(store, entry(tree), right, behind(tree))};
}

// All of the first are before all of the second.
Value joined(ValueStore& store, Value a, Value b) {
  if (a.is_none()) return b;
  if (b.is_none()) return a;
  if (is_above(entry(a).key, entry(b).key))
    return make_tree(store, entry(a), before(a), joined(store, behind(a), b));
  return make_tree(store, entry(b), joined(store, a, before(b)), behind(b));
}

Value tree_with(ValueStore& store, Value tree, Entry added) {
  if (tree.is_none()) return make_tree(store, added, tree, tree);
  const Entry root = entry(tree);
  if (root.key == added.key) return make_tree(store, added, before(tree), behind(tree));
  if (is_above(added.key, root.key)) {
    const auto [left, right] = split(store, tree, added.key);
    return make_tree(store, added, left, right);
  }
  if (order(added.key, root.key) < 0)
    return make_tree(store, root, tree_with(store, before(tree), added), behind(tree));
  return make_tree(store, root, before(tree), tree_with(store, behind(tree), added));
}

// REQUIRES: the key is in the tree.
Value tree_without(ValueStore& store, Value tree, Value key) {
  const Entry root = entry(tree);
  if (root.key == key) return joined(store, before(tree), behind(tree));
  if (order(key, root.key) < 0)
    return make_tree(store, root, tree_without(store, before(tree), key), behind(tree));
  return make_tree(store, root, before(tree), tree_without(store, behind(tree), key));
}

// The tree whose root has the key; none if there is none.
Value subtree(Value tree, Value key) {
  while (!tree.is_none() && entry(tree).key != key)
    tree = order(key, entry(tree).key) < 0 ? before(tree) : behind(tree);
  return tree;
}

Value subtree_at(Value tree, std::size_t at) {
  while (true) {
    const std::size_t left = tree_size(before(tree));
    if (at == left) return tree;
    if (at < left) {
      tree = before(tree);
    } else {
      at -= left + 1;
      tree = behind(tree);
    }
  }
}

void add_entries(Value tree, std::vector<Entry>& entries) {
  if (tree.is_none()) return;
  add_entries(before(tree), entries);
  entries.push_back(entry(tree));
  add_entries(behind(tree), entries);
}

// -- Both

std::vector<Entry> entries_of(Value whole) {
  if (is_flat(whole)) return flat_entries(whole);
  std::vector<Entry> result;
  add_entries(whole, result);
  return result;
}

// REQUIRES: in order, at most kFlatMax.
Value make_flat(ValueStore& store, const std::vector<Entry>& entries, bool with_values) {
  std::vector<Value> parts;
  for (const Entry& one : entries) parts.push_back(one.key);
  if (with_values)
    for (const Entry& one : entries) parts.push_back(one.value);
  return store.make(with_values ? ObjectKind::kMap : ObjectKind::kSet, parts);
}

Value find_entry(Value whole, Value key, Value in_set) {
  if (is_flat(whole)) {
    for (std::size_t i = 0; i < flat_size(whole); ++i)
      if (part(whole, i) == key) return has_values(whole) ? flat_value(whole, i) : in_set;
    return Value::none();
  }
  const Value tree = subtree(whole, key);
  if (tree.is_none()) return Value::none();
  return tree_has_values(tree) ? entry(tree).value : in_set;
}

// The array with the entry at that place: a new one, or in the place of the one that is there.
Value flat_with(ValueStore& store, Value flat, std::size_t at, Entry added) {
  const std::size_t count = flat_size(flat);
  const bool is_there = at < count && part(flat, at) == added.key;
  const std::size_t grown = is_there ? 0 : 1;
  Value parts[2 * ordered::kFlatMax];
  std::size_t next = 0;
  const auto copy = [&](std::size_t first, Value mine) {
    for (std::size_t i = 0; i < at; ++i) parts[next++] = part(flat, first + i);
    parts[next++] = mine;
    for (std::size_t i = at + 1 - grown; i < count; ++i) parts[next++] = part(flat, first + i);
  };
  copy(0, added.key);
  if (has_values(flat)) copy(count, added.value);
  return store.make(kind_of(flat), {parts, next});
}

Value with_entry(ValueStore& store, Value whole, Entry added) {
  if (!is_flat(whole)) return tree_with(store, whole, added);
  const std::size_t count = flat_size(whole);
  const std::size_t at = flat_place(whole, added.key);
  if (count < ordered::kFlatMax || (at < count && part(whole, at) == added.key))
    return flat_with(store, whole, at, added);
  Value tree = tree_with(store, Value::none(), added);
  for (const Entry& one : flat_entries(whole)) tree = tree_with(store, tree, one);
  return tree;
}

Value without_entry(ValueStore& store, Value whole, Value key) {
  if (!ordered::contains(whole, key)) return whole;
  if (!is_flat(whole) && tree_size(whole) > ordered::kFlatMax + 1) return tree_without(store, whole, key);
  std::vector<Entry> entries = entries_of(whole);
  std::erase_if(entries, [key](const Entry& one) { return one.key == key; });
  return make_flat(store, entries, has_values(whole));
}

}  // namespace

namespace ordered {

std::size_t size(Value whole) { return is_flat(whole) ? flat_size(whole) : tree_size(whole); }

bool contains(Value whole, Value key) { return !find_entry(whole, key, Value::null()).is_none(); }

Value key_at(Value whole, std::size_t at) {
  return is_flat(whole) ? part(whole, at) : entry(subtree_at(whole, at)).key;
}

Value value_at(Value map, std::size_t at) {
  return is_flat(map) ? flat_value(map, at) : entry(subtree_at(map, at)).value;
}

std::vector<Value> keys(Value whole) {
  std::vector<Value> result;
  for (const Entry& one : entries_of(whole)) result.push_back(one.key);
  return result;
}

std::vector<Value> values(Value map) {
  std::vector<Value> result;
  for (const Entry& one : entries_of(map)) result.push_back(one.value);
  return result;
}

}  // namespace ordered

namespace set {

Value of(ValueStore& store, std::span<const Value> elements) {
  Value result = store.empty_set();
  for (const Value element : elements) result = with(store, result, element);
  return result;
}

Value with(ValueStore& store, Value set, Value element) {
  return ordered::contains(set, element) ? set : with_entry(store, set, {element, Value::none()});
}

Value without(ValueStore& store, Value set, Value element) { return without_entry(store, set, element); }

}  // namespace set

namespace map {

Value find(Value map, Value key) { return find_entry(map, key, Value::none()); }

Value with(ValueStore& store, Value map, Value key, Value value) {
  return with_entry(store, map, {key, value});
}

Value without(ValueStore& store, Value map, Value key) { return without_entry(store, map, key); }

}  // namespace map
}  // namespace ravel::p
