// Rows in the order of their keys: what ordered_set tables are made of (table.h).
//
// The idea: a treap (Aragon and Seidel, "Randomized search trees", 1989) whose priorities are the hashes of
// the keys. So its shape is a function of its content: two trees with the same rows are the same stored
// object, whatever was inserted and deleted before. Nothing is changed in place; a change copies the way to
// the root.
//
//   tree    [], or {Left, Right, Row, Summary}
//   Summary a small integer: hash of the key << 27 | number of rows
//
// Keys are compared with ==, so 1 and 1.0 are one key. A row is a tuple whose element `key_position` is its
// key.
//
// Cost: expected O(log n) comparisons for each operation, as many new nodes for a change.
#pragma once

#include <cstdint>
#include <vector>

#include "erlang/term/heap.h"
#include "erlang/term/names.h"
#include "erlang/term/term.h"

namespace ravel::erlang {

class OrderedTree {
 public:
  OrderedTree(Heap& heap, const Names& names, Word key_position)
      : heap_(heap), names_(names), key_position_(key_position) {}

  // The row with this key, or none.
  Term find(Term tree, Term key) const;
  // The tree with the row added, or put in the place of the one with its key.
  Term put(Term tree, Term row);
  // The tree without the key. REQUIRES: it is there.
  Term remove(Term tree, Term key);

  // The row whose key is the first after `key`, or the last before it; none if there is none.
  Term next(Term tree, Term key) const;
  Term previous(Term tree, Term key) const;
  // REQUIRES: the tree is not [].
  Term first(Term tree) const;
  Term last(Term tree) const;
  // Row number `index`, from 0. REQUIRES: index < size(tree).
  Term at(Term tree, std::uint64_t index) const;
  static std::uint64_t size(Term tree);
  // Appends all rows in order.
  static void append_rows(Term tree, std::vector<Term>& rows);
  // Where to look for rows, seen from a key.
  struct Directions {
    bool before = false, here = false, behind = false;
  };
  // Appends the rows to whose keys `look` leads, in order.
  template <class Look>
  void append_found(Term tree, Look look, std::vector<Term>& rows) const;

 private:
  struct Parts {
    Term left, right;
  };
  Term key_of(Term row) const;
  Term node(Term left, Term right, Term row, std::uint32_t hash);
  bool is_above(Term key, std::uint32_t hash, Term tree) const;
  Term add(Term tree, Term row, Term key, std::uint32_t hash);
  Term replace(Term tree, Term row, Term key);
  Parts split(Term tree, Term key);
  Term join(Term left, Term right);

  Heap& heap_;
  const Names& names_;
  Word key_position_;
};

template <class Look>
void OrderedTree::append_found(Term tree, Look look, std::vector<Term>& rows) const {
  if (tree.is_nil()) return;
  const Term* node = tree.object();
  const Directions to = look(key_of(node[3]));
  if (to.before) append_found(node[1], look, rows);
  if (to.here) rows.push_back(node[3]);
  if (to.behind) append_found(node[2], look, rows);
}

}  // namespace ravel::erlang
