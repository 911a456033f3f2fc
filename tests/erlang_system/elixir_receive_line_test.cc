#include "erlang/system/elixir_receive_line.h"

#include <gtest/gtest.h>

#include <array>
#include <string_view>

namespace ravel::erlang {
namespace {

constexpr auto kSource = std::to_array<std::string_view>({
    "def wait(x) do",                                  // 1
    "  # receive what comes",                          //
    "  log(\"receive #{x}\", receive: 1)",             //
    "  :receive",                                      //
    "  receive do",                                    // 5
    "    m -> assert_receive {:x, ^m}",                //
    "  after 0 -> Other.receive(1)",                   //
    "  end",                                           //
    "  receive do _ -> 1 end; receive do _ -> 2 end",  // 9
    "end",
});

std::optional<ReceivePlace> find(std::size_t before) {
  return find_elixir_receive(
      [](std::uint32_t line) { return line <= kSource.size() ? kSource[line - 1] : std::string_view(); }, 1,
      before);
}

TEST(ElixirReceiveLine, CountsReceivesAndMacrosOfExUnit) {
  EXPECT_EQ(find(0), (ReceivePlace{.line = 5}));
  EXPECT_EQ(find(1), (ReceivePlace{.line = 6}));
  EXPECT_EQ(find(2), (ReceivePlace{.line = 9}));
  EXPECT_EQ(find(3), (ReceivePlace{.line = 9, .before_on_line = 1}));
  EXPECT_EQ(find(4), std::nullopt);
}

}  // namespace
}  // namespace ravel::erlang
