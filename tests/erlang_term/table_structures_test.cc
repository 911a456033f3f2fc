// What tables are made of, against a sorted list of rows: any history leads to the same content, the same
// order and, for the same content, the same stored object.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "base/random.h"
#include "erlang/term/compare.h"
#include "erlang/term/hash_map.h"
#include "erlang/term/map.h"
#include "erlang/term/ordered_tree.h"
#include "erlang/term/store.h"

namespace ravel::erlang {
namespace {

class TableStructures : public testing::Test {
 protected:
  // Integers, floats that equal some of them, atoms and tuples.
  Term key(std::uint64_t n) {
    switch (n % 4) {
      case 0: return Term::small(static_cast<std::int64_t>(n / 4));
      case 1: return heap.floating(static_cast<double>(n / 4));
      case 2: return names.atoms.intern("key" + std::to_string(n / 4));
      default: return heap.tuple({Term::small(static_cast<std::int64_t>(n / 4)), names.atoms.intern("x")});
    }
  }
  Term row(std::uint64_t n, std::uint64_t value) {
    return heap.tuple({key(n), Term::small(static_cast<std::int64_t>(value))});
  }
  bool is_before(Term a, Term b) { return compare(names, element(a, 1), element(b, 1)) < 0; }

  Heap heap;
  Names names;
  Store store{heap};
  OrderedTree tree{heap, names, 1};
  Random random{20261121};
};

TEST_F(TableStructures, an_ordered_tree_agrees_with_a_sorted_list_and_forgets_its_history) {
  for (int trial = 0; trial < 60; ++trial) {
    const std::uint64_t keys = 4 + random.below(trial < 50 ? 40 : 2000);
    Term rows = Term::nil();
    std::vector<Term> expected;
    for (std::uint64_t step = 0; step < keys * 3; ++step) {
      const Term one = row(random.below(keys), random.below(3));
      const auto place =
          std::ranges::lower_bound(expected, one, [&](Term a, Term b) { return is_before(a, b); });
      const bool is_there = place != expected.end() && !is_before(one, *place);
      ASSERT_EQ(!tree.find(rows, element(one, 1)).is_none(), is_there);
      if (random.below(3) != 0) {
        rows = tree.put(rows, one);
        if (is_there) {
          *place = one;
        } else {
          expected.insert(place, one);
        }
      } else if (is_there) {
        rows = tree.remove(rows, element(one, 1));
        expected.erase(place);
      }
    }
    std::vector<Term> found;
    OrderedTree::append_rows(rows, found);
    ASSERT_EQ(found.size(), expected.size());
    ASSERT_EQ(OrderedTree::size(rows), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      ASSERT_TRUE(equal_exactly(found[i], expected[i]));
      ASSERT_TRUE(equal_exactly(tree.at(rows, i), expected[i]));
      const Term next = tree.next(rows, element(found[i], 1));
      const Term previous = tree.previous(rows, element(found[i], 1));
      ASSERT_EQ(next, i + 1 < found.size() ? found[i + 1] : Term::none());
      ASSERT_EQ(previous, i > 0 ? found[i - 1] : Term::none());
    }
    // The same rows put in another order.
    std::vector<Term> shuffled = expected;
    for (std::size_t i = shuffled.size(); i > 1; --i) std::swap(shuffled[i - 1], shuffled[random.below(i)]);
    Term other = Term::nil();
    for (const Term one : shuffled) other = tree.put(other, one);
    ASSERT_EQ(store.intern(other), store.intern(rows));
    heap.reset();
  }
}

TEST_F(TableStructures, a_hash_map_gives_its_leaves_one_after_the_other_also_behind_keys_that_are_gone) {
  for (const std::uint64_t count : {0U, 1U, 2U, 17U, 40U, 700U}) {
    Term map = empty_hash_map(heap);
    for (std::uint64_t n = 0; n < count; ++n)
      map = hash_map_put(heap, names, map, key(n), Term::small(1), MissingKey::kAdd);
    std::vector<Term> order;
    for (MapIterator leaves(map); leaves.next();) order.push_back(leaves.key());
    ASSERT_EQ(order.size(), count);
    for (std::size_t i = 0; i < order.size(); ++i) {
      const Term expected = i + 1 < order.size() ? order[i + 1] : Term::none();
      const Term next = hash_map_next(names, map, order[i]);
      ASSERT_EQ(next.is_none() ? next : next.head(), expected);
      const Term without = hash_map_remove(heap, names, map, order[i]);
      const Term behind = hash_map_next(names, without, order[i]);
      ASSERT_EQ(behind.is_none() ? behind : behind.head(), expected);
    }
    std::vector<Term> by_slot;
    for (std::uint32_t slot = 0; slot < kHashMapSlots; ++slot) {
      std::vector<Term> leaves;
      hash_map_slot(names, map, slot, leaves);
      for (const Term leaf : leaves) by_slot.push_back(leaf.head());
    }
    ASSERT_EQ(by_slot, order);
    // What is left after deletions does not depend on their order.
    Term less = map;
    Term other = empty_hash_map(heap);
    for (std::size_t i = 0; i < order.size(); i += 2) less = hash_map_remove(heap, names, less, order[i]);
    for (std::size_t i = order.size(); i-- > 0;)
      if (i % 2 == 1) other = hash_map_put(heap, names, other, order[i], Term::small(1), MissingKey::kAdd);
    ASSERT_EQ(store.intern(less), store.intern(other));
    heap.reset();
  }
}

}  // namespace
}  // namespace ravel::erlang
