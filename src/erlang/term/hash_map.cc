#include "erlang/term/hash_map.h"

#include <algorithm>

#include "base/check.h"
#include "erlang/term/compare.h"
#include "erlang/term/hash_functions.h"
#include "erlang/term/header.h"
#include "erlang/term/map.h"

namespace ravel::erlang {

namespace {

constexpr unsigned kLevelsPerHash = 8;

// How many of the low 16 bits are set. (std::popcount is a function call where the processor's instruction
// may not be taken for granted.)
constexpr Word count_bits(Word bits) {
  bits -= bits >> 1 & 0x5555;
  bits = (bits & 0x3333) + (bits >> 2 & 0x3333);
  bits = (bits + (bits >> 4)) & 0x0F0F;
  return (bits + (bits >> 8)) & 0x1F;
}
static_assert(count_bits(0xFFFF) == 16 && count_bits(0xA5C1) == 7 && count_bits(0) == 0);

// Where a key goes, level by level: four bits of its hash, and a new hash when they are used up.
class KeyPath {
 public:
  KeyPath(const Names& names, Term key, unsigned level = 0)
      : names_(names),
        key_(key),
        level_(level),
        hash_(key_hash(names, key, level / kLevelsPerHash) >> (4 * (level % kLevelsPerHash))) {}

  Term key() const { return key_; }
  unsigned level() const { return level_; }
  unsigned slot() const { return hash_ & 15; }
  Word bit() const { return Word{1} << slot(); }
  void descend() {
    ++level_;
    hash_ = level_ % kLevelsPerHash == 0 ? key_hash(names_, key_, level_ / kLevelsPerHash) : hash_ >> 4;
  }
  KeyPath below() const {
    KeyPath path = *this;
    path.descend();
    return path;
  }

 private:
  const Names& names_;
  Term key_;
  unsigned level_;
  std::uint32_t hash_;
};

// A hash map or a hash node, taken apart.
struct Node {
  explicit Node(Term t)
      : object(t.object()), is_root(kind_of(object[0]) == Kind::kHashMap), fields(is_root ? 2 : 1) {}

  Word bitmap() const { return static_cast<Word>(object[fields].small_value()); }
  Word count() const { return size_of(object[0]) - fields; }
  const Term* children() const { return object + fields + 1; }
  // The place of a slot among the children.
  Word place(Word bit) const { return count_bits(bitmap() & (bit - 1)); }

  const Term* object;
  bool is_root;
  Word fields;
};

class Editor {
 public:
  Editor(Heap& heap, const Names& names) : heap_(heap), names_(names) {}

  // `child` with a pair added or replaced. None if the key is missing and must not be added.
  Term put(Term child, const KeyPath& path, Term value, MissingKey missing) {
    if (child.is_cons()) {
      if (equal_exactly(child.head(), path.key())) {
        replaced_ = true;
        return child.tail() == value ? child : leaf(path.key(), value);
      }
      if (missing == MissingKey::kFail) return Term::none();
      return join(child, KeyPath(names_, child.head(), path.level()), leaf(path.key(), value), path);
    }
    const Node node(child);
    const Word bit = path.bit();
    if ((node.bitmap() & bit) == 0) {
      if (missing == MissingKey::kFail) return Term::none();
      return with_child_added(node, bit, leaf(path.key(), value));
    }
    const Term old = node.children()[node.place(bit)];
    const Term fresh = put(old, path.below(), value, missing);
    if (fresh == old) return child;
    return fresh.is_none() ? fresh : with_child_replaced(node, bit, fresh);
  }

  // `child` without the key: none if nothing is left, a leaf if one is left below a node.
  Term remove(Term child, const KeyPath& path) {
    if (child.is_cons()) return Term::none();
    const Node node(child);
    const Word bit = path.bit();
    const Term fresh = remove(node.children()[node.place(bit)], path.below());
    if (fresh.is_none()) {
      if (node.count() == 2 && !node.is_root) {
        const Term other = node.children()[1 - node.place(bit)];
        if (other.is_cons()) return other;
      }
      return with_child_removed(node, bit);
    }
    if (fresh.is_cons() && node.count() == 1 && !node.is_root) return fresh;
    return with_child_replaced(node, bit, fresh);
  }

