#include "p/program/id_set.h"

#include <gtest/gtest.h>

#include <set>

#include "base/random.h"

namespace ravel::p {
namespace {

EventSet set_of(const std::set<std::uint32_t>& numbers) {
  EventSet result;
  for (const std::uint32_t number : numbers) result.add(EventId(number));
  return result;
}

TEST(IdSet, IsASet) {
  Random random(1);
  for (int round = 0; round < 500; ++round) {
    std::set<std::uint32_t> a, b, both, either, only_a;
    for (int i = 0; i < 6; ++i) a.insert(static_cast<std::uint32_t>(random.below(200)));
    for (int i = 0; i < 6; ++i) b.insert(static_cast<std::uint32_t>(random.below(200)));
    for (std::uint32_t i = 0; i < 200; ++i) {
      if (a.contains(i) && b.contains(i)) both.insert(i);
      if (a.contains(i) || b.contains(i)) either.insert(i);
      if (a.contains(i) && !b.contains(i)) only_a.insert(i);
      EXPECT_EQ(set_of(a).contains(EventId(i)), a.contains(i));
    }
    EXPECT_EQ(set_of(a) & set_of(b), set_of(both));
    EXPECT_EQ(set_of(a) | set_of(b), set_of(either));
    EXPECT_EQ(set_of(a) - set_of(b), set_of(only_a));
    EventSet less = set_of(a);
    less.remove(EventId(*a.rbegin()));
    std::set<std::uint32_t> fewer = a;
    fewer.erase(*a.rbegin());
    EXPECT_EQ(less, set_of(fewer));
    EXPECT_EQ(set_of(only_a).is_empty(), only_a.empty());
    EXPECT_EQ(set_of(a).first(), EventId(*a.begin()));
  }
  EXPECT_EQ(EventSet().first(), std::nullopt);
}

}  // namespace
}  // namespace ravel::p
