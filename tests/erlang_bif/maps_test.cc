#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "erlang/bif/builtins.h"
#include "erlang/term/compare.h"
#include "erlang/term/map.h"
#include "tests/erlang_term/installed_erl.h"

namespace ravel::erlang {
namespace {

class MapBuiltinsTest : public testing::Test {
 protected:
  // The result, or the error's reason as {failed, Reason}.
  Term run(std::string_view module, std::string_view name, std::initializer_list<Term> arguments) {
    const auto table = map_builtins();
    const auto row = std::ranges::find_if(table, [&](const Builtin& b) {
      return b.module == module && b.name == name && b.arity == arguments.size();
    });
    EXPECT_NE(row, table.end()) << module << ":" << name;
    const Term result = row->function(call_, arguments.begin());
    return result.is_none() ? heap.tuple({names.atoms.intern("failed"), call_.exception.reason}) : result;
  }
  Term maps(std::string_view name, std::initializer_list<Term> arguments) {
    return run("maps", name, arguments);
  }
  Term failed(Term reason) { return heap.tuple({names.atoms.intern("failed"), reason}); }
  Term badmap(Term t) { return failed(heap.tuple({atoms::kBadmap, t})); }
  Term badkey(Term t) { return failed(heap.tuple({atoms::kBadkey, t})); }
  Term small(std::int64_t value) { return Term::small(value); }
  Term range_list(std::int64_t count) {
    Term list = Term::nil();
    for (std::int64_t i = count; i-- > 0;) list = heap.cons(small(i), list);
    return list;
  }

  Heap heap;
  Names names;