  // The union of two children at the same place of two tries. Counts keys that both have in `shared_`.
  Term merge(Term left, Term right, unsigned level) {
    if (left == right) {
      shared_ += count_leaves(left);
      return right;
    }
    if (right.is_cons()) {
      if (left.is_cons() && equal_exactly(left.head(), right.head())) {
        ++shared_;
        return right;
      }
      replaced_ = false;
      leaf_ = right;
      const Term result = put(left, KeyPath(names_, right.head(), level), right.tail(), MissingKey::kAdd);
      if (replaced_) ++shared_;
      return result;
    }
    if (left.is_cons()) {
      const KeyPath path(names_, left.head(), level);
      const Term result = add_if_missing(right, path, left);
      if (result == right) ++shared_;
      return result;
    }
    const Node a(left);
    const Node b(right);
    const Word bitmap = a.bitmap() | b.bitmap();
    Term children[16];
    std::size_t count = 0;
    bool is_left = bitmap == a.bitmap();
    bool is_right = bitmap == b.bitmap();
    for (Word rest = bitmap; rest != 0; rest &= rest - 1) {
      const Word bit = rest & -rest;
      if ((a.bitmap() & bit) == 0) {
        children[count] = b.children()[b.place(bit)];
      } else if ((b.bitmap() & bit) == 0) {
        children[count] = a.children()[a.place(bit)];
      } else {
        const Term from_left = a.children()[a.place(bit)];
        const Term from_right = b.children()[b.place(bit)];
        children[count] = merge(from_left, from_right, level + 1);
        is_left = is_left && children[count] == from_left;
        is_right = is_right && children[count] == from_right;
      }
      ++count;
    }
    if (is_right) return right;
    if (is_left) return left;
    return make(a.is_root, bitmap, {children, count});
  }

  Term make(bool is_root, Word bitmap, std::span<const Term> children) {
    Term* object = heap_.allocate(children.size() + (is_root ? 3 : 2));
    Term* next = object;
    *next++ = make_header(is_root ? Kind::kHashMap : Kind::kHashNode, children.size() + (is_root ? 2 : 1));
    if (is_root) *next++ = Term::small(0);  // the caller knows the number of keys
    *next++ = Term::small(static_cast<std::int64_t>(bitmap));
    std::ranges::copy(children, next);
    return Term::boxed(object);
  }

  bool replaced() const { return replaced_; }
  Word shared() const { return shared_; }

 private:
  Term leaf(Term key, Term value) { return leaf_.is_none() ? heap_.cons(key, value) : leaf_; }

  // The node above two leaves with different keys.
  Term join(Term a, const KeyPath& a_path, Term b, const KeyPath& b_path) {
    if (a_path.slot() == b_path.slot()) {
      const Term child = join(a, a_path.below(), b, b_path.below());
      return make(false, a_path.bit(), {&child, 1});
    }
    const Term children[2] = {a_path.slot() < b_path.slot() ? a : b, a_path.slot() < b_path.slot() ? b : a};
    return make(false, a_path.bit() | b_path.bit(), children);
  }

  // Adds a leaf to a node unless its key is there.
  Term add_if_missing(Term child, const KeyPath& path, Term added) {
    if (child.is_cons()) {
      if (equal_exactly(child.head(), path.key())) return child;
      return join(child, KeyPath(names_, child.head(), path.level()), added, path);
    }
    const Node node(child);
    const Word bit = path.bit();
    if ((node.bitmap() & bit) == 0) return with_child_added(node, bit, added);
    const Term old = node.children()[node.place(bit)];
    const Term fresh = add_if_missing(old, path.below(), added);
    return fresh == old ? child : with_child_replaced(node, bit, fresh);
  }

  Term with_child_replaced(const Node& node, Word bit, Term child) {
    const Word words = size_of(node.object[0]) + 1;
    Term* object = heap_.allocate(words);
    std::copy(node.object, node.object + words, object);
    object[node.fields + 1 + node.place(bit)] = child;
    return Term::boxed(object);
  }

