#include "erlang/term/map.h"

#include <algorithm>
#include <vector>

#include "erlang/term/compare.h"
#include "erlang/term/hash_map.h"
#include "erlang/term/release.h"

namespace ravel::erlang {

namespace {

// A flat map, taken apart. Keys and values count from 0.
struct Flat {
  explicit Flat(Term map)
      : object(map.object()),
        keys(object[1].object() + 1),
        values(object + 2),
        size(size_of(object[0]) - 1) {}

  // The index of a key, or `size`.
  Word find(Term key) const {
    if (key.is_immediate()) {
      for (Word i = 0; i < size; ++i)
        if (keys[i] == key) return i;
    } else {
      for (Word i = 0; i < size; ++i)
        if (equal_exactly(keys[i], key)) return i;
    }
    return size;
  }

  const Term* object;
  const Term* keys;
  const Term* values;
  Word size;
};

// Where a key belongs among sorted keys: before the first one that is greater. REQUIRES: it is not there.
Word place_of(const Names& names, const Term* keys, Word size, Term key) {
  Word low = 0;
  while (low < size) {
    const Word middle = (low + size) / 2;
    if (compare_exactly(names, keys[middle], key) < 0) {
      low = middle + 1;
    } else {
      size = middle;
    }
  }
  return low;
}

// A flat map to be filled by the caller. The keys are those of `keys`.
Term* new_flat(Heap& heap, Term keys, Word size) {
  Term* object = heap.allocate(size + 2);
  object[0] = make_header(Kind::kFlatMap, size + 1);
  object[1] = keys;
  return object;
}

Term* new_tuple(Heap& heap, Word size) {
  Term* tuple = heap.allocate(size + 1);
  tuple[0] = make_header(Kind::kTuple, size);
  return tuple;
}

void append(std::vector<Term>& pairs, Term map) {
  for (MapIterator it(map); it.next();) pairs.insert(pairs.end(), {it.key(), it.value()});
}

// Which key stays when a key is put again: 0.0 and -0.0 are one key but two texts.
enum class KeptKey : std::uint8_t { kOld, kNew };

// A flat map while several pairs are put into it.
class FlatDraft {
 public:
  explicit FlatDraft(const Names& names) : names_(names) {}
  FlatDraft(const Names& names, Term map) : names_(names) {
    const Flat flat(map);
    size_ = flat.size;
    std::copy(flat.keys, flat.keys + size_, keys_);
    std::copy(flat.values, flat.values + size_, values_);
  }

  // False if the map would become too large to be flat.
  bool put(Term key, Term value, KeptKey kept) {
    Word place = size_;  // often the keys come in order
    if (size_ > 0) {
      const int order = compare_exactly(names_, keys_[size_ - 1], key);
      if (order >= 0) place = order == 0 ? size_ - 1 : place_of(names_, keys_, size_ - 1, key);
      if (place < size_ && equal_exactly(keys_[place], key)) {
        if (kept == KeptKey::kNew) keys_[place] = key;
        values_[place] = value;
        return true;
      }
    }
    if (size_ == kFlatMapMax) return false;
    std::copy_backward(keys_ + place, keys_ + size_, keys_ + size_ + 1);
    std::copy_backward(values_ + place, values_ + size_, values_ + size_ + 1);
    keys_[place] = key;
    values_[place] = value;
    ++size_;
    return true;
  }

  // `original` is the map that the draft began with, or none; what did not change is taken from it.
  Term finish(Heap& heap, Term original) const {
    Term keys;
    if (!original.is_none() && Flat(original).size == size_ &&
        std::equal(keys_, keys_ + size_, Flat(original).keys)) {
      if (std::equal(values_, values_ + size_, Flat(original).values)) return original;
      keys = original.object()[1];
    } else {
      Term* tuple = new_tuple(heap, size_);
      std::copy(keys_, keys_ + size_, tuple + 1);
      keys = Term::boxed(tuple);
    }
    Term* object = new_flat(heap, keys, size_);
    std::copy(values_, values_ + size_, object + 2);
    return Term::boxed(object);
  }

