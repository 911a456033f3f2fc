// The clauses of Elixir's receives, as their source says them.

#include "erlang/system/elixir_receive_clauses.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace ravel::erlang {
namespace {

std::string clauses(const std::vector<std::string>& lines, ReceivePlace place = {.line = 1}) {
  return elixir_receive_clauses(
      [&](std::uint32_t number) {
        return number <= lines.size() ? std::string_view(lines[number - 1]) : std::string_view();
      },
      place);
}

TEST(ElixirReceiveClauses, PatternsAndGuardsWithoutBodies) {
  EXPECT_EQ(clauses({"    receive do", "      {:val, m} when m > 0 -> {:ok, m}  # why", "      :error ->",
                     "        :error", "    end"}),
            "{:val, m} when m > 0; :error");
  EXPECT_EQ(clauses({"def f, do: 1; receive do x -> x end"}), "x");
  EXPECT_EQ(clauses({"receive do", "  {:a,", "   b}", "  when b == 1 or", "    b == 2 ->", "    b",
                     "  %{key: v} = map -> v", "after 10 -> :late", "end"}),
            "{:a, b} when b == 1 or b == 2; %{key: v} = map");
}

TEST(ElixirReceiveClauses, BodiesMayHaveBlocksAndFunctionsOfTheirOwn) {
  EXPECT_EQ(
      clauses({"receive do", "  :a ->", "    case x do", "      y -> 1", "      z -> receive do q -> 2 end",
               "    end", "  :b ->", "    f = fn 1 -> 2; 3 -> 4 end", "    list |>",
               "      Enum.map(fn x -> x end)", "  :c -> if x, do: 1, else: 2",
               "  <<1, rest::binary>> -> <<2>>", "  :d -> <<3>>", "end"}),
      ":a; :b; :c; <<1, rest::binary>>; :d");
}

TEST(ElixirReceiveClauses, QuotedTextAndCharactersAreNoCode) {
  EXPECT_EQ(clauses({"receive do", "  {\"end -> #\", ?#, :\"->\"} -> 1", "  'x' -> \"after\"", "end"}),
            "{\"end -> #\", ?#, :\"->\"}; 'x'");
}

TEST(ElixirReceiveClauses, MacrosOfExUnitHaveOnePattern) {
  EXPECT_EQ(clauses({"    assert_receive {:pong, ^ref}"}), "{:pong, ^ref}");
  EXPECT_EQ(clauses({"    assert_receive({:pong, _}, 100)"}), "{:pong, _}");
  EXPECT_EQ(clauses({"    refute_receive :late, 100"}), ":late");
  EXPECT_EQ(clauses({"    assert_receive {:down,", "                    _}"}), "{:down, _}");
}

TEST(ElixirReceiveClauses, OfOneAmongSeveralOnALine) {
  const std::vector<std::string> lines = {
      "receive do :a -> assert_receive :b, 9 end; receive do :c -> 1 end"};
  EXPECT_EQ(clauses(lines, {.line = 1, .before_on_line = 1}), ":b");
  EXPECT_EQ(clauses(lines, {.line = 1, .before_on_line = 2}), ":c");
}

TEST(ElixirReceiveClauses, NothingWhereThereIsNoReceiveOrNoEnd) {
  EXPECT_EQ(clauses({"def f, do: :ok"}), "");
  EXPECT_EQ(clauses({"receive do", "  a -> b"}), "");
  EXPECT_EQ(clauses({"receive do: (a -> b)"}), "");
}

}  // namespace
}  // namespace ravel::erlang
