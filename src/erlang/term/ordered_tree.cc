#include "erlang/term/ordered_tree.h"

#include "base/check.h"
#include "erlang/term/compare.h"
#include "erlang/term/hash_functions.h"
#include "erlang/term/header.h"

namespace ravel::erlang {

namespace {

constexpr int kCountBits = 27;
constexpr std::uint64_t kCountMax = (std::uint64_t{1} << kCountBits) - 1;

Term left_of(Term tree) { return tree.object()[1]; }
Term right_of(Term tree) { return tree.object()[2]; }
Term row_of(Term tree) { return tree.object()[3]; }
std::uint64_t summary_of(Term tree) { return static_cast<std::uint64_t>(tree.object()[4].small_value()); }
std::uint32_t hash_of(Term tree) { return static_cast<std::uint32_t>(summary_of(tree) >> kCountBits); }

}  // namespace

std::uint64_t OrderedTree::size(Term tree) { return tree.is_nil() ? 0 : summary_of(tree) & kCountMax; }

Term OrderedTree::key_of(Term row) const { return row.object()[key_position_]; }

Term OrderedTree::node(Term left, Term right, Term row, std::uint32_t hash) {
  const std::uint64_t count = size(left) + size(right) + 1;
  CHECK_MESSAGE(count <= kCountMax, "an ordered_set table with more than 134 million rows");
  Term* object = heap_.allocate(5);
  object[0] = make_header(Kind::kTuple, 4);
  object[1] = left;
  object[2] = right;
  object[3] = row;
  object[4] = Term::small(static_cast<std::int64_t>(std::uint64_t{hash} << kCountBits | count));
  return Term::boxed(object);
}

// Does a row with this key belong above the root of `tree`? Of equal hashes the smaller key does.
bool OrderedTree::is_above(Term key, std::uint32_t hash, Term tree) const {
  if (tree.is_nil()) return true;
  const std::uint32_t other = hash_of(tree);
  return hash != other ? hash > other : compare_silently(names_, key, key_of(row_of(tree))) < 0;
}

Term OrderedTree::find(Term tree, Term key) const {
  while (!tree.is_nil()) {
    const Term row = row_of(tree);
    const int order = compare_silently(names_, key, key_of(row));
    if (order == 0) return row;
    tree = order < 0 ? left_of(tree) : right_of(tree);
  }
  return Term::none();
}

OrderedTree::Parts OrderedTree::split(Term tree, Term key) {
  if (tree.is_nil()) return {tree, tree};
  const Term row = row_of(tree);
  if (compare_silently(names_, key, key_of(row)) < 0) {
    const Parts parts = split(left_of(tree), key);
    return {parts.left, node(parts.right, right_of(tree), row, hash_of(tree))};
  }
  const Parts parts = split(right_of(tree), key);
  return {node(left_of(tree), parts.left, row, hash_of(tree)), parts.right};
}

Term OrderedTree::join(Term left, Term right) {
  if (left.is_nil()) return right;
  if (right.is_nil()) return left;
  if (is_above(key_of(row_of(left)), hash_of(left), right))
    return node(left_of(left), join(right_of(left), right), row_of(left), hash_of(left));
  return node(join(left, left_of(right)), right_of(right), row_of(right), hash_of(right));
}

// REQUIRES: the key is not there.
Term OrderedTree::add(Term tree, Term row, Term key, std::uint32_t hash) {
  if (is_above(key, hash, tree)) {
    const Parts parts = split(tree, key);
    return node(parts.left, parts.right, row, hash);
  }
  if (compare_silently(names_, key, key_of(row_of(tree))) < 0)
    return node(add(left_of(tree), row, key, hash), right_of(tree), row_of(tree), hash_of(tree));
  return node(left_of(tree), add(right_of(tree), row, key, hash), row_of(tree), hash_of(tree));
}

// REQUIRES: the key is there, and is exactly the same.
Term OrderedTree::replace(Term tree, Term row, Term key) {
  const int order = compare_silently(names_, key, key_of(row_of(tree)));
  if (order == 0) return node(left_of(tree), right_of(tree), row, hash_of(tree));
  if (order < 0) return node(replace(left_of(tree), row, key), right_of(tree), row_of(tree), hash_of(tree));
  return node(left_of(tree), replace(right_of(tree), row, key), row_of(tree), hash_of(tree));
}

Term OrderedTree::put(Term tree, Term row) {
  const Term key = key_of(row);
  const Term old = find(tree, key);
  if (old == row) return tree;
  if (!old.is_none()) {
    if (equal_exactly(key_of(old), key)) return replace(tree, row, key);
    tree = remove(tree, key);  // 1 takes the place of 1.0, and stands elsewhere
  }
  return add(tree, row, key, key_hash(names_, key, 0));
}

Term OrderedTree::remove(Term tree, Term key) {
  const Term row = row_of(tree);
  const int order = compare_silently(names_, key, key_of(row));
  if (order == 0) return join(left_of(tree), right_of(tree));
  if (order < 0) return node(remove(left_of(tree), key), right_of(tree), row, hash_of(tree));
  return node(left_of(tree), remove(right_of(tree), key), row, hash_of(tree));
}

Term OrderedTree::next(Term tree, Term key) const {
  Term found = Term::none();
  while (!tree.is_nil()) {
    const Term row = row_of(tree);
    if (compare_silently(names_, key, key_of(row)) < 0) {
      found = row;
      tree = left_of(tree);
    } else {
      tree = right_of(tree);
    }
  }
  return found;
}

Term OrderedTree::previous(Term tree, Term key) const {
  Term found = Term::none();
  while (!tree.is_nil()) {
    const Term row = row_of(tree);
    if (compare_silently(names_, key, key_of(row)) > 0) {
      found = row;
      tree = right_of(tree);
    } else {
      tree = left_of(tree);
    }
  }
  return found;
}

Term OrderedTree::first(Term tree) const {
  while (!left_of(tree).is_nil()) tree = left_of(tree);
  return row_of(tree);
}

Term OrderedTree::last(Term tree) const {
  while (!right_of(tree).is_nil()) tree = right_of(tree);
  return row_of(tree);
}

void OrderedTree::append_rows(Term tree, std::vector<Term>& rows) {
  std::vector<Term> pending;
  while (!tree.is_nil() || !pending.empty()) {
    for (; !tree.is_nil(); tree = left_of(tree)) pending.push_back(tree);
    tree = pending.back();
    pending.pop_back();
    rows.push_back(row_of(tree));
    tree = right_of(tree);
  }
}

Term OrderedTree::at(Term tree, std::uint64_t index) const {
  for (;;) {
    const std::uint64_t before = size(left_of(tree));
    if (index == before) return row_of(tree);
    if (index < before) {
      tree = left_of(tree);
    } else {
      index -= before + 1;
      tree = right_of(tree);
    }
  }
}

}  // namespace ravel::erlang
