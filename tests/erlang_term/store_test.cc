#include "erlang/term/store.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <set>
#include <string>
#include <unordered_set>
#include <vector>

#include <gtest/gtest.h>

#include "erlang/term/bits.h"
#include "erlang/term/compare.h"
#include "erlang/term/header.h"
#include "erlang/term/map.h"
#include "erlang/term/names.h"
#include "tests/erlang_term/random_term.h"

namespace ravel::erlang {
namespace {

class VectorRoots final : public Roots {
 public:
  explicit VectorRoots(std::vector<Term>& words) : words_(words) {}
  void for_each(Visit visit, void* collector) override { visit(collector, words_.data(), words_.size()); }

 private:
  std::vector<Term>& words_;
};

// Bit for bit the same: unlike =:=, this tells 0.0 from -0.0.
bool is_identical(Term a, Term b) {
  if (a == b) return true;
  if (!a.is_pointer() || a.is_cons() != b.is_cons() || a.is_boxed() != b.is_boxed()) return false;
  if (a.is_cons()) return is_identical(a.head(), b.head()) && is_identical(a.tail(), b.tail());
  if (is_bitstring(a) || is_bitstring(b)) return equal_exactly(a, b);
  if (a.header() != b.header()) return false;
  for (Word i = 1; i <= size_of(a.header()); ++i) {
    const Term x = a.object()[i];
    const Term y = b.object()[i];
    if (is_raw(kind_of(a.header())) ? x != y : !is_identical(x, y)) return false;
  }
  return true;
}

class StoreTest : public testing::Test {
 protected:
  // A binary with room to spare behind its end.
  Term with_room(Term bitstring) {
    const BitView view = view_bits(bitstring);
    const Term bytes = make_bytes(heap, view.length, view.length + 1000);
    copy_bits(bytes_of(bytes), 0, view.bytes, view.offset, view.length);
    return bytes;
  }
  Term context(std::int64_t position, Term bytes) {
    Term* object = heap.allocate(5);
    object[0] = make_header(Kind::kMatchContext, 4);
    object[1] = Term::small(position);
    object[2] = Term::small(64);
    object[3] = bytes;
    object[4] = Term::small(0);
    return Term::boxed(object);
  }

