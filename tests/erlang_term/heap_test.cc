#include "erlang/term/heap.h"

#include <unordered_map>
#include <unordered_set>
#include <vector>

#include <gtest/gtest.h>

#include "erlang/term/compare.h"
#include "erlang/term/header.h"
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

// Terms that share parts at random: each new one is made of earlier ones.
std::vector<Term> random_graph(Heap& heap, RandomTerms& random, std::size_t count) {
  std::vector<Term> pool;
  const auto earlier = [&] { return pool.empty() ? Term::nil() : pool[random.below(pool.size())]; };
  while (pool.size() < count) {
    switch (random.below(4)) {
      case 0: pool.push_back(random.any(1)); break;
      case 1: pool.push_back(heap.cons(earlier(), earlier())); break;
      default: {
        std::vector<Term> elements(random.below(6));
        for (Term& element : elements) element = earlier();
        pool.push_back(heap.tuple(elements));
      }
    }
  }
  return pool;
}

// The graph below the roots as numbers: each object by the order of its first visit. Two graphs with the
// same shape, sharing and raw words give the same numbers.
std::vector<Word> fingerprint(const std::vector<Term>& roots) {
  std::unordered_map<const Term*, Word> number;
  std::vector<Word> out;
  std::vector<Term> pending(roots.rbegin(), roots.rend());
  while (!pending.empty()) {
    const Term t = pending.back();
    pending.pop_back();
    if (!t.is_pointer()) {
      out.push_back(t.bits());
      continue;
    }
    const auto [found, is_new] = number.try_emplace(t.pointer(), number.size());
    out.push_back(found->second * 4 + (t.bits() & 3));
    if (!is_new) continue;
    const Word words = t.is_cons() ? 2 : size_of(t.header()) + 1;
    if (t.is_boxed()) out.push_back(t.header().bits());
    for (Word i = words; i-- > (t.is_cons() ? 0U : 1U);) {
      if (t.is_boxed() && is_raw(kind_of(t.header()))) {
        out.push_back(t.object()[i].bits());
      } else {
        pending.push_back(t.pointer()[i]);
      }
    }
  }
  return out;
}

std::size_t reachable_words(const std::vector<Term>& roots) {
  std::unordered_set<const Term*> seen;
  std::vector<Term> pending = roots;
  std::size_t sum = 0;
  while (!pending.empty()) {
    const Term t = pending.back();
    pending.pop_back();
    if (!t.is_pointer() || !seen.insert(t.pointer()).second) continue;
    const Word words = t.is_cons() ? 2 : size_of(t.header()) + 1;
    sum += words;
    if (t.is_boxed() && is_raw(kind_of(t.header()))) continue;
    for (Word i = 0; i < words; ++i) pending.push_back(t.pointer()[i]);
  }
  return sum;
}

TEST(HeapTest, CollectionKeepsTheGraphAndNothingElse) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(seed);
    Heap heap;
    Names names;
    RandomTerms random(heap, names, seed);
    std::vector<Term> roots = random_graph(heap, random, 2000);
    for (Term& root : roots)
      if (random.below(3) != 0) root = Term::nil();  // the rest is garbage unless something else holds it
    VectorRoots visited(roots);
    const std::vector<Word> before = fingerprint(roots);
    for (int round = 0; round < 3; ++round) {
      heap.collect(visited, 0);
      EXPECT_EQ(fingerprint(roots), before);
      EXPECT_EQ(heap.words_used(), reachable_words(roots));
      for (const Term root : roots) EXPECT_TRUE(!root.is_pointer() || heap.is_young(root));
    }
    EXPECT_EQ(heap.collections(), 3U);
  }
}

