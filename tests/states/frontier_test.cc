// States that are put off: they come back in their order, from memory and from a file.
#include "states/frontier.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <deque>
#include <filesystem>
#include <string>

#include "base/random.h"

namespace ravel {
namespace {

PutOff random_one(Random& random) {
  const auto below = [&](std::uint64_t bound) { return static_cast<std::uint32_t>(random.below(bound)); };
  const bool is_far = below(8) == 0;
  return {.state = StateNumber{is_far ? ~below(5) : 1'000 + below(300)},
          .explorer = is_far ? ~below(5) : below(100),
          .place = below(9)};
}

// The naive reference is a queue.
void check(Frontier& frontier, std::deque<PutOff>& reference, Random& random, std::size_t steps) {
  for (std::size_t i = 0; i < steps; ++i) {
    if (random.below(3) > 0) {
      const PutOff one = random_one(random);
      frontier.put(one);
      reference.push_back(one);
    }
    ASSERT_EQ(frontier.size(), reference.size());
    std::vector<PutOff> all;
    if (i % 4'096 == 0) {
      frontier.for_each([&](const PutOff& one) { all.push_back(one); });
      ASSERT_TRUE(std::ranges::equal(all, reference));
    }
  }
  for (std::size_t i = 0; i < 200 && !reference.empty(); ++i) {
    const std::uint64_t index = random.below(reference.size());
    ASSERT_EQ(frontier.at(index), reference[index]) << index;
  }
  while (!reference.empty()) {
    ASSERT_EQ(frontier.take(), reference.front());
    reference.pop_front();
    if (reference.size() % 1'000 == 7) {
      ASSERT_EQ(frontier.at(reference.size() - 1), reference.back());
      ASSERT_EQ(frontier.at(0), reference.front());
    }
  }
  ASSERT_FALSE(frontier.take());
}

TEST(Frontier, GivesBackWhatWasPutIntoIt) {
  for (const std::size_t memory_max : {std::size_t{0}, std::size_t{9'000}, Frontier::kMemoryMax}) {
    Frontier frontier(memory_max), other(memory_max);
    std::deque<PutOff> reference;
    Random random(memory_max);
    for (const std::size_t steps : {1u, 2'000u, 50'000u, 3'000u}) {
      check(frontier, reference, random, steps);
      if (HasFatalFailure()) FAIL() << memory_max << ", " << steps;
      frontier.swap(other);
    }
  }
}

TEST(Frontier, TakesLittleMemoryIfItIsLarge) {
  Frontier small_one(100'000), large_one;
  for (std::uint32_t i = 0; i < 1'000'000; ++i) {
    const PutOff one = {.state = StateNumber{2 * i}, .explorer = i % 1'000, .place = 1};
    small_one.put(one);
    large_one.put(one);
  }
  EXPECT_EQ(large_one.bytes_on_disk(), 0u);
  EXPECT_LT(large_one.bytes(), 5'000'000u);  // as PutOff it is 12,000,000
  EXPECT_GT(small_one.bytes_on_disk(), 2'000'000u);
  EXPECT_LT(small_one.bytes(), 250'000u);
}

TEST(Frontier, LeavesNoFile) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("frontier" + std::to_string(getpid()));
  std::filesystem::create_directory(folder);
  ASSERT_EQ(setenv("TMPDIR", folder.c_str(), 1), 0);
  Frontier frontier(0);
  for (std::uint32_t i = 0; i < 5'000; ++i) frontier.put({.state = StateNumber{i}});
  EXPECT_GT(frontier.bytes_on_disk(), 0u);
  EXPECT_TRUE(std::filesystem::is_empty(folder));
  // Where there is no folder it stays in memory.
  ASSERT_EQ(setenv("TMPDIR", (folder / "none").c_str(), 1), 0);
  Frontier in_memory(0);
  for (std::uint32_t i = 0; i < 5'000; ++i) in_memory.put({.state = StateNumber{i}});
  EXPECT_EQ(in_memory.bytes_on_disk(), 0u);
  for (std::uint32_t i = 0; i < 5'000; ++i) EXPECT_EQ(in_memory.take()->state, StateNumber{i});
  unsetenv("TMPDIR");
  std::filesystem::remove(folder);
}

}  // namespace
}  // namespace ravel