  Heap heap;
  Names names;
  Store store{heap};
};

TEST_F(StoreTest, TermsAreOneWordExactlyIfTheyAreIdentical) {
  int same = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    RandomTerms random(heap, names, seed);
    std::vector<Term> terms;
    for (int i = 0; i < 6; ++i) terms.push_back(random.any(3));
    for (std::size_t i = 0; i < 6; ++i) terms.push_back(random.variation(terms[i]));
    for (std::size_t i = 0; i < 6; ++i) terms.push_back(deep_copy(heap, terms[i]));
    std::vector<Term> stored;
    for (const Term t : terms) stored.push_back(store.intern(deep_copy(heap, t)));
    for (std::size_t i = 0; i < terms.size(); ++i) {
      ASSERT_TRUE(is_identical(terms[i], stored[i])) << erlang_text(names, terms[i]);
      ASSERT_TRUE(!stored[i].is_pointer() || store.contains(stored[i]));
      for (std::size_t k = 0; k < i; ++k) {
        ASSERT_EQ(stored[i] == stored[k], is_identical(terms[i], terms[k]))
            << erlang_text(names, terms[i]) << "\n"
            << erlang_text(names, terms[k]);
        same += stored[i] == stored[k];
      }
    }
    heap.reset();
  }
  EXPECT_GT(same, 1500);
}

TEST_F(StoreTest, ABitStringIsStoredByItsBitsAlone) {
  RandomTerms random(heap, names, 3);
  for (int i = 0; i < 500; ++i) {
    const Term t = random.bitstring();
    const BitView view = view_bits(t);
    const Term holder = make_bytes(heap, view.length + 20);
    std::memset(bytes_of(holder), 0xFF, (view.length + 27) / 8);
    copy_bits(bytes_of(holder), 5, view.bytes, view.offset, view.length);
    const Term unaligned = make_sub_bits(heap, holder, 5, view.length);
    const Term roomy = with_room(t);
    const Term roomy_view = make_sub_bits(heap, heap.tuple({with_room(t)}).object()[1], 0, view.length);
    const Term stored = store.intern(unaligned);
    EXPECT_TRUE(is_kind(stored, Kind::kBytes));
    EXPECT_EQ(size_of(stored.header()), 1 + (view.length + 63) / 64);
    EXPECT_EQ(store.intern(roomy), stored);
    EXPECT_EQ(store.intern(roomy_view), stored);
    EXPECT_EQ(store.intern(t), stored);
  }
}

TEST_F(StoreTest, AViewOutlivesItsForwardedBytes) {
  const Term bytes = make_binary(heap, "0123456789", 10);
  const Term view = make_sub_bits(heap, bytes, 8, 24);
  const Term stored_bytes = store.intern(bytes);
  const Term stored_view = store.intern(view);
  EXPECT_EQ(bit_size(stored_bytes), 80U);
  EXPECT_EQ(stored_view, store.intern(make_binary(heap, "123", 3)));
}

TEST_F(StoreTest, SharingIsKeptAcrossCalls) {
  const Term shared = heap.tuple({Term::small(1), Term::small(2)});
  const Term a = heap.tuple({shared, Term::small(3)});
  const Term b = heap.cons(shared, a);
  const Term stored_a = store.intern(a);
  EXPECT_EQ(store.objects(), 2U);
  const Term stored_b = store.intern(b);
  EXPECT_EQ(store.objects(), 3U);
  EXPECT_EQ(stored_b.head(), element(stored_a, 1));
  EXPECT_EQ(stored_b.tail(), stored_a);
  EXPECT_EQ(store.intern(shared), stored_b.head());
}

TEST_F(StoreTest, AGraphCostsItsObjectsNotItsPaths) {
  Term t = Term::nil();
  for (int i = 0; i < 1000; ++i) t = heap.tuple({t, t});
  store.intern(t);
  EXPECT_EQ(store.objects(), 1000U);
}

TEST_F(StoreTest, DepthIsNoLimit) {
  Term lists = Term::nil();
  Term tuples = Term::nil();
  for (std::int64_t i = 0; i < 1'000'000; ++i) {
    lists = heap.cons(Term::small(i), lists);
    tuples = heap.tuple({tuples});
  }
  std::vector<Term> roots{store.intern(lists), store.intern(tuples)};
  EXPECT_EQ(store.objects(), 2'000'000U);
  VectorRoots visited(roots);
  store.collect(visited);
  EXPECT_EQ(store.objects(), 2'000'000U);
}

TEST_F(StoreTest, MillionsOfObjectsAreEachFoundAgain) {
  constexpr std::int64_t kCount = 3'000'000;
  const auto make = [&](std::int64_t i) {
    return i % 3 == 0   ? heap.cons(Term::small(i), Term::nil())
           : i % 3 == 1 ? heap.tuple({Term::small(i), Term::small(-i)})
                        : heap.floating(static_cast<double>(i));
  };
  std::vector<Term> stored;
  for (std::int64_t i = 0; i < kCount; ++i) {
    stored.push_back(store.intern(make(i)));
    if (i % 1000 == 0) heap.reset();
  }
  EXPECT_EQ(store.objects(), static_cast<std::size_t>(kCount));
  for (std::int64_t i = 0; i < kCount; ++i) {
    ASSERT_EQ(store.intern(make(i)), stored[static_cast<std::size_t>(i)]);
    if (i % 1000 == 0) heap.reset();
  }
  EXPECT_EQ(store.objects(), static_cast<std::size_t>(kCount));
}

TEST_F(StoreTest, CollectionKeepsWhatRootsReachAndFreesTheRest) {
  RandomTerms random(heap, names, 9);
  for (int round = 0; round < 30; ++round) {
    SCOPED_TRACE(round);
    std::vector<std::string> texts;
    std::vector<Term> kept;
    for (int i = 0; i < 400; ++i) {
      const Term t = random.any(3);
      const std::string text = erlang_text(names, t);
      const Term stored = store.intern(t);
      if (i % 4 != 0) continue;
      kept.push_back(stored);
      texts.push_back(text);
    }
    heap.reset();
    VectorRoots visited(kept);
    store.collect(visited);
    std::unordered_set<const Term*> reachable;
    std::vector<Term> pending = kept;
    while (!pending.empty()) {
      const Term t = pending.back();
      pending.pop_back();
      if (!t.is_pointer() || !reachable.insert(t.pointer()).second) continue;
      if (t.is_boxed() && is_raw(kind_of(t.header()))) continue;
      for (Word i = 0; i < (t.is_cons() ? 2 : size_of(t.header()) + 1); ++i)
        pending.push_back(t.pointer()[i]);
    }
    EXPECT_EQ(store.objects(), reachable.size());
    for (std::size_t i = 0; i < kept.size(); ++i) {
      ASSERT_EQ(erlang_text(names, kept[i]), texts[i]);
      ASSERT_EQ(store.intern(deep_copy(heap, kept[i])), kept[i]);
    }
    heap.reset();
  }
}

// Long runs of small garbage become one large block; small objects must use it again.
TEST_F(StoreTest, FreedRoomIsUsedAgainWhateverItsSize) {
  std::vector<Term> kept;
  VectorRoots visited(kept);
  const Term first = store.intern(heap.tuple({Term::small(-1)}));
  kept.push_back(first);
  std::ptrdiff_t farthest_early = 0;
  std::ptrdiff_t farthest = 0;
  for (std::int64_t round = 0; round < 40; ++round) {
    for (std::int64_t i = 0; i < 20000; ++i) {
      const std::int64_t unique = round * 1'000'000 + i;
      const std::vector<Term> filler(static_cast<std::size_t>((i * 7 + round * 13) % (i % 50 == 0 ? 300 : 9)),
                                     Term::small(0));
      const Term stored = store.intern(heap.tuple({Term::small(unique), heap.tuple(filler)}));
      farthest = std::max(farthest, stored.pointer() - first.pointer());
      if (i % 997 == 0) {
        if (kept.size() > 100)
          kept[1 + static_cast<std::size_t>(unique) % 99] = stored;
        else
          kept.push_back(stored);
      }
    }
    heap.reset();
    store.collect(visited);
    if (round == 4) farthest_early = farthest;
  }
  EXPECT_LT(farthest, farthest_early * 3 / 2);
}

TEST_F(StoreTest, MatchContextsOfAFrameStayAsManyAsTheyWere) {
  const Term bytes = make_binary(heap, "abcdefgh", 8);
  const Term one = context(8, bytes);
  const Term two = context(8, bytes);
  Term slots[] = {one, two, one, Term::small(5)};
  const Term frame = store.intern_frame(Term::small(7), Term::nil(), slots);
  EXPECT_TRUE(Store::has_match_context(frame));
  EXPECT_EQ(slots[0], slots[2]);
  EXPECT_NE(slots[0], slots[1]);
  EXPECT_EQ(frame.object()[1], Term::small(7));
  EXPECT_EQ(frame.object()[3], slots[0]);
  heap.reset();
  const Term fresh = make_binary(heap, "abcdefgh", 8);
  const Term third = context(8, fresh);
  Term same[] = {third, context(8, fresh), third, Term::small(5)};
  EXPECT_EQ(store.intern_frame(Term::small(7), Term::nil(), same), frame);
  Term plain[] = {Term::small(1)};
  EXPECT_FALSE(Store::has_match_context(store.intern_frame(Term::small(7), frame, plain)));
}

TEST_F(StoreTest, FloatsAreKnownHoweverDeep) {
  const Term with = store.intern(
      heap.tuple({Term::small(1), heap.cons(Term::nil(), heap.cons(heap.floating(0.0), Term::nil()))}));
  const Term without = store.intern(heap.tuple({Term::small(1), heap.cons(Term::nil(), Term::nil())}));
  EXPECT_TRUE(Store::has_float(with));
  EXPECT_FALSE(Store::has_float(without));
  EXPECT_NE(store.intern(heap.floating(0.0)), store.intern(heap.floating(-0.0)));
  const Term bits = Term(__builtin_bit_cast(Word, 2.5));
  EXPECT_TRUE(Store::has_float(store.intern_object(Kind::kFloat, {&bits, 1})));
}

TEST_F(StoreTest, HashesDependOnContentAlone) {
  Heap other_heap;
  Store other(other_heap);
  other.intern(other_heap.tuple({Term::small(99), other_heap.floating(1.0)}));
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    RandomTerms here(heap, names, seed);
    RandomTerms there(other_heap, names, seed);
    const Term a = store.intern(here.any(3));
    const Term b = other.intern(there.any(3));
    EXPECT_EQ(Store::hash(a), Store::hash(b));
  }
}