TEST(HeapTest, RawWordsThatLookLikePointersStay) {
  Heap heap;
  const Term victim = heap.tuple({Term::small(1)});
  Term* raw = heap.allocate(4);
  raw[0] = make_header(Kind::kPositiveBig, 3);
  raw[1] = victim;
  raw[2] = Term::none();
  raw[3] = make_header(Kind::kTuple, 1000);
  std::vector<Term> roots{Term::boxed(raw), heap.tuple({Term::small(2)})};
  VectorRoots visited(roots);
  heap.collect(visited, 0);
  EXPECT_EQ(roots[0].object()[1], victim);
  EXPECT_EQ(roots[0].object()[2], Term::none());
  EXPECT_EQ(element(roots[1], 1), Term::small(2));
  EXPECT_EQ(heap.words_used(), 6U);
}

TEST(HeapTest, ARootThatIsVisitedTwiceMovesOnce) {
  Heap heap;
  Term root = heap.tuple({heap.floating(1.5), heap.cons(Term::small(1), Term::nil())});
  class Twice final : public Roots {
   public:
    explicit Twice(Term* word) : word_(word) {}
    void for_each(Visit visit, void* collector) override {
      visit(collector, word_, 1);
      visit(collector, word_, 1);
    }

   private:
    Term* word_;
  } visited(&root);
  heap.collect(visited, 0);
  EXPECT_EQ(heap.words_used(), 7U);
  EXPECT_EQ(float_value(element(root, 1)), 1.5);
  EXPECT_EQ(element(root, 2).head(), Term::small(1));
}

TEST(HeapTest, WhatLiesOutsideStaysWhereItIs) {
  Heap heap;
  Heap other;
  const Term outside = other.tuple({Term::small(1), other.floating(2.0)});
  std::vector<Term> roots{heap.cons(outside, Term::nil()), outside};
  VectorRoots visited(roots);
  heap.collect(visited, 0);
  EXPECT_EQ(roots[1], outside);
  EXPECT_EQ(roots[0].head(), outside);
  EXPECT_FALSE(heap.is_young(outside));
}

TEST(HeapTest, RoomGrowsWithWhatIsLive) {
  Heap heap;
  std::vector<Term> roots{Term::nil()};
  VectorRoots visited(roots);
  for (std::int64_t i = 0; i < 3'000'000; ++i) {
    roots[0] = heap.cons(Term::small(i), roots[0]);
    heap.cons(Term::nil(), Term::nil());
    if (heap.is_full()) heap.collect(visited, 100);
    ASSERT_FALSE(heap.is_full());
  }
  EXPECT_LT(heap.collections(), 20U);
  std::int64_t expected = 2'999'999;
  for (Term list = roots[0]; list.is_cons(); list = list.tail())
    ASSERT_EQ(list.head(), Term::small(expected--));
  EXPECT_EQ(expected, -1);
  heap.reset();
  EXPECT_TRUE(heap.is_empty());
  EXPECT_FALSE(heap.is_full());
  roots[0] = Term::nil();
  heap.collect(visited, 0);
  EXPECT_EQ(heap.words_used(), 0U);
  heap.collect(visited, 5'000'000);
  EXPECT_GE(heap.limit() - heap.top(), 5'000'000);
}

TEST(HeapTest, IntegersAreSmallExactlyWhenTheyFit) {
  Heap heap;
  for (const std::int64_t value : {kSmallMin, kSmallMax, std::int64_t{0}, std::int64_t{-1}}) {
    EXPECT_TRUE(heap.integer(value).is_small());
    EXPECT_EQ(heap.integer(value).small_value(), value);
  }
  const Term over = heap.integer(kSmallMax + 1);
  EXPECT_TRUE(is_kind(over, Kind::kPositiveBig));
  EXPECT_EQ(over.object()[1].bits(), Word{1} << 59);
  const Term under = heap.integer(INT64_MIN);
  EXPECT_TRUE(is_kind(under, Kind::kNegativeBig));
  EXPECT_EQ(under.object()[1].bits(), Word{1} << 63);
  EXPECT_TRUE(is_kind(heap.unsigned_integer(UINT64_MAX), Kind::kPositiveBig));
  EXPECT_TRUE(heap.unsigned_integer(7).is_small());
}

}  // namespace
}  // namespace ravel::erlang
