#include "erlang/bif/builtins.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace ravel::erlang {
namespace {

TEST(BuiltinsTest, NoBuiltinIsInTwoFamilies) {
  const std::vector<Builtin> all = all_builtins();
  EXPECT_TRUE(std::ranges::is_sorted(all, {}, &Builtin::key));
  EXPECT_EQ(std::ranges::adjacent_find(all, {}, &Builtin::key), all.end());
  EXPECT_GT(all.size(), 300U);
  for (const Builtin& builtin : all)
    EXPECT_NE(builtin.function, nullptr) << builtin.module << ':' << builtin.name;
}

}  // namespace
}  // namespace ravel::erlang
