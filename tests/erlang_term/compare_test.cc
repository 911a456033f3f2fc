#include "erlang/term/compare.h"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "erlang/term/bits.h"
#include "erlang/term/header.h"
#include "erlang/term/map.h"
#include "tests/erlang_term/installed_erl.h"
#include "tests/erlang_term/random_term.h"

namespace ravel::erlang {
namespace {

class CompareTest : public testing::Test {
 protected:
  Term foreign(std::initializer_list<Term> payload) {
    Term* object = heap.allocate(payload.size() + 1);
    object[0] = make_header(Kind::kForeign, payload.size());
    std::ranges::copy(payload, object + 1);
    return Term::boxed(object);
  }
  Term local_fun(std::uint32_t entry, std::initializer_list<Term> free) {
    Term* object = heap.allocate(free.size() + 3);
    object[0] = make_header(Kind::kFun, free.size() + 2);
    object[1] = Term::small(entry);
    object[2] = Term::small(0);
    std::ranges::copy(free, object + 3);
    return Term::boxed(object);
  }
  Term external_fun(const char* module, const char* function, int arity) {
    Term* object = heap.allocate(4);
    object[0] = make_header(Kind::kExternalFun, 3);
    object[1] = names.atoms.intern(module);
    object[2] = names.atoms.intern(function);
    object[3] = Term::small(arity);
    return Term::boxed(object);
  }
  void expect_sorted(const std::vector<Term>& terms) {
    for (std::size_t i = 0; i < terms.size(); ++i)
      for (std::size_t k = 0; k < terms.size(); ++k) {
        const int order = i < k ? -1 : i > k ? 1 : 0;
        EXPECT_EQ(compare(names, terms[i], terms[k]), order) << i << " " << k;
        EXPECT_EQ(compare_exactly(names, terms[i], terms[k]), order) << i << " " << k;
        EXPECT_EQ(equal(terms[i], terms[k]), i == k);
        EXPECT_EQ(equal_exactly(terms[i], terms[k]), i == k);
        EXPECT_TRUE(equal_exactly(deep_copy(heap, terms[i]), terms[i]));
      }
  }

