#include "erlang/term/hash_functions.h"

#include <vector>

#include <gtest/gtest.h>

#include "erlang/term/bits.h"
#include "erlang/term/compare.h"
#include "erlang/term/header.h"
#include "erlang/term/map.h"
#include "tests/erlang_term/installed_erl.h"
#include "tests/erlang_term/random_term.h"

namespace ravel::erlang {
namespace {

class HashFunctionsTest : public testing::Test {
 protected:
  Heap heap;
  Names names;
};

TEST_F(HashFunctionsTest, KnownValuesOfPhash2) {
  EXPECT_EQ(portable_hash_2(names, Term::nil()), 3468870702U);
  EXPECT_EQ(portable_hash_2(names, names.atoms.intern("a")), 97U);
}

TEST_F(HashFunctionsTest, PhashAndPhash2AgreeWithErl) {
  if (!is_erl_installed()) GTEST_SKIP() << "needs erl of release 25";
  RandomTerms random(heap, names, 7);
  std::vector<std::string> texts;
  std::vector<long long> ours;
  const auto add = [&](Term t) {
    texts.push_back(erlang_text(names, t));
    ours.push_back(portable_hash_2(names, t));
    ours.push_back(portable_hash(names, t) + 1LL);
  };
  for (int i = 0; i < 6000; ++i) add(random.any(i % 4));
  for (int i = 0; i < 40; ++i) add(random.map(30 + random.below(60), 2));
  // Longer than the emulator hashes in one go, with every number of bytes left over.
  for (std::uint64_t i = 0; i < 26; ++i) {
    const Term bytes = make_bytes(heap, 8 * (4000 + i));
    for (std::uint64_t k = 0; k < 4000 + i; ++k)
      bytes_of(bytes)[k] = static_cast<std::uint8_t>(random.below(256));
    add(bytes);
    add(make_sub_bits(heap, bytes, 3, 8 * 3900 + i));
  }
  const auto theirs =
      ask_erl(texts,
              "[io:format(\"~w~n~w~n\", [erlang:phash2(T, 1 bsl 32), erlang:phash(T, 1 bsl 32)])"
              " || T <- Terms]");
  ASSERT_EQ(ours.size(), theirs.size());
  for (std::size_t i = 0; i < ours.size(); ++i)
    ASSERT_EQ(ours[i], theirs[i]) << (i % 2 == 0 ? "phash2 " : "phash ") << texts[i / 2];
}

TEST_F(HashFunctionsTest, EqualTermsHaveEqualHashes) {
  RandomTerms random(heap, names, 11);
  int equal_pairs = 0;
  for (int i = 0; i < 4000; ++i) {
    const Term a = random.any(3);
    const Term b = random.variation(a);
    if (!equal_exactly(a, b)) continue;
    ++equal_pairs;
    EXPECT_EQ(portable_hash_2(names, a), portable_hash_2(names, b)) << erlang_text(names, a);
    EXPECT_EQ(portable_hash(names, a), portable_hash(names, b)) << erlang_text(names, a);
    for (std::uint32_t depth = 0; depth < 3; ++depth)
      EXPECT_EQ(key_hash(names, a, depth), key_hash(names, b, depth));
  }
  EXPECT_GT(equal_pairs, 500);
}

// A key that hashes like another at every depth would make the trie infinitely deep.
TEST_F(HashFunctionsTest, DifferentKeysDifferInSomeOfTheirHashes) {
  std::vector<Term> keys{Term::nil(), heap.tuple({}), empty_map(heap), make_bytes(heap, 0),
                         heap.cons(Term::nil(), Term::nil())};
  Term pid = names.root_pid();
  for (int i = 0; i < 40; ++i) {
    keys.push_back(Term::small(i));
    keys.push_back(heap.floating(i));
    keys.push_back(Term::port(static_cast<Word>(i)));
    keys.push_back(names.atoms.intern("atom" + std::to_string(i)));
    if (i > 0) pid = names.child_pid(i % 4 == 0 ? pid : names.root_pid(), static_cast<std::uint32_t>(i));
    keys.push_back(pid);
    keys.push_back(Names::make_reference(pid, 1));
    keys.push_back(Names::make_reference(pid, 2));
    keys.push_back(heap.list(std::vector<Term>(static_cast<std::size_t>(i + 1), Term::small(0))));
    keys.push_back(heap.tuple(std::vector<Term>(static_cast<std::size_t>(i + 1), Term::small(0))));
    keys.push_back(make_bytes(heap, static_cast<std::uint64_t>(i + 1)));
  }
  for (std::size_t i = 0; i < keys.size(); ++i)
    for (std::size_t k = 0; k < i; ++k) {
      bool differ = false;
      for (std::uint32_t depth = 0; depth < 3; ++depth)
        differ = differ || key_hash(names, keys[i], depth) != key_hash(names, keys[k], depth);
      EXPECT_TRUE(differ) << i << " and " << k;
    }
}

TEST_F(HashFunctionsTest, NamesHashTheSameWhateverWasNamedBefore) {
  Names other;
  other.atoms.intern("first");
  const Term other_child = other.child_pid(other.child_pid(other.root_pid(), 5), 1);
  const Term other_pid = other.child_pid(other.child_pid(other.root_pid(), 2), 3);
  const Term pid = names.child_pid(names.child_pid(names.root_pid(), 2), 3);
  ASSERT_NE(pid, other_pid);
  EXPECT_EQ(key_hash(names, pid, 0), key_hash(other, other_pid, 0));
  EXPECT_NE(key_hash(other, other_child, 0), key_hash(other, other_pid, 0));
  EXPECT_EQ(portable_hash_2(names, pid), portable_hash_2(other, other_pid));
  const Term atom = names.atoms.intern("new");
  const Term other_atom = other.atoms.intern("new");
  EXPECT_EQ(key_hash(names, atom, 1), key_hash(other, other_atom, 1));
  EXPECT_EQ(key_hash(names, Names::make_reference(pid, 9), 0),
            key_hash(other, Names::make_reference(other_pid, 9), 0));
}

TEST_F(HashFunctionsTest, DepthIsNoLimit) {
  Term tuples = Term::nil();
  Term lists = Term::nil();
  Term maps = Term::nil();
  for (int i = 0; i < 300000; ++i) {
    tuples = heap.tuple({tuples, Term::small(1)});
    lists = heap.cons(lists, Term::nil());
    const Term pair[] = {Term::small(i), maps};
    maps = map_from_pairs(heap, names, pair);
  }
  for (const Term t : {tuples, lists, maps}) {
    key_hash(names, t, 0);
    portable_hash(names, t);
    portable_hash_2(names, t);
  }
}

}  // namespace
}  // namespace ravel::erlang
