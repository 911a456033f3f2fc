#include "erlang/term/map.h"

#include <algorithm>
#include <map>
#include <vector>

#include <gtest/gtest.h>

#include "erlang/term/bits.h"
#include "erlang/term/compare.h"
#include "tests/erlang_term/installed_erl.h"
#include "tests/erlang_term/random_term.h"

namespace ravel::erlang {
namespace {

// The same content in the same words? Leaves may be shared or not, so the walk is by structure.
bool same_shape(Term a, Term b) {
  if (a.is_cons() != b.is_cons() || a.is_boxed() != b.is_boxed()) return false;
  if (!a.is_pointer()) return a == b;
  if (a.is_cons()) return same_shape(a.head(), b.head()) && same_shape(a.tail(), b.tail());
  if (is_bitstring(a)) return equal_exactly(a, b);
  if (a.header() != b.header()) return false;
  for (Word i = 1; i <= size_of(a.header()); ++i) {
    const Term x = a.object()[i];
    const Term y = b.object()[i];
    if (is_raw(kind_of(a.header())) ? x != y : !same_shape(x, y)) return false;
  }
  return true;
}

class MapTest : public testing::Test {
 protected:
  Term small(std::int64_t value) { return Term::small(value); }

  Term from_range(std::int64_t count) {
    std::vector<Term> pairs;
    for (std::int64_t i = 0; i < count; ++i) {
      pairs.push_back(small(i));
      pairs.push_back(small(i * 10));
    }
    return map_from_pairs(heap, names, pairs);
  }

