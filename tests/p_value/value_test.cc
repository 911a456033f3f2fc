#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "p/value/order.h"
#include "p/value/ordered_tree.h"
#include "p/value/sequence.h"
#include "tests/p_value/reference.h"

namespace ravel::p {
namespace {

TEST(Values, OfTheSmallKindsAreOneWordEach) {
  EXPECT_FALSE(Value().is_object());
  EXPECT_TRUE(Value::null().is_null());
  EXPECT_FALSE(Value::null().is_boolean());
  for (const bool truth : {false, true}) {
    EXPECT_TRUE(Value::boolean(truth).is_boolean());
    EXPECT_EQ(Value::boolean(truth).truth(), truth);
  }
  for (const std::int64_t number : {kSmallMin, std::int64_t{-1}, std::int64_t{0}, kSmallMax}) {
    EXPECT_TRUE(Value::small(number).is_small());
    EXPECT_EQ(Value::small(number).small_value(), number);
    EXPECT_FALSE(Value::small(number).is_object());
  }
  EXPECT_EQ(Value::event(7).event_number(), 7u);
  EXPECT_EQ(Value::machine(0xffffffff).machine_number(), 0xffffffffu);
}

TEST(Values, AreEqualIffTheirWordsAre) {
  ValueStore store;
  Random random(1);
  std::vector<std::pair<Plain, Value>> all;
  for (int i = 0; i < 1200; ++i) {
    Plain plain = random_plain(random, i % 4);
    const Value value = stored(store, plain, random);
    EXPECT_EQ(read_back(value), plain);
    EXPECT_EQ(stored(store, plain, random), value);
    all.emplace_back(std::move(plain), value);
  }
  for (const auto& [a, stored_a] : all)
    for (const auto& [b, stored_b] : all) {
      const auto expected = a <=> b;
      ASSERT_EQ(stored_a == stored_b, expected == 0);
      ASSERT_EQ(order(stored_a, stored_b), expected);
    }
}

TEST(Values, OfFloatsHaveOneZeroAndOneThatIsNoNumber) {
  ValueStore store;
  EXPECT_EQ(store.real(0.0), store.real(-0.0));
  EXPECT_EQ(store.real(std::nan("1")), store.real(-std::nan("2")));
  EXPECT_EQ(order(store.real(std::nan("1")), store.real(-INFINITY)), std::strong_ordering::less);
  EXPECT_EQ(order(store.real(-INFINITY), store.real(std::nan("1"))), std::strong_ordering::greater);
}

TEST(Values, HashTheSameInAnotherStore) {
  ValueStore one(0, ValueStore::Hashes::kWide), other(0, ValueStore::Hashes::kWide);
  Random random(2);
  std::map<Hash128, Value> by_hash;
  for (int i = 0; i < 50; ++i) other.integer(kSmallMax + i + 1);  // so that addresses differ
  for (int i = 0; i < 300; ++i) {
    const Plain plain = random_plain(random);
    const Value a = stored(one, plain, random), b = stored(other, plain, random);
    EXPECT_EQ(ValueStore::hash(a), ValueStore::hash(b));
    EXPECT_EQ(ValueStore::wide_hash(a), ValueStore::wide_hash(b));
    const auto [at, is_new] = by_hash.try_emplace(ValueStore::wide_hash(a), a);
    EXPECT_TRUE(is_new || at->second == a);
  }
}

TEST(Values, MayNestDeeperThanAStack) {
  ValueStore store;
  Value a = Value::small(1), b = Value::small(2);
  for (int i = 0; i < 1'000'000; ++i) {
    a = store.tuple({&a, 1});
    b = store.tuple({&b, 1});
  }
  EXPECT_EQ(order(a, b), std::strong_ordering::less);
  EXPECT_EQ(order(b, a), std::strong_ordering::greater);
  EXPECT_TRUE(ordered::contains(set::with(store, set::with(store, store.empty_set(), a), b), b));
}

TEST(Tuples, HaveOtherPartsInOtherTuples) {
  ValueStore store;
  const Value parts[] = {Value::small(1), Value::null()};
  const Value changed[] = {Value::small(1), Value::small(2)};
  EXPECT_EQ(store.with_part(store.tuple(parts), 1, Value::small(2)), store.tuple(changed));
  EXPECT_EQ(store.with_part(store.named_tuple(5, parts), 1, Value::small(2)), store.named_tuple(5, changed));
  EXPECT_NE(store.named_tuple(5, parts), store.named_tuple(6, parts));
  EXPECT_NE(store.named_tuple(5, parts), store.tuple(parts));
}

// Against a vector; lengths around those where the shape changes.
TEST(Sequences, AreVectors) {
  ValueStore store;
  Random random(3);
  for (const std::size_t start :
       {0u, 1u, 30u, 31u, 32u, 33u, 63u, 64u, 65u, 1000u, 1022u, 1023u, 1024u, 1025u, 1056u, 33000u}) {
    std::vector<Value> plain;
    for (std::size_t i = 0; i < start; ++i)
      plain.push_back(Value::small(static_cast<std::int64_t>(random.below(50))));
    Value value = seq::of(store, plain);
    for (int step = 0; step < (start > 2000 ? 40 : 150); ++step) {
      const Value element = Value::small(static_cast<std::int64_t>(random.below(60)));
      const std::size_t at = random.below(plain.size() + 1);
      const auto place = plain.begin() + static_cast<std::ptrdiff_t>(at);
      switch (random.below(4)) {
        case 0: plain.push_back(element), value = seq::appended(store, value, element); break;
        case 1: plain.insert(place, element), value = seq::inserted(store, value, at, element); break;
        case 2:
          if (at == plain.size()) break;
          plain.erase(place), value = seq::removed(store, value, at);
          break;
        default:
          if (at == plain.size()) break;
          *place = element, value = seq::replaced(store, value, at, element);
      }
      ASSERT_EQ(value, seq::of(store, plain)) << start << " " << step;
      ASSERT_EQ(seq::size(value), plain.size());
      if (at < plain.size()) {
        ASSERT_EQ(seq::at(value, at), plain[at]);
      }
      ASSERT_EQ(seq::contains(value, element), std::find(plain.begin(), plain.end(), element) != plain.end());
    }
    EXPECT_EQ(seq::elements(value), plain);
  }
}

TEST(Sequences, GrowOneByOneToTheSame) {
  ValueStore store;
  std::vector<Value> plain;
  Value value = store.empty_seq();
  for (int i = 0; i < 35000; ++i) {
    plain.push_back(Value::small(i % 77));
    value = seq::appended(store, value, plain.back());
    if (i % 1000 == 999 || i < 2200) {
      ASSERT_EQ(value, seq::of(store, plain)) << i;
    }
  }
  for (int i = 0; i < 35000; i += 997)
    EXPECT_EQ(seq::at(value, static_cast<std::size_t>(i)), plain[static_cast<std::size_t>(i)]);
}

// Against a map of the reference; few and many keys, and back.
TEST(SetsAndMaps, AreThoseOfTheReferenceHoweverTheyCameAbout) {
  ValueStore store;
  Random random(4);
  for (const std::uint64_t keys : {3u, 9u, 12u, 40u, 400u}) {
    std::map<std::int64_t, std::int64_t> plain;
    Value value = store.empty_map();
    Value elements = store.empty_set();
    for (int step = 0; step < 1500; ++step) {
      const auto key = static_cast<std::int64_t>(random.below(keys));
      const auto number = static_cast<std::int64_t>(random.below(5));
      const bool adds = random.below(1500) < static_cast<std::uint64_t>(step < 750 ? 1200 : 400);
      if (adds) {
        plain[key] = number;
        value = map::with(store, value, Value::small(key), Value::small(number));
        elements = set::with(store, elements, Value::small(key));
      } else {
        plain.erase(key);
        value = map::without(store, value, Value::small(key));
        elements = set::without(store, elements, Value::small(key));
      }
      ASSERT_EQ(ordered::size(value), plain.size());
      const auto found = plain.find(key);
      ASSERT_EQ(map::find(value, Value::small(key)),
                found == plain.end() ? Value::none() : Value::small(found->second));
      ASSERT_EQ(ordered::contains(elements, Value::small(key)), found != plain.end());
      if (step % 20 != 0) continue;
      Value again = store.empty_map(), elements_again = store.empty_set();
      std::size_t at = 0;
      for (const auto& [one, of_one] : plain) {
        again = map::with(store, again, Value::small(one), Value::small(of_one));
        elements_again = set::with(store, elements_again, Value::small(one));
        ASSERT_EQ(ordered::key_at(value, at), Value::small(one));
        ASSERT_EQ(ordered::value_at(value, at), Value::small(of_one));
        ASSERT_EQ(ordered::key_at(elements, at++), Value::small(one));
      }
      ASSERT_EQ(again, value);
      ASSERT_EQ(elements_again, elements);
    }
  }
}

TEST(SetsAndMaps, ShareWhatAnUpdateDoesNotTouch) {
  ValueStore store;
  Value elements = store.empty_set();
  for (int i = 0; i < 100'000; ++i) elements = set::with(store, elements, Value::small(i * 7919 % 1'000'003));
  const std::size_t before = store.objects();
  set::with(store, elements, Value::small(-1));
  EXPECT_LT(store.objects() - before, 100u);
}

struct OneRoot final : ValueRoots {
  std::vector<Value> values;
  void for_each(const std::function<void(std::span<const Value>)>& visit) override { visit(values); }
};

TEST(Store, KeepsWhatIsReachedAndUsesTheRestAgain) {
  for (const auto hashes : {ValueStore::Hashes::kNarrow, ValueStore::Hashes::kWide}) {
    ValueStore store(0, hashes);
    Random random(5);
    OneRoot roots;
    std::vector<Plain> plain;
    std::size_t words_max = 0;
    for (int round = 0; round < 60; ++round) {
      for (int i = 0; i < 60; ++i) {
        Plain made = random_plain(random);
        const Value value = stored(store, made, random);
        if (!random.chance(1, 3)) continue;
        roots.values.push_back(value);
        plain.push_back(std::move(made));
      }
      while (plain.size() > 60) {
        const std::size_t at = random.below(plain.size());
        plain.erase(plain.begin() + static_cast<std::ptrdiff_t>(at));
        roots.values.erase(roots.values.begin() + static_cast<std::ptrdiff_t>(at));
      }
      EXPECT_TRUE(store.wants_collection());
      store.collect(roots);
      words_max = std::max(words_max, store.words_used());
      for (std::size_t i = 0; i < plain.size(); ++i) {
        ASSERT_EQ(read_back(roots.values[i]), plain[i]);
        ASSERT_EQ(stored(store, plain[i], random), roots.values[i]);
      }
    }
    EXPECT_LT(words_max, 100'000u);
    roots.values.clear();
    store.collect(roots);
    EXPECT_EQ(store.objects(), 3u);  // the empty collections
  }
}

TEST(Store, GrowsItsTableWithTheObjects) {
  ValueStore store;
  std::vector<Value> all;
  for (int i = 0; i < 100'000; ++i) {
    const Value one = Value::small(i);
    all.push_back(store.tuple({&one, 1}));
  }
  for (int i = 0; i < 100'000; ++i) {
    const Value one = Value::small(i);
    ASSERT_EQ(store.tuple({&one, 1}), all[static_cast<std::size_t>(i)]);
  }
  EXPECT_EQ(store.objects(), 100'003u);
}

}  // namespace
}  // namespace ravel::p