 private:
  alignas(64) std::byte no_machine_[64];  // these built-ins never look at it
  Call call_{reinterpret_cast<Machine&>(no_machine_), heap, names, nullptr};
};

#define EXPECT_TERM(a, b) EXPECT_TRUE(equal_exactly(a, b))

TEST_F(MapBuiltinsTest, WrongArgumentsFailAsInErlang) {
  const Term no_map = small(3);
  const Term map = maps("from_keys", {range_list(3), small(7)});
  for (const char* name : {"keys", "values"}) EXPECT_TERM(maps(name, {no_map}), badmap(no_map));
  for (const char* name : {"get", "find", "is_key", "remove", "take"})
    EXPECT_TERM(maps(name, {small(1), no_map}), badmap(no_map)) << name;
  EXPECT_TERM(maps("put", {small(1), small(2), no_map}), badmap(no_map));
  EXPECT_TERM(maps("update", {small(1), small(2), no_map}), badmap(no_map));
  EXPECT_TERM(maps("update", {small(9), small(2), map}), badkey(small(9)));
  EXPECT_TERM(maps("get", {small(9), map}), badkey(small(9)));
  EXPECT_TERM(run("erlang", "map_get", {small(9), map}), badkey(small(9)));
  EXPECT_TERM(run("erlang", "map_size", {no_map}), badmap(no_map));
  EXPECT_TERM(maps("merge", {no_map, small(4)}), badmap(no_map));
  EXPECT_TERM(maps("merge", {map, small(4)}), badmap(small(4)));
  EXPECT_TERM(maps("from_list", {small(4)}), failed(atoms::kBadarg));
  EXPECT_TERM(maps("from_list", {range_list(2)}), failed(atoms::kBadarg));
  EXPECT_TERM(maps("from_list", {range_list(200)}), failed(atoms::kBadarg));
  EXPECT_TERM(maps("from_keys", {heap.cons(small(1), small(2)), small(0)}), failed(atoms::kBadarg));
  Term improper = small(0);
  for (int i = 0; i < 100; ++i) improper = heap.cons(small(i), improper);
  EXPECT_TERM(maps("from_keys", {improper, small(0)}), failed(atoms::kBadarg));
  EXPECT_TERM(run("erts_debug", "map_info", {map}), failed(atoms::kBadarg));
}

TEST_F(MapBuiltinsTest, TakeGivesTheValueAndTheRest) {
  for (const std::int64_t count : {3, 33, 34, 100}) {
    const Term map = maps("from_keys", {range_list(count), small(7)});
    const Term taken = maps("take", {small(1), map});
    ASSERT_TRUE(is_tuple_of(taken, 2));
    EXPECT_EQ(element(taken, 1), small(7));
    EXPECT_EQ(map_size(element(taken, 2)), static_cast<Word>(count - 1));
    EXPECT_EQ(maps("take", {small(1), element(taken, 2)}), atoms::kError);
    EXPECT_EQ(maps("find", {small(1), element(taken, 2)}), atoms::kError);
    EXPECT_TERM(maps("find", {small(2), map}), heap.tuple({atoms::kOk, small(7)}));
  }
}

// The walk of maps:next/1, in our pieces: all keys, in erl's order; and the same first path as erl's.
TEST_F(MapBuiltinsTest, IteratorsWalkAsInErl) {
  if (!is_erl_installed()) GTEST_SKIP() << "needs erl of release 25";
  std::vector<std::string> sizes;
  std::vector<long long> ours;
  for (const std::int64_t count : {0, 1, 32, 33, 40, 1000, 20000}) {
    sizes.push_back(std::to_string(count));
    const Term map = maps("from_keys", {range_list(count), small(7)});
    Term rest = run("erts_internal", "map_next", {small(0), map, atoms::kIterator});
    bool is_first = true;
    while (rest != atoms::kNone) {
      if (rest.is_cons()) {
        if (is_first && rest.head().is_small()) ours.push_back(rest.head().small_value());
        is_first = false;
        rest = run("erts_internal", "map_next", {rest.head(), rest.tail(), atoms::kIterator});
        continue;
      }
      ours.push_back(element(rest, 1).small_value());
      rest = element(rest, 3);
    }
    const Term list = run("erts_internal", "map_next", {small(0), map, Term::nil()});
    for (Term t = list; t.is_cons(); t = t.tail()) ours.push_back(element(t.head(), 1).small_value());
  }
  const auto theirs = ask_erl(
      sizes,
      "P = fun(X) -> io:format(\"~w~n\", [X]) end,"
      "W = fun F(none, _) -> ok; F({K, _, R}, First) -> P(K), F(R, First);"
      "        F([Path | M], First) -> First andalso P(Path), F(erts_internal:map_next(Path, M, iterator), "
      "false) end,"
      "[begin M = maps:from_keys(lists:seq(0, N - 1), 7), W(erts_internal:map_next(0, M, iterator), true),"
      "  [P(K) || {K, _} <- maps:to_list(M)] end || N <- Terms]");
  EXPECT_EQ(ours, theirs);
}

TEST_F(MapBuiltinsTest, APathOutsideTheMapIsRefused) {
  const Term large = maps("from_keys", {range_list(100), small(7)});
  const Term flat = maps("from_keys", {range_list(3), small(7)});
  for (const Term path : {small(-1), small(0xFFFF), atoms::kOk, heap.floating(0.0)})
    for (const Term map : {large, flat})
      EXPECT_TERM(run("erts_internal", "map_next", {path, map, atoms::kIterator}), failed(atoms::kBadarg));
  EXPECT_TERM(run("erts_internal", "map_next", {small(0), large, atoms::kOk}), failed(atoms::kBadarg));
  EXPECT_TERM(run("erts_internal", "map_next", {small(0), small(1), atoms::kIterator}),
              failed(atoms::kBadarg));
}

TEST_F(MapBuiltinsTest, MapInfoDescribesTheTrie) {
  const Term map = maps("from_keys", {range_list(500), small(7)});
  const Term info = run("erts_debug", "map_info", {map});
  const Term arrays = info.tail().head();
  const Term bitmaps = info.tail().tail().head();
  const Term leaves = info.tail().tail().tail().head();
  EXPECT_EQ(element(arrays, 2), small(1));
  EXPECT_EQ(element(leaves, 2), small(500));
  std::int64_t nodes = 0;
  for (Word i = 1; i <= 16; ++i) nodes += element(element(bitmaps, 3), i).small_value();
  EXPECT_EQ(element(bitmaps, 2), small(nodes));
  Word children = 0;
  for (Term t = run("erts_internal", "map_hashmap_children", {map}); t.is_cons(); t = t.tail()) ++children;
  EXPECT_EQ(children, 16U);
}

}  // namespace
}  // namespace ravel::erlang
