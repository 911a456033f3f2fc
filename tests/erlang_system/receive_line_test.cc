// The line of a receive, from the text of a function.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "erlang/system/receive_line.h"

namespace ravel::erlang {
namespace {

// Lines count from 1.
std::uint32_t line_in(const std::vector<std::string>& lines, std::uint32_t from, std::size_t skipped = 0,
                      FunBodies fun_bodies = FunBodies::kSkip) {
  const auto text = [&](std::uint32_t line) {
    return line - 1 < lines.size() ? std::string_view(lines[line - 1]) : std::string_view();
  };
  return find_receive(text, from, skipped, fun_bodies).value_or(ReceivePlace{}).line;
}

TEST(ReceiveLine, IsTheNextOneInTheText) {
  EXPECT_EQ(line_in({"f() ->", "    a ! b,", "    receive", "        x -> ok", "    end."}, 1), 3);
  EXPECT_EQ(line_in({"f() -> receive x -> ok end."}, 1), 1);
}

TEST(ReceiveLine, SkipsThoseThatTheCodeHasBeforeIt) {
  const std::vector<std::string> lines = {"f() ->", " receive a -> ok end,",
                                          " receive b -> ok; c -> receive d -> 1 end end,",
                                          " receive e -> ok end."};
  EXPECT_EQ(line_in(lines, 1, 0), 2);
  EXPECT_EQ(line_in(lines, 1, 1), 3);
  EXPECT_EQ(line_in(lines, 1, 2), 3);
  EXPECT_EQ(line_in(lines, 1, 3), 4);
  EXPECT_EQ(line_in(lines, 1, 4), 0);
}

TEST(ReceiveLine, CountsThoseBeforeItOnItsLineAlsoThatOfAFun) {
  const auto text = [](std::uint32_t line) {
    return line == 1
               ? std::string_view(
                     "f() -> spawn(fun() -> receive a -> b end end), receive c -> d end, receive e -> f end.")
               : "";
  };
  EXPECT_EQ(find_receive(text, 1, 1, FunBodies::kSkip), (ReceivePlace{.line = 1, .before_on_line = 2}));
}

TEST(ReceiveLine, LeavesOutWhatFunsReceiveUnlessThePlaceIsInAFun) {
  const std::vector<std::string> lines = {"f() ->",
                                          " spawn(fun() -> case 1 of 1 -> receive a -> ok end end end),",
                                          " lists:map(fun g/1, []),", " receive b -> ok end."};
  EXPECT_EQ(line_in(lines, 2), 4);
  EXPECT_EQ(line_in(lines, 2, 0, FunBodies::kRead), 2);
}

TEST(ReceiveLine, IsNoWordInACommentAStringAnAtomOrALongerName) {
  EXPECT_EQ(line_in({"f() -> g(), % receive", " \"receive\", 'receive', receiver(), $\", x_receive,",
                     " receive a -> b end."},
                    1),
            3);
}

TEST(ReceiveLine, StaysInsideTheFunctionWhichMayHaveSeveralClauses) {
  EXPECT_EQ(
      line_in({"f(1) -> receive a -> 1 end;", "f(2) -> receive a -> 2 end.", "g() -> receive x -> y end."}, 1,
              1),
      2);
  EXPECT_EQ(
      line_in({"f(1) -> receive a -> 1 end;", "f(2) -> receive a -> 2 end.", "g() -> receive x -> y end."}, 1,
              2),
      0);
  EXPECT_EQ(line_in({"f() ->", "    g().", "", "h() -> receive a -> b end."}, 1), 0);
}

}  // namespace
}  // namespace ravel::erlang
