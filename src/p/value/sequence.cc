#include "p/value/sequence.h"

#include <algorithm>

#include "base/check.h"

namespace ravel::p::seq {
namespace {

constexpr std::size_t kBeforeChildren = 2;  // words of a tree: how many elements, how many in a full child

bool is_leaf(Value node) { return kind_of(node) == ObjectKind::kSeq; }
std::size_t full_child(Value tree) { return static_cast<std::size_t>(part(tree, 1).small_value()); }
std::size_t children(Value tree) { return words_of(tree) - kBeforeChildren; }
Value child(Value tree, std::size_t i) { return part(tree, kBeforeChildren + i); }

// The words of a node, and room for one more.
struct Parts {
  explicit Parts(Value node) : count(words_of(node)) {
    for (std::size_t i = 0; i < count; ++i) words[i] = part(node, i);
  }
  void push_back(Value value) { words[count++] = value; }
  Value& back() { return words[count - 1]; }
  std::span<const Value> all() const { return {words, count}; }

  Value words[kBeforeChildren + kSeqLeaf + 1];
  std::size_t count;
};

Value make_leaf(ValueStore& store, std::span<const Value> elements) {
  return store.make(ObjectKind::kSeq, elements);
}

// A tree of nodes that are full, but for the last one.
Value make_tree(ValueStore& store, std::span<const Value> nodes, std::size_t in_full_node) {
  std::vector<Value> parts = {
      Value::small(static_cast<std::int64_t>((nodes.size() - 1) * in_full_node + size(nodes.back()))),
      Value::small(static_cast<std::int64_t>(in_full_node))};
  parts.insert(parts.end(), nodes.begin(), nodes.end());
  return store.make(ObjectKind::kSeqTree, parts);
}

// The sequence of these leaves. REQUIRES: all but the last are full, and none is empty unless it is the only
// one.
Value of_leaves(ValueStore& store, std::vector<Value> nodes) {
  for (std::size_t in_full_node = kSeqLeaf; nodes.size() > 1; in_full_node *= kSeqLeaf) {
    std::vector<Value> above;
    for (std::size_t i = 0; i < nodes.size(); i += kSeqLeaf)
      above.push_back(
          make_tree(store, std::span(nodes).subspan(i, std::min(kSeqLeaf, nodes.size() - i)), in_full_node));
    nodes = std::move(above);
  }
  return nodes[0];
}

void add_leaves(Value node, std::vector<Value>& leaves) {
  if (is_leaf(node)) {
    leaves.push_back(node);
    return;
  }
  for (std::size_t i = 0; i < children(node); ++i) add_leaves(child(node, i), leaves);
}

// The sequence with the first `kept` leaves, which are full, and these elements behind.
Value with_end(ValueStore& store, std::vector<Value> leaves, std::size_t kept, std::span<const Value> end) {
  leaves.resize(kept);
  for (std::size_t i = 0; i < end.size(); i += kSeqLeaf)
    leaves.push_back(make_leaf(store, end.subspan(i, std::min(kSeqLeaf, end.size() - i))));
  return leaves.empty() ? store.empty_seq() : of_leaves(store, std::move(leaves));
}

// A tree of as many elements in a full node, of that one element.
Value chain(ValueStore& store, Value element, std::size_t in_full_node) {
  if (in_full_node == kSeqLeaf) return make_leaf(store, {&element, 1});
  const Value inner = chain(store, element, in_full_node / kSeqLeaf);
  return make_tree(store, {&inner, 1}, in_full_node / kSeqLeaf);
}

// REQUIRES: the node is not full.
Value append_inside(ValueStore& store, Value node, Value element) {
  Parts parts(node);
  if (is_leaf(node)) {
    parts.push_back(element);
    return make_leaf(store, parts.all());
  }
  const std::size_t in_child = full_child(node);
  parts.words[0] = Value::small(parts.words[0].small_value() + 1);
  if (size(parts.back()) == in_child)
    parts.push_back(chain(store, element, in_child));
  else
    parts.back() = append_inside(store, parts.back(), element);
  return store.make(ObjectKind::kSeqTree, parts.all());
}

}  // namespace

std::size_t size(Value seq) {
  return is_leaf(seq) ? words_of(seq) : static_cast<std::size_t>(part(seq, 0).small_value());
}

Value at(Value seq, std::size_t at) {
  while (!is_leaf(seq)) {
    const std::size_t in_child = full_child(seq);
    seq = child(seq, at / in_child);
    at %= in_child;
  }
  return part(seq, at);
}

Value of(ValueStore& store, std::span<const Value> elements) { return with_end(store, {}, 0, elements); }

Value replaced(ValueStore& store, Value seq, std::size_t at, Value element) {
  Parts parts(seq);
  if (is_leaf(seq)) {
    parts.words[at] = element;
    return make_leaf(store, parts.all());
  }
  const std::size_t in_child = full_child(seq);
  Value& changed = parts.words[kBeforeChildren + at / in_child];
  changed = replaced(store, changed, at % in_child, element);
  return store.make(ObjectKind::kSeqTree, parts.all());
}

Value appended(ValueStore& store, Value seq, Value element) {
  const std::size_t in_full = is_leaf(seq) ? kSeqLeaf : full_child(seq) * kSeqLeaf;
  if (size(seq) < in_full) return append_inside(store, seq, element);
  const Value both[] = {seq, chain(store, element, in_full)};
  return make_tree(store, both, in_full);
}

Value inserted(ValueStore& store, Value seq, std::size_t at, Value element) {
  CHECK(at <= size(seq));
  if (at == size(seq)) return appended(store, seq, element);
  std::vector<Value> leaves;
  add_leaves(seq, leaves);
  const std::size_t kept = at / kSeqLeaf;
  std::vector<Value> end;
  for (std::size_t i = kept; i < leaves.size(); ++i)
    for (std::size_t k = 0; k < words_of(leaves[i]); ++k) end.push_back(part(leaves[i], k));
  end.insert(end.begin() + static_cast<std::ptrdiff_t>(at - kept * kSeqLeaf), element);
  return with_end(store, std::move(leaves), kept, end);
}

Value removed(ValueStore& store, Value seq, std::size_t at) {
  CHECK(at < size(seq));
  std::vector<Value> leaves;
  add_leaves(seq, leaves);
  const std::size_t kept = at / kSeqLeaf;
  std::vector<Value> end;
  for (std::size_t i = kept; i < leaves.size(); ++i)
    for (std::size_t k = 0; k < words_of(leaves[i]); ++k) end.push_back(part(leaves[i], k));
  end.erase(end.begin() + static_cast<std::ptrdiff_t>(at - kept * kSeqLeaf));
  return with_end(store, std::move(leaves), kept, end);
}

bool contains(Value seq, Value element) {
  for (std::size_t i = 0; i < (is_leaf(seq) ? words_of(seq) : children(seq)); ++i)
    if (is_leaf(seq) ? part(seq, i) == element : contains(child(seq, i), element)) return true;
  return false;
}

std::vector<Value> elements(Value seq) {
  std::vector<Value> leaves;
  add_leaves(seq, leaves);
  std::vector<Value> result;
  for (const Value leaf : leaves)
    for (std::size_t i = 0; i < words_of(leaf); ++i) result.push_back(part(leaf, i));
  return result;
}

}  // namespace ravel::p::seq