  Heap heap;
  Names names;
};

TEST_F(CompareTest, TypesHaveTheOrderOfTheLanguage) {
  const Term node = names.atoms.intern("n@h");
  const std::uint8_t uniq[16] = {};
  const std::uint32_t m0 = names.fun_entry(names.atoms.intern("m"), 0, uniq);
  const std::uint32_t m1 = names.fun_entry(names.atoms.intern("m"), 1, uniq);
  const std::uint32_t b9 = names.fun_entry(names.atoms.intern("b"), 9, uniq);
  const Term first = names.child_pid(names.root_pid(), 1);
  const Term second = names.child_pid(names.root_pid(), 2);
  const Term grandchild = names.child_pid(first, 7);
  const Term one = Term::small(1);
  const Term two = Term::small(2);
  expect_sorted({
      Term::small(-1),
      one,
      names.atoms.intern("a"),
      names.atoms.intern("aa"),
      names.atoms.intern("b"),
      Names::make_reference(names.root_pid(), 5),
      Names::make_reference(first, 1),
      Names::make_reference(first, 2),
      foreign({atoms::kReference, node, one, one}),
      foreign({atoms::kReference, node, one, one, one}),
      foreign({atoms::kReference, node, two, one}),
      local_fun(b9, {}),
      local_fun(m0, {one}),
      local_fun(m0, {two}),
      local_fun(m1, {}),
      external_fun("a", "f", 1),
      external_fun("a", "f", 2),
      external_fun("a", "g", 0),
      Term::port(3),
      Term::port(4),
      foreign({atoms::kPort, node, one, one}),
      names.root_pid(),
      first,
      grandchild,
      second,
      foreign({atoms::kPid, node, two, one, one}),
      foreign({atoms::kPid, node, one, one, two}),
      heap.tuple({}),
      heap.tuple({two}),
      heap.tuple({one, one}),
      empty_map(heap),
      Term::nil(),
      heap.list(std::vector<Term>{one}),
      make_bytes(heap, 0),
      make_bytes(heap, 1),
  });
}

TEST_F(CompareTest, NumbersCompareByValueOrExactly) {
  const Term one = Term::small(1);
  const Term one_float = heap.floating(1.0);
  EXPECT_TRUE(equal(one, one_float));
  EXPECT_FALSE(equal_exactly(one, one_float));
  EXPECT_EQ(compare(names, one, one_float), 0);
  EXPECT_EQ(compare_exactly(names, one, one_float), -1);
  EXPECT_EQ(compare_exactly(names, Term::small(2), one_float), -1);
  EXPECT_EQ(compare(names, Term::small(2), one_float), 1);
  EXPECT_TRUE(equal_exactly(heap.floating(0.0), heap.floating(-0.0)));
  EXPECT_EQ(compare_exactly(names, heap.floating(0.0), heap.floating(-0.0)), 0);
}

TEST_F(CompareTest, KeysOfMapsStayExactWhenValuesCompareByValue) {
  for (const std::int64_t count : {1, 40}) {
    std::vector<Term> a, b, c;
    for (std::int64_t i = 0; i < count; ++i) {
      a.insert(a.end(), {Term::small(i), Term::small(i)});
      b.insert(b.end(), {Term::small(i), heap.floating(static_cast<double>(i))});
      c.insert(c.end(), {heap.floating(static_cast<double>(i)), Term::small(i)});
    }
    const Term x = map_from_pairs(heap, names, a);
    const Term y = map_from_pairs(heap, names, b);
    const Term z = map_from_pairs(heap, names, c);
    EXPECT_TRUE(equal(x, y));
    EXPECT_FALSE(equal_exactly(x, y));
    EXPECT_EQ(compare(names, x, y), 0);
    EXPECT_FALSE(equal(x, z));
    EXPECT_EQ(compare(names, x, z), -1);
  }
}

// All pairs of a set of random terms and of their variations, four relations each.
TEST_F(CompareTest, AllRelationsAgreeWithErl) {
  if (!is_erl_installed()) GTEST_SKIP() << "needs erl of release 25";
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    RandomTerms random(heap, names, seed);
    std::vector<Term> terms;
    while (terms.size() < 240) {
      switch (random.below(4)) {
        case 0: terms.push_back(random.number()); break;
        case 1: terms.push_back(random.any(3)); break;
        case 2: terms.push_back(random.map(31 + random.below(10), 1)); break;
        default: break;
      }
      if (!terms.empty())
        terms.push_back(
            random.variation(terms[terms.size() - 1 - random.below(std::min<std::size_t>(terms.size(), 5))]));
    }
    std::vector<std::string> texts;
    for (const Term t : terms) texts.push_back(erlang_text(names, t));
    const auto theirs = ask_erl(texts,
                                "B = fun(true) -> 1; (false) -> 0 end,"
                                "[io:format(\"~w~n\", [B(X < Y) + 2 * B(X == Y) + 4 * B(X =:= Y)"
                                " + 8 * (erts_internal:cmp_term(X, Y) + 1)]) || X <- Terms, Y <- Terms]");
    ASSERT_EQ(theirs.size(), terms.size() * terms.size());
    for (std::size_t i = 0; i < theirs.size(); ++i) {
      const Term x = terms[i / terms.size()];
      const Term y = terms[i % terms.size()];
      const int order = compare(names, x, y);
      ASSERT_EQ((order < 0 ? 1 : 0) + 2 * equal(x, y) + 4 * equal_exactly(x, y) +
                    8 * (compare_exactly(names, x, y) + 1),
                theirs[i])
          << texts[i / terms.size()] << "\n"
          << texts[i % terms.size()];
      ASSERT_EQ(order == 0, equal(x, y));
    }
  }
}

TEST_F(CompareTest, OrderIsTransitiveOverMixedNumbersInLargeMaps) {
  RandomTerms random(heap, names, 5);
  std::vector<Term> maps;
  const Term base = random.map(60, 1);
  for (int i = 0; i < 60; ++i) maps.push_back(random.variation(base));
  std::ranges::sort(maps, [&](Term a, Term b) { return compare(names, a, b) < 0; });
  for (std::size_t i = 0; i < maps.size(); ++i)
    for (std::size_t k = i; k < maps.size(); ++k) {
      EXPECT_LE(compare(names, maps[i], maps[k]), 0);
      EXPECT_EQ(compare(names, maps[k], maps[i]), -compare(names, maps[i], maps[k]));
    }
}

TEST_F(CompareTest, DepthIsNoLimit) {
  const auto build = [&](int shape) {
    Term t = Term::nil();
    std::vector<Term> filler;
    if (shape == 3)
      for (std::int64_t k = 0; k < 40; ++k) filler.insert(filler.end(), {Term::small(k), Term::nil()});
    const Term large = shape == 3 ? map_from_pairs(heap, names, filler) : Term::nil();
    for (int i = 0; i < (shape == 3 ? 20000 : 300000); ++i) {
      const Term pair[] = {Term::small(1), t};
      t = shape == 0   ? heap.tuple({t, Term::small(1)})
          : shape == 1 ? heap.cons(t, heap.cons(Term::small(1), Term::nil()))
          : shape == 2 ? map_from_pairs(heap, names, pair)
                       : map_put(heap, names, large, Term::small(7), t);
    }
    return t;
  };
  for (int shape = 0; shape < 4; ++shape) {
    const Term a = build(shape);
    const Term b = build(shape);
    EXPECT_TRUE(equal_exactly(a, b)) << shape;
    EXPECT_TRUE(equal(a, b)) << shape;
    EXPECT_EQ(compare(names, a, b), 0) << shape;
    EXPECT_EQ(compare_exactly(names, a, b), 0) << shape;
  }
}

}  // namespace
}  // namespace ravel::erlang