  Term with_child_added(const Node& node, Word bit, Term child) {
    Term* object = heap_.allocate(size_of(node.object[0]) + 2);
    Term* next = std::copy(node.object, node.children() + node.place(bit), object);
    *next++ = child;
    std::copy(node.children() + node.place(bit), node.children() + node.count(), next);
    object[0] = make_header(kind_of(node.object[0]), size_of(node.object[0]) + 1);
    object[node.fields] = Term::small(static_cast<std::int64_t>(node.bitmap() | bit));
    return Term::boxed(object);
  }

  Term with_child_removed(const Node& node, Word bit) {
    Term* object = heap_.allocate(size_of(node.object[0]));
    Term* next = std::copy(node.object, node.children() + node.place(bit), object);
    std::copy(node.children() + node.place(bit) + 1, node.children() + node.count(), next);
    object[0] = make_header(kind_of(node.object[0]), size_of(node.object[0]) - 1);
    object[node.fields] = Term::small(static_cast<std::int64_t>(node.bitmap() & ~bit));
    return Term::boxed(object);
  }

  static Word count_leaves(Term child) {
    if (child.is_cons()) return 1;
    Word count = 0;
    for (const Term t : hash_children(child)) count += count_leaves(t);
    return count;
  }

  Heap& heap_;
  const Names& names_;
  Term leaf_ = Term::none();  // of the pair to put, if there is one already
  bool replaced_ = false;
  Word shared_ = 0;
};

// Sets the number of keys in a hash map that was just made.
Term with_size(Term map, Word size) {
  map.object()[1] = Term::small(static_cast<std::int64_t>(size));
  return map;
}

std::uint32_t reverse_groups(std::uint32_t hash) {
  hash = __builtin_bswap32(hash);
  return (hash & 0x0F0F0F0F) << 4 | (hash >> 4 & 0x0F0F0F0F);
}

// Builds the trie of pairs that are sorted by their hash.
class Builder {
 public:
  Builder(Heap& heap, const Names& names, std::span<const Term> pairs)
      : editor_(heap, names), heap_(heap), names_(names), pairs_(pairs) {}

  Term build(std::span<HashedPair> hashed, unsigned level) {
    if (hashed.size() == 1 && level > 0)
      return heap_.cons(pairs_[2 * hashed[0].index], pairs_[2 * hashed[0].index + 1]);
    if (level > 0 && level % kLevelsPerHash == 0) {
      for (HashedPair& pair : hashed)
        pair.hash = reverse_groups(key_hash(names_, pairs_[2 * pair.index], level / kLevelsPerHash));
      std::ranges::sort(hashed, {}, &HashedPair::hash);
    }
    const unsigned shift = 28 - 4 * (level % kLevelsPerHash);
    Word bitmap = 0;
    Term children[16];
    std::size_t count = 0;
    for (std::size_t first = 0; first < hashed.size();) {
      const std::uint32_t slot = hashed[first].hash >> shift & 15;
      std::size_t end = first + 1;
      while (end < hashed.size() && (hashed[end].hash >> shift & 15) == slot) ++end;
      bitmap |= Word{1} << slot;
      children[count++] = build(hashed.subspan(first, end - first), level + 1);
      first = end;
    }
    return editor_.make(level == 0, bitmap, {children, count});
  }

