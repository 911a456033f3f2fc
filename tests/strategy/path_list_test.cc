#include "strategy/path_list.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/random.h"

namespace ravel {
namespace {

TEST(PathList, GivesBackRandomSortedPathsInOrder) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Random random(seed);
    std::vector<Path> paths;
    for (int i = 0; i < 100; ++i) {
      Path path(1 + random.below(300), 0);
      for (auto& position : path) {
        if (random.chance(1, 5))
          position = static_cast<std::uint32_t>(random.below(random.chance(1, 20) ? 100'000 : 3));
      }
      paths.push_back(path);
    }
    std::ranges::sort(paths);
    PathList list;
    Path last;
    for (const Path& path : paths) {
      const auto shared = static_cast<std::size_t>(std::ranges::mismatch(last, path).in1 - last.begin());
      list.push(shared, std::span(path).subspan(shared));
      last = path;
    }
    Path read;
    for (const Path& path : paths) {
      ASSERT_FALSE(list.empty());
      list.pop(read);
      EXPECT_EQ(read, path);
    }
    EXPECT_TRUE(list.empty());
  }
}

TEST(PathList, StoresANeighbourInAFewBytes) {
  PathList list;
  list.push(0, Path(100, 0));
  const std::size_t before = list.bytes();
  Path rest(60, 0);
  rest[0] = 1;
  list.push(40, rest);
  EXPECT_LE(list.bytes() - before, 5u);
}

}  // namespace
}  // namespace ravel