TEST_F(StoreTest, WideHashesTellTermsApartAndOutliveThem) {
  Store wide(heap, 0, Store::Hashes::kWide);
  std::vector<Term> kept;
  std::set<Hash128> seen;
  const auto stored_term = [&](int i) {
    const Term pair = heap.tuple({Term::small(i), Term::nil()});
    return wide.intern(i % 2 == 0 ? heap.tuple({pair, pair}) : heap.list(std::array{pair, Term::small(i)}));
  };
  constexpr int kTerms = 1'000;
  std::vector<Hash128> first;
  for (int i = 0; i < kTerms; ++i) {
    const Term stored = stored_term(i);
    first.push_back(wide.wide_hash(stored));
    EXPECT_EQ(wide.wide_hash(stored_term(i)), first.back());
    EXPECT_TRUE(seen.insert(first.back()).second);
    if (i % 3 == 0) kept.push_back(stored);
  }
  heap.reset();
  VectorRoots roots(kept);
  wide.collect(roots);
  // At other places, mostly.
  for (int i = kTerms; i-- > 0;) {
    EXPECT_EQ(wide.wide_hash(stored_term(i)), first[static_cast<std::size_t>(i)]);
    if (i % 3 == 0) {
      EXPECT_EQ(stored_term(i), kept[static_cast<std::size_t>(i / 3)]);
    }
  }
}

TEST_F(StoreTest, EqualMapsAreOneWordHoweverTheyWereMade) {
  RandomTerms random(heap, names, 4);
  for (const int size : {5, 32, 33, 200}) {
    std::vector<Term> pairs;
    for (int i = 0; i < size; ++i) pairs.insert(pairs.end(), {Term::small(i), random.any(1)});
    Term grown = empty_map(heap);
    for (int i = size; i-- > 0;)
      grown = map_put(heap, names, grown, pairs[2 * static_cast<std::size_t>(i)],
                      pairs[2 * static_cast<std::size_t>(i) + 1]);
    Term shrunk = grown;
    for (int i = 0; i < 100; ++i) shrunk = map_put(heap, names, shrunk, Term::small(1000 + i), Term::nil());
    for (int i = 0; i < 100; ++i) shrunk = map_remove(heap, names, shrunk, Term::small(1000 + i));
    const Term made = map_from_pairs(heap, names, pairs);
    const Term stored = store.intern(made);
    EXPECT_EQ(store.intern(grown), stored);
    EXPECT_EQ(store.intern(shrunk), stored);
  }
}

}  // namespace
}  // namespace ravel::erlang