 private:
  Editor editor_;
  Heap& heap_;
  const Names& names_;
  std::span<const Term> pairs_;
};

}  // namespace

Term hash_map_find(const Names& names, Term map, Term key) {
  KeyPath path(names, key);
  Term child = map;
  do {
    const Node node(child);
    const Word bit = path.bit();
    if ((node.bitmap() & bit) == 0) return Term::none();
    child = node.children()[node.place(bit)];
    if (child.is_cons()) return equal_exactly(child.head(), key) ? child : Term::none();
    path.descend();
  } while (true);
}

Term hash_map_put(Heap& heap, const Names& names, Term map, Term key, Term value, MissingKey missing) {
  Editor editor(heap, names);
  const Term result = editor.put(map, KeyPath(names, key), value, missing);
  if (result == map || result.is_none()) return result;
  return editor.replaced() ? result : with_size(result, map_size(map) + 1);
}

Term hash_map_remove(Heap& heap, const Names& names, Term map, Term key) {
  return with_size(Editor(heap, names).remove(map, KeyPath(names, key)), map_size(map) - 1);
}

Term hash_map_merge(Heap& heap, const Names& names, Term left, Term right) {
  Editor editor(heap, names);
  const Term result = editor.merge(left, right, 0);
  if (result == left || result == right) return result;
  return with_size(result, map_size(left) + map_size(right) - editor.shared());
}

Term empty_hash_map(Heap& heap) {
  Term* object = heap.allocate(3);
  object[0] = make_header(Kind::kHashMap, 2);
  object[1] = object[2] = Term::small(0);
  return Term::boxed(object);
}

namespace {

// The leaf that stands first below a child.
Term first_leaf(Term child) {
  while (!child.is_cons()) child = Node(child).children()[0];
  return child;
}

// Which of two different keys comes first: the slots on their ways decide.
bool is_before(const Names& names, Term a, Term b, unsigned level) {
  KeyPath left(names, a, level);
  KeyPath right(names, b, level);
  while (left.slot() == right.slot()) {
    left.descend();
    right.descend();
  }
  return left.slot() < right.slot();
}

}  // namespace

Term hash_map_next(const Names& names, Term map, Term key) {
  KeyPath path(names, key);
  Term next = Term::none();  // first child to the right of the way, as deep as the way goes
  for (Term child = map;;) {
    if (child.is_cons()) {
      if (!equal_exactly(child.head(), key) && is_before(names, key, child.head(), path.level()))
        return child;
      break;
    }
    const Node node(child);
    const Word bit = path.bit();
    const bool has_child = (node.bitmap() & bit) != 0;
    const Word behind = node.place(bit) + (has_child ? 1 : 0);
    if (behind < node.count()) next = node.children()[behind];
    if (!has_child) break;
    child = node.children()[node.place(bit)];
    path.descend();
  }
  return next.is_none() ? next : first_leaf(next);
}

void hash_map_slot(const Names& names, Term map, std::uint32_t slot, std::vector<Term>& leaves) {
  static_assert(kHashMapSlots == 256);
  const std::uint32_t digits[] = {slot >> 4, slot & 15};
  Term child = map;
  for (unsigned level = 0; level < 2; ++level) {
    if (child.is_cons()) {
      if (KeyPath(names, child.head(), level).slot() != digits[level]) return;
      continue;
    }
    const Node node(child);
    const Word bit = Word{1} << digits[level];
    if ((node.bitmap() & bit) == 0) return;
    child = node.children()[node.place(bit)];
  }
  std::vector<Term> pending{child};
  while (!pending.empty()) {
    child = pending.back();
    pending.pop_back();
    if (child.is_cons()) {
      leaves.push_back(child);
    } else {
      const auto children = hash_children(child);
      pending.insert(pending.end(), children.rbegin(), children.rend());
    }
  }
}

std::vector<HashedPair> hash_unique_pairs(const Names& names, std::span<const Term> pairs) {
  const std::size_t count = pairs.size() / 2;
  CHECK(count < UINT32_MAX);
  std::vector<HashedPair> hashed(count);
  for (std::uint32_t i = 0; i < count; ++i) hashed[i] = {reverse_groups(key_hash(names, pairs[2 * i], 0)), i};
  std::ranges::sort(hashed, [](const HashedPair& a, const HashedPair& b) {
    return a.hash != b.hash ? a.hash < b.hash : a.index > b.index;
  });
  // Among equal hashes the last pair stands first; later pairs with its key go.
  std::size_t kept = 0;
  std::size_t group = 0;  // where the pairs with the current hash start
  for (const HashedPair& pair : hashed) {
    if (kept > 0 && hashed[kept - 1].hash != pair.hash) group = kept;
    const auto same_key = [&](const HashedPair& other) {
      return equal_exactly(pairs[2 * other.index], pairs[2 * pair.index]);
    };
    const auto first = hashed.begin() + static_cast<std::ptrdiff_t>(group);
    const auto last = hashed.begin() + static_cast<std::ptrdiff_t>(kept);
    if (std::none_of(first, last, same_key)) hashed[kept++] = pair;
  }
  hashed.resize(kept);
  return hashed;
}

Term hash_map_from_pairs(Heap& heap, const Names& names, std::span<const Term> pairs,
                         std::span<HashedPair> hashed) {
  return with_size(Builder(heap, names, pairs).build(hashed, 0), hashed.size());
}

}  // namespace ravel::erlang