 private:
  const Names& names_;
  Word size_ = 0;
  Term keys_[kFlatMapMax];
  Term values_[kFlatMapMax];
};

Term from_many_pairs(Heap& heap, const Names& names, std::span<const Term> pairs) {
  std::vector<HashedPair> hashed = hash_unique_pairs(names, pairs);
  if (hashed.size() > kFlatMapMax) return hash_map_from_pairs(heap, names, pairs, hashed);
  FlatDraft draft(names);
  for (const HashedPair& pair : hashed)
    draft.put(pairs[2 * pair.index], pairs[2 * pair.index + 1], KeptKey::kNew);
  return draft.finish(heap, Term::none());
}

}  // namespace

Term empty_map(Heap& heap) { return Term::boxed(new_flat(heap, Term::boxed(new_tuple(heap, 0)), 0)); }

Term map_get_slowly(const Names& names, Term map, Term key) {
  if (is_flat_map(map)) {
    const Flat flat(map);
    const Word i = flat.find(key);
    return i == flat.size ? Term::none() : flat.values[i];
  }
  const Term leaf = hash_map_find(names, map, key);
  return leaf.is_none() ? leaf : leaf.tail();
}

Term map_update(Heap& heap, const Names& names, Term map, Term key, Term value) {
  if (!is_flat_map(map)) return hash_map_put(heap, names, map, key, value, MissingKey::kFail);
  const Flat flat(map);
  const Word i = flat.find(key);
  if (i == flat.size) return Term::none();
  if (flat.values[i] == value) return map;
  Term* object = new_flat(heap, flat.object[1], flat.size);
  std::copy(flat.values, flat.values + flat.size, object + 2);
  object[2 + i] = value;
  return Term::boxed(object);
}

Term map_put(Heap& heap, const Names& names, Term map, Term key, Term value) {
  if (!is_flat_map(map)) return hash_map_put(heap, names, map, key, value, MissingKey::kAdd);
  if (const Term updated = map_update(heap, names, map, key, value); !updated.is_none()) return updated;
  const Flat flat(map);
  if (flat.size == kFlatMapMax) {
    const Term pair[2] = {key, value};
    return map_put_pairs(heap, names, map, pair);
  }
  const Word place = place_of(names, flat.keys, flat.size, key);
  Term* tuple = new_tuple(heap, flat.size + 1);
  Term* object = new_flat(heap, Term::boxed(tuple), flat.size + 1);
  Term* next_key = std::copy(flat.keys, flat.keys + place, tuple + 1);
  Term* next_value = std::copy(flat.values, flat.values + place, object + 2);
  *next_key++ = key;
  *next_value++ = value;
  std::copy(flat.keys + place, flat.keys + flat.size, next_key);
  std::copy(flat.values + place, flat.values + flat.size, next_value);
  return Term::boxed(object);
}

Term map_remove(Heap& heap, const Names& names, Term map, Term key) {
  if (!is_flat_map(map)) {
    if (hash_map_find(names, map, key).is_none()) return map;
    if (map_size(map) > kFlatMapMax + 1) return hash_map_remove(heap, names, map, key);
    FlatDraft draft(names);
    for (MapIterator it(map); it.next();)
      if (!equal_exactly(it.key(), key)) draft.put(it.key(), it.value(), KeptKey::kNew);
    return draft.finish(heap, Term::none());
  }
  const Flat flat(map);
  const Word i = flat.find(key);
  if (i == flat.size) return map;
  Term* tuple = new_tuple(heap, flat.size - 1);
  Term* object = new_flat(heap, Term::boxed(tuple), flat.size - 1);
  std::copy(flat.keys + i + 1, flat.keys + flat.size, std::copy(flat.keys, flat.keys + i, tuple + 1));
  std::copy(flat.values + i + 1, flat.values + flat.size,
            std::copy(flat.values, flat.values + i, object + 2));
  return Term::boxed(object);
}

Term map_from_pairs(Heap& heap, const Names& names, std::span<const Term> pairs) {
  if (pairs.size() > 2 * kFlatMapMax) return from_many_pairs(heap, names, pairs);
  FlatDraft draft(names);
  for (std::size_t i = 0; i < pairs.size(); i += 2) draft.put(pairs[i], pairs[i + 1], KeptKey::kNew);
  return draft.finish(heap, Term::none());
}

Term map_put_pairs(Heap& heap, const Names& names, Term map, std::span<const Term> pairs) {
  if (is_flat_map(map)) {
    FlatDraft draft(names, map);
    std::size_t i = 0;
    while (i < pairs.size() && draft.put(pairs[i], pairs[i + 1], KeptKey::kOld)) i += 2;
    if (i == pairs.size()) return draft.finish(heap, map);
    std::vector<Term> all;
    append(all, map);
    all.insert(all.end(), pairs.begin(), pairs.end());
    return from_many_pairs(heap, names, all);
  }
  for (std::size_t i = 0; i < pairs.size(); i += 2)
    map = hash_map_put(heap, names, map, pairs[i], pairs[i + 1], MissingKey::kAdd);
  return map;
}

Term map_update_pairs(Heap& heap, const Names& names, Term map, std::span<const Term> pairs, Term* missing) {
  if (!is_flat_map(map)) {
    for (std::size_t i = 0; i < pairs.size(); i += 2) {
      map = hash_map_put(heap, names, map, pairs[i], pairs[i + 1], MissingKey::kFail);
      if (!map.is_none()) continue;
      *missing = pairs[i];
      return map;
    }
    return map;
  }
  const Flat flat(map);
  Term* object = new_flat(heap, flat.object[1], flat.size);
  std::copy(flat.values, flat.values + flat.size, object + 2);
  bool is_same = true;
  for (std::size_t i = 0; i < pairs.size(); i += 2) {
    const Word place = flat.find(pairs[i]);
    if (place == flat.size) {
      *missing = pairs[i];
      return Term::none();
    }
    is_same = is_same && object[2 + place] == pairs[i + 1];
    object[2 + place] = pairs[i + 1];
  }
  return is_same ? map : Term::boxed(object);
}

Term map_merge(Heap& heap, const Names& names, Term left, Term right) {
  if (left == right || map_size(left) == 0) return right;
  if (map_size(right) == 0) return left;
  if (is_flat_map(left) && is_flat_map(right)) {
    const Flat other(right);
    if (Flat(left).object[1] == other.object[1]) return right;
    FlatDraft draft(names, left);
    Word i = 0;
    while (i < other.size && draft.put(other.keys[i], other.values[i], KeptKey::kNew)) ++i;
    if (i == other.size) return draft.finish(heap, right);
    std::vector<Term> all;
    append(all, left);
    append(all, right);
    return from_many_pairs(heap, names, all);
  }
  if (is_flat_map(right)) {
    for (MapIterator it(right); it.next();)
      left = hash_map_put(heap, names, left, it.key(), it.value(), MissingKey::kAdd);
    return left;
  }
  if (is_flat_map(left)) {
    Term result = right;
    for (MapIterator it(left); it.next();)
      if (hash_map_find(names, right, it.key()).is_none())
        result = hash_map_put(heap, names, result, it.key(), it.value(), MissingKey::kAdd);
    return result;
  }
  return hash_map_merge(heap, names, left, right);
}

namespace {

// The list of `make(key, value)`: of a flat map in its order, of a hash map in the order of the release.
template <class Make>
Term list_of(Heap& heap, Term map, Make make) {
  std::vector<Term> items;
  items.reserve(map_size(map));
  for (MapIterator it(map); it.next();) items.push_back(make(it.key(), it.value()));
  if (!is_flat_map(map) && !installed_release().lists_maps_forwards) std::ranges::reverse(items);
  return heap.list(items);
}

}  // namespace

Term map_keys(Heap& heap, Term map) {
  return list_of(heap, map, [](Term key, Term) { return key; });
}
Term map_values(Heap& heap, Term map) {
  return list_of(heap, map, [](Term, Term value) { return value; });
}
Term map_to_list(Heap& heap, Term map) {
  return list_of(heap, map, [&](Term key, Term value) { return heap.tuple({key, value}); });
}

MapIterator::MapIterator(Term map) {
  if (is_flat_map(map)) {
    const Flat flat(map);
    keys_ = flat.keys;
    values_ = flat.values;
    left_ = flat.size;
  } else {
    const std::span<const Term> children = hash_children(map);
    levels_.push({children.data(), children.data() + children.size()});
  }
}

bool MapIterator::next() {
  if (keys_ != nullptr) {
    if (left_ == 0) return false;
    --left_;
    key_ = *keys_++;
    value_ = *values_++;
    return true;
  }
  while (!levels_.is_empty()) {
    Level& level = levels_.top();
    if (level.next == level.end) {
      levels_.pop();
      continue;
    }
    const Term child = *level.next++;
    if (child.is_cons()) {
      key_ = child.head();
      value_ = child.tail();
      return true;
    }
    const std::span<const Term> children = hash_children(child);
    levels_.push({children.data(), children.data() + children.size()});
  }
  return false;
}

}  // namespace ravel::erlang
