#include "states/remembered_steps.h"

#include <gtest/gtest.h>

#include <array>
#include <map>

#include "base/flat_map.h"
#include "base/random.h"
#include "states/variety_order.h"

namespace ravel {
namespace {

using PartAt = RememberedSteps::PartAt;

std::optional<RememberedSteps::Effect> find(const RememberedSteps& steps,
                                            const std::map<std::uint32_t, std::uint32_t>& state) {
  return steps.find(7, 0, [&](std::uint32_t place) { return state.at(place); });
}

TEST(RememberedSteps, DoTheSameWhereTheyReadTheSame) {
  RememberedSteps steps;
  const std::array<PartAt, 2> reads = {{{.place = 0, .part = 10}, {.place = 3, .part = 30}}};
  const std::array<PartAt, 1> writes = {{{.place = 0, .part = 11}}};
  steps.note(7, 0, reads, {.writes = writes, .deliveries = {}, .letter = 5});
  const auto known = find(steps, {{0, 10}, {1, 99}, {3, 30}});
  ASSERT_TRUE(known);
  ASSERT_EQ(known->writes.size(), 1);
  EXPECT_EQ(known->writes[0].place, 0);
  EXPECT_EQ(known->writes[0].part, 11);
  EXPECT_EQ(known->letter, 5);
  EXPECT_FALSE(find(steps, {{0, 10}, {3, 31}}));
  EXPECT_FALSE(find(steps, {{0, 12}, {3, 30}}));
  EXPECT_FALSE(steps.find(7, 1, [](std::uint32_t) { return 10; }));
}

TEST(RememberedSteps, ReadFurtherPlacesByWhatTheyHaveRead) {
  RememberedSteps steps;
  const std::array<PartAt, 2> by_three = {{{.place = 0, .part = 10}, {.place = 3, .part = 30}}};
  const std::array<PartAt, 2> by_four = {{{.place = 0, .part = 20}, {.place = 4, .part = 40}}};
  const std::array<PartAt, 1> one = {{{.place = 9, .part = 1}}}, two = {{{.place = 9, .part = 2}}};
  steps.note(7, 0, by_three, {.writes = one, .deliveries = {}});
  steps.note(7, 0, by_four, {.writes = two, .deliveries = {}});
  EXPECT_EQ(find(steps, {{0, 10}, {3, 30}, {4, 41}})->writes[0].part, 1);
  EXPECT_EQ(find(steps, {{0, 20}, {3, 31}, {4, 40}})->writes[0].part, 2);
}

// One that reads something else after the same is no step of this kind: nothing is said of it.
TEST(RememberedSteps, DoNotContradictThemselves) {
  RememberedSteps steps;
  const std::array<PartAt, 2> first = {{{.place = 0, .part = 10}, {.place = 3, .part = 30}}};
  const std::array<PartAt, 2> other = {{{.place = 0, .part = 10}, {.place = 4, .part = 40}}};
  const std::array<PartAt, 1> shorter = {{{.place = 0, .part = 10}}};
  steps.note(7, 0, first, {});
  steps.note(7, 0, other, {});
  steps.note(7, 0, shorter, {});
  EXPECT_TRUE(find(steps, {{0, 10}, {3, 30}, {4, 40}}));
  EXPECT_FALSE(find(steps, {{0, 10}, {3, 31}, {4, 40}}));
}

TEST(RememberedSteps, KnowWhatAMessageMakesOfAPart) {
  RememberedSteps steps;
  const auto one = steps.message_of(1, 2), other = steps.message_of(2, 1);
  EXPECT_NE(one, other);
  EXPECT_EQ(steps.message_of(1, 2), one);
  EXPECT_EQ(steps.content_of(other).first, 2);
  EXPECT_FALSE(steps.after(one, 50));
  steps.note_after(one, 50, 51);
  EXPECT_EQ(steps.after(one, 50), 51);
  EXPECT_FALSE(steps.after(other, 50));
  steps.note_after(one, 50, 52);  // what is known stays
  EXPECT_EQ(steps.after(one, 50), 51);
}

TEST(FlatMap, HasWhatAMapHas) {
  FlatMap map;
  std::map<std::uint64_t, std::uint32_t> model;
  Random random(1);
  for (int i = 0; i < 20'000; ++i) {
    const std::uint64_t key = random.below(15'000) << 20;
    const auto value = static_cast<std::uint32_t>(random.below(1'000));
    map.insert(key, value);
    model.try_emplace(key, value);
  }
  EXPECT_EQ(map.size(), model.size());
  for (std::uint64_t key = 0; key < 16'000; ++key) {
    const auto known = model.find(key << 20);
    const std::optional<std::uint32_t> found = map.find(key << 20);
    ASSERT_EQ(found.has_value(), known != model.end());
    if (found) {
      ASSERT_EQ(*found, known->second);
    }
  }
}

TEST(VarietyOrder, PutsThoseWithMostVersionsLast) {
  VarietyOrder order;
  EXPECT_FALSE(order.is_due(100));
  EXPECT_TRUE(order.is_due(4096));
  order.begin_count();
  for (std::uint64_t version = 0; version < 9; ++version) {
    order.note(1, version);
    order.note(2, version / 3);
    order.note(3, 0);
  }
  order.end_count();
  EXPECT_FALSE(order.is_due(4096));
  const std::array<std::uint64_t, 4> owners = {1, 2, 3, 4};  // of the last one nothing was seen
  std::vector<std::uint32_t> places;
  order.place(owners, places);
  EXPECT_EQ(places, (std::vector<std::uint32_t>{3, 2, 1, 0}));
}

}  // namespace
}  // namespace ravel