  Heap heap;
  Names names;
};

TEST_F(MapTest, AnEmptyMapHasNothing) {
  const Term map = empty_map(heap);
  EXPECT_TRUE(is_map(map));
  EXPECT_EQ(map_size(map), 0U);
  EXPECT_TRUE(map_get(names, map, small(1)).is_none());
  EXPECT_EQ(map_remove(heap, names, map, small(1)), map);
  EXPECT_FALSE(MapIterator(map).next());
}

TEST_F(MapTest, AMapIsFlatUpTo32Keys) {
  EXPECT_TRUE(is_flat_map(from_range(32)));
  EXPECT_FALSE(is_flat_map(from_range(33)));
  const Term large = map_put(heap, names, from_range(32), small(32), small(320));
  EXPECT_TRUE(same_shape(large, from_range(33)));
  EXPECT_TRUE(same_shape(map_remove(heap, names, large, small(32)), from_range(32)));
}

TEST_F(MapTest, PuttingTheSameWordGivesTheSameMap) {
  for (const std::int64_t count : {1, 32, 33, 500}) {
    const Term map = from_range(count);
    EXPECT_EQ(map_put(heap, names, map, small(0), small(0)), map);
    EXPECT_EQ(map_update(heap, names, map, small(0), small(0)), map);
    const Term pair[] = {small(0), small(0)};
    EXPECT_EQ(map_put_pairs(heap, names, map, pair), map);
    Term missing;
    EXPECT_EQ(map_update_pairs(heap, names, map, pair, &missing), map);
  }
}

TEST_F(MapTest, AChangedValueKeepsTheKeysTuple) {
  const Term map = from_range(5);
  const Term pair[] = {small(3), small(0)};
  EXPECT_EQ(map_put(heap, names, map, small(3), small(0)).object()[1], map.object()[1]);
  EXPECT_EQ(map_put_pairs(heap, names, map, pair).object()[1], map.object()[1]);
}

TEST_F(MapTest, UpdatingAMissingKeySaysWhichOne) {
  for (const std::int64_t count : {5, 50}) {
    const Term map = from_range(count);
    EXPECT_TRUE(map_update(heap, names, map, small(-1), small(1)).is_none());
    const Term pairs[] = {small(1), small(0), small(-7), small(0), small(-8), small(0)};
    Term missing = Term::none();
    EXPECT_TRUE(map_update_pairs(heap, names, map, pairs, &missing).is_none());
    EXPECT_EQ(missing, small(-7));
  }
}

TEST_F(MapTest, IntegersComeBeforeFloatsAndAreOtherKeys) {
  const Term pairs[] = {heap.floating(1.0), small(1), small(1), small(2), small(2), small(3)};
  const Term map = map_from_pairs(heap, names, pairs);
  ASSERT_EQ(map_size(map), 3U);
  EXPECT_EQ(map_get(names, map, heap.floating(1.0)), small(1));
  EXPECT_EQ(map_get(names, map, small(1)), small(2));
  EXPECT_EQ(erlang_text(names, map_values(heap, map)), "[2,3,1]");
}

TEST_F(MapTest, BothZerosAreOneKey) {
  for (const std::int64_t count : {0, 100}) {
    Term map = map_put(heap, names, from_range(count), heap.floating(0.0), small(-5));
    map = map_put(heap, names, map, heap.floating(-0.0), small(-6));
    EXPECT_EQ(map_size(map), static_cast<Word>(count) + 1);
    EXPECT_EQ(map_get(names, map, heap.floating(0.0)), small(-6));
  }
}

// A random trace of operations against std::map; after each the map must have the shape that its content
// demands.
TEST_F(MapTest, AnyWayToAContentGivesItsOneShape) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    RandomTerms random(heap, names, seed);
    const auto before = [&](Term a, Term b) { return compare_exactly(names, a, b) < 0; };
    std::map<Term, Term, decltype(before)> model(before);
    std::vector<Term> keys;
    while (keys.size() < 5 + 4 * seed)
      keys.push_back(seed % 2 == 0 ? random.any(1) : small(static_cast<std::int64_t>(random.below(400))));
    const auto any_key = [&] { return keys[random.below(keys.size())]; };
    Term map = empty_map(heap);
    for (int step = 0; step < 400; ++step) {
      const Term key = any_key();
      const Term value = small(static_cast<std::int64_t>(random.below(3)));
      switch (random.below(8)) {
        case 0:
        case 1:
        case 2:
          map = map_put(heap, names, map, key, value);
          model[key] = value;
          break;
        case 3:
        case 4: {
          const Term old = map_get(names, map, key);
          ASSERT_EQ(old.is_none(), !model.contains(key));
          map = map_remove(heap, names, map, key);
          model.erase(key);
          break;
        }
        case 5: {
          const Term updated = map_update(heap, names, map, key, value);
          ASSERT_EQ(updated.is_none(), !model.contains(key));
          if (updated.is_none()) break;
          map = updated;
          model[key] = value;
          break;
        }
        default: {
          std::vector<Term> pairs;
          for (std::uint64_t i = random.below(step % 5 == 0 ? 60 : 6); i > 0; --i)
            pairs.insert(pairs.end(), {any_key(), value});
          if (random.below(2) == 0) {
            map = map_put_pairs(heap, names, map, pairs);
            for (std::size_t i = 0; i < pairs.size(); i += 2) model[pairs[i]] = pairs[i + 1];
          } else {
            const Term other = map_from_pairs(heap, names, pairs);
            if (random.below(2) == 0) {
              map = map_merge(heap, names, map, other);
              for (std::size_t i = 0; i < pairs.size(); i += 2) model[pairs[i]] = pairs[i + 1];
            } else {
              map = map_merge(heap, names, other, map);
              for (std::size_t i = pairs.size(); i > 0; i -= 2) model.try_emplace(pairs[i - 2], pairs[i - 1]);
            }
          }
          break;
        }
      }
      ASSERT_EQ(map_size(map), model.size());
      std::vector<Term> content;
      for (const auto& [k, v] : model) {
        content.insert(content.end(), {k, v});
        ASSERT_EQ(map_get(names, map, k), v);
      }
      const Term fresh = map_from_pairs(heap, names, content);
      ASSERT_TRUE(equal_exactly(map, fresh)) << erlang_text(names, map);
      ASSERT_EQ(compare(names, map, fresh), 0);
      std::size_t count = 0;
      for (MapIterator it(map); it.next(); ++count) ASSERT_TRUE(model.contains(it.key()));
      ASSERT_EQ(count, model.size());
    }
  }
}

