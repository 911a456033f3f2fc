// The clauses of receives, as their source says them.

#include "erlang/system/receive_clauses.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace ravel::erlang {
namespace {

std::string clauses(const std::vector<std::string>& lines, ReceivePlace place = {.line = 1}) {
  return receive_clauses(
      [&](std::uint32_t number) {
        return number <= lines.size() ? std::string_view(lines[number - 1]) : std::string_view();
      },
      place);
}

TEST(ReceiveClauses, PatternsAndGuardsWithoutBodies) {
  EXPECT_EQ(clauses({"    receive", "        {val, M} when M > 0 -> {ok, M};  % why",
                     "        error -> error", "    end,"}),
            "{val, M} when M > 0; error");
  EXPECT_EQ(clauses({"f() -> receive X -> X end."}), "X");
  EXPECT_EQ(clauses({"receive {a,", "   B} when B =:= 1;", "  B > 2 -> ok end"}),
            "{a, B} when B =:= 1; B > 2");
}

TEST(ReceiveClauses, BlocksInBodiesAreSkipped) {
  EXPECT_EQ(clauses({"receive", "  a -> case x of y -> 1; z -> receive q -> 2 end end;",
                     "  b -> fun(X) -> X; (Y) -> Y end;", "  c -> fun f/1;",
                     "  d -> lists:map(fun m:f/1, [])", "after 10 -> late", "end"}),
            "a; b; c; d");
  EXPECT_EQ(clauses({"receive a -> try f() catch _:_ -> ok after g() end; b -> if true -> 1 end end"}),
            "a; b");
}

TEST(ReceiveClauses, QuotedTextAndCharactersAreNoCode) {
  EXPECT_EQ(clauses({"receive {\"end -> ;\", 'end', $;, $\\\\} -> \"->\"; \"%\" -> b end"}),
            "{\"end -> ;\", 'end', $;, $\\\\}; \"%\"");
}

TEST(ReceiveClauses, OfOneAmongSeveralOnALine) {
  const std::vector<std::string> lines = {"f() -> \"receive x -> y end\",",
                                          "receive a -> receive b -> 1 end end, receive c -> 2 end."};
  EXPECT_EQ(clauses(lines, {.line = 2}), "a");
  EXPECT_EQ(clauses(lines, {.line = 2, .before_on_line = 1}), "b");
  EXPECT_EQ(clauses(lines, {.line = 2, .before_on_line = 2}), "c");
}

TEST(ReceiveClauses, NothingWhereThereIsNoReceiveOrNoEnd) {
  EXPECT_EQ(clauses({"f() -> ok."}), "");
  EXPECT_EQ(clauses({"receive a -> b"}), "");
  EXPECT_EQ(clauses({"receive a -> b )"}), "");
  EXPECT_EQ(clauses({"receive after 10 -> ok end"}), "");
  EXPECT_EQ(clauses({}), "");
}

}  // namespace
}  // namespace ravel::erlang
