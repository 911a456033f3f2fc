#include "erlang/term/term_size.h"

#include <vector>

#include <gtest/gtest.h>

#include "erlang/term/bits.h"
#include "erlang/term/map.h"
#include "erlang/term/store.h"
#include "tests/erlang_term/installed_erl.h"
#include "tests/erlang_term/random_term.h"

namespace ravel::erlang {
namespace {

TEST(TermSizeTest, FlatSizesAgreeWithErl) {
  if (!is_erl_installed()) GTEST_SKIP() << "needs erl of release 25";
  Heap heap;
  Names names;
  RandomTerms random(heap, names, 3);
  std::vector<std::string> texts;
  std::vector<long long> ours;
  for (int i = 0; i < 3000; ++i) {
    const Term t = i % 50 == 0 ? random.map(30 + random.below(60), 1) : random.any(3);
    texts.push_back(erlang_text(names, t));
    ours.push_back(static_cast<long long>(flat_size(t)));
  }
  const auto theirs = ask_erl(
      texts,
      "[io:format(\"~w~n\", [erts_debug:flat_size(binary_to_term(term_to_binary(T)))]) || T <- Terms]");
  ASSERT_EQ(ours.size(), theirs.size());
  for (std::size_t i = 0; i < ours.size(); ++i) {
    if (texts[i].find("=>") != std::string::npos && texts[i].find('\'') != std::string::npos)
      continue;  // atoms hash otherwise
    ASSERT_EQ(ours[i], theirs[i]) << texts[i];
  }
}

TEST(TermSizeTest, EqualPartsCountOnceWhereverTheyAre) {
  Heap heap;
  Names names;
  const auto pair = [&] { return heap.tuple({Term::small(1), heap.floating(2.0)}); };
  EXPECT_EQ(flat_size(heap.cons(pair(), pair())), 12U);
  EXPECT_EQ(shared_size(heap.cons(pair(), pair())), 7U);
  const Term one = pair();
  EXPECT_EQ(shared_size(heap.cons(one, one)), 7U);
  const Term reference = Names::make_reference(names.root_pid(), 1);
  EXPECT_EQ(flat_size(heap.cons(reference, reference)), 8U);
  EXPECT_EQ(shared_size(heap.cons(reference, reference)), 5U);
  Term doubling = Term::nil();
  for (int i = 0; i < 200; ++i) doubling = heap.tuple({doubling, doubling});
  EXPECT_EQ(shared_size(doubling), 600U);
}

TEST(TermSizeTest, SavingATermChangesNoSize) {
  Heap heap;
  Names names;
  Store store(heap);
  RandomTerms random(heap, names, 8);
  for (int i = 0; i < 500; ++i) {
    const Term t = random.any(3);
    const Term both = heap.cons(t, deep_copy(heap, t));
    const std::uint64_t flat = flat_size(both);
    const std::uint64_t shared = shared_size(both);
    const Term stored = store.intern(both);
    EXPECT_EQ(flat_size(stored), flat);
    EXPECT_EQ(shared_size(stored), shared);
  }
}

TEST(TermSizeTest, DepthIsNoLimit) {
  Heap heap;
  Term t = Term::nil();
  for (int i = 0; i < 300000; ++i) t = heap.tuple({Term::small(i), t});
  EXPECT_EQ(flat_size(t), 900000U);
  EXPECT_EQ(shared_size(t), 900000U);
}

}  // namespace
}  // namespace ravel::erlang