TEST_F(MapTest, MergingLargeMapsKeepsTheRightValues) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    RandomTerms random(heap, names, seed);
    std::vector<Term> left, right, both;
    const std::uint64_t keys = 40 + random.below(3000);
    for (std::uint64_t i = 0; i < keys; ++i) {
      left.insert(left.end(), {small(static_cast<std::int64_t>(random.below(keys))), small(1)});
      right.insert(right.end(), {small(static_cast<std::int64_t>(random.below(keys))), small(2)});
    }
    both = left;
    both.insert(both.end(), right.begin(), right.end());
    const Term a = map_from_pairs(heap, names, left);
    const Term b = map_from_pairs(heap, names, right);
    const Term merged = map_merge(heap, names, a, b);
    EXPECT_TRUE(same_shape(merged, map_from_pairs(heap, names, both)));
    EXPECT_EQ(map_merge(heap, names, merged, b), merged);
    EXPECT_EQ(map_merge(heap, names, merged, merged), merged);
  }
}

// Maps whose values are the indices of their keys: the values tell the order.
TEST_F(MapTest, LargeMapsHaveTheOrderOfErl) {
  if (!is_erl_installed()) GTEST_SKIP() << "needs erl of release 25";
  std::vector<std::vector<Term>> sets;
  for (const std::int64_t count : {33, 34, 50, 100, 500, 2000}) {
    std::vector<Term> integers, floats, binaries, texts, tuples, bigs, wide;
    for (std::int64_t i = 0; i < count; ++i) {
      const std::string text = "key " + std::to_string(i * 7919);
      integers.push_back(small(i - 7));
      floats.push_back(heap.floating(static_cast<double>(i) / 3));
      binaries.push_back(make_binary(heap, text.data(), text.size()));
      Term list = Term::nil();
      for (const char c : text) list = heap.cons(small(c), list);
      texts.push_back(list);
      tuples.push_back(heap.tuple({small(i % 7), small(i), heap.tuple({})}));
      bigs.push_back(heap.integer((std::int64_t{1} << 62) + i));
      wide.push_back(small((i - count / 2) << 34));
    }
    sets.insert(sets.end(), {integers, floats, binaries, texts, tuples, bigs, wide});
  }
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    RandomTerms random(heap, names, seed);
    std::vector<Term> keys;
    while (keys.size() < 60) {
      const Term key = random.any(2);
      if (erlang_text(names, key).find('\'') == std::string::npos)
        keys.push_back(key);  // atoms hash otherwise
    }
    sets.push_back(keys);
  }
  std::vector<std::string> texts;
  std::vector<std::int64_t> ours;
  for (const auto& keys : sets) {
    texts.push_back(erlang_text(names, heap.list(keys)));
    std::vector<Term> pairs;
    for (std::size_t i = 0; i < keys.size(); ++i)
      pairs.insert(pairs.end(), {keys[i], small(static_cast<std::int64_t>(i))});
    for (Term list = map_values(heap, map_from_pairs(heap, names, pairs)); list.is_cons(); list = list.tail())
      ours.push_back(list.head().small_value());
    ours.push_back(-1);
  }
  const auto theirs = ask_erl(
      texts,
      "[begin M = maps:from_list(lists:zip(Keys, lists:seq(0, length(Keys) - 1))),"
      " [io:format(\"~w~n\", [V]) || V <- maps:values(M)], io:format(\"-1~n\") end || Keys <- Terms]");
  ASSERT_EQ(ours.size(), theirs.size());
  for (std::size_t i = 0; i < ours.size(); ++i) ASSERT_EQ(ours[i], theirs[i]) << i;
}

}  // namespace
}  // namespace ravel::erlang
