#include "p/source/sources.h"

#include <gtest/gtest.h>

#include "p/source/diagnostics.h"

namespace ravel::p {
namespace {

TEST(Sources, CountLinesAndCharacters) {
  Sources sources;
  const std::uint32_t file = sources.add("dir/a.p", "ab\n\xc3\xa4x\r\ny");
  EXPECT_EQ(sources.describe({file, 0}), "dir/a.p:1:1");
  EXPECT_EQ(sources.describe({file, 2}), "dir/a.p:1:3");
  EXPECT_EQ(sources.describe({file, 3}), "dir/a.p:2:1");
  EXPECT_EQ(sources.describe({file, 5}), "dir/a.p:2:2");
  EXPECT_EQ(sources.describe({file, 8}), "dir/a.p:3:1");
  EXPECT_EQ(sources.describe({file, 9}), "dir/a.p:3:2");
}

TEST(Sources, DropAByteOrderMark) {
  Sources sources;
  EXPECT_EQ(sources.text(sources.add("a", "\xef\xbb\xbfx")), "x");
}

TEST(Diagnostics, AreSortedAndOneAtAPlace) {
  Sources sources;
  const std::uint32_t a = sources.add("a", "xyz");
  const std::uint32_t b = sources.add("b", "xyz");
  Diagnostics diagnostics;
  EXPECT_FALSE(diagnostics.has_errors());
  diagnostics.warning({b, 1}, "odd");
  EXPECT_FALSE(diagnostics.has_errors());
  diagnostics.error({b, 0}, "late");
  diagnostics.error({a, 2}, "first here");
  diagnostics.error({a, 2}, "second here");
  diagnostics.error({a, 0}, "early");
  EXPECT_EQ(to_string(diagnostics, sources),
            "a:1:1: early\na:1:3: first here\nb:1:1: late\nb:1:2: warning: odd\n");
  EXPECT_EQ(to_string(diagnostics, sources, 1), "a:1:1: early\n(3 more)\n");
}

}  // namespace
}  // namespace ravel::p
