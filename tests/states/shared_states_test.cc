// The set of states that several processes share: processes that insert the same ones, at the same time.
#include "states/shared_states.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "base/random.h"

namespace ravel {
namespace {

Hash128 hash_of(std::uint64_t number) {
  WideHash hash(1);
  hash.add({.high = number, .low = 0});
  return hash.finish();
}

// Each of so many processes inserts the numbers below `count`, in an order of its own. Of each number how
// many found it new.
std::vector<unsigned> insert_in_processes(SharedStates& states, std::size_t processes, std::uint64_t count) {
  std::vector<std::array<int, 2>> pipes(processes);
  std::vector<pid_t> children;
  for (std::size_t process = 0; process < processes; ++process) {
    EXPECT_EQ(pipe(pipes[process].data()), 0);
    const pid_t child = fork();
    if (child == 0) {
      states.be_process(process);
      std::vector<std::uint64_t> numbers;
      for (std::uint64_t i = 0; i < count; ++i) numbers.push_back(i);
      Random random(process);
      for (std::size_t i = numbers.size(); i > 1; --i) std::swap(numbers[i - 1], numbers[random.below(i)]);
      std::vector<std::uint64_t> found;
      for (const std::uint64_t number : numbers)
        if (states.insert(hash_of(number))) found.push_back(number);
      for (const std::uint64_t number : found)
        if (write(pipes[process][1], &number, sizeof number) != sizeof number) _exit(1);
      _exit(0);
    }
    close(pipes[process][1]);
    children.push_back(child);
  }
  std::vector<unsigned> times(count);
  for (std::size_t process = 0; process < processes; ++process) {
    std::uint64_t number = 0;
    while (read(pipes[process][0], &number, sizeof number) == sizeof number) ++times.at(number);
    close(pipes[process][0]);
    int status = 0;
    waitpid(children[process], &status, 0);
    EXPECT_EQ(status, 0);
  }
  return times;
}

TEST(SharedStates, AStateIsNewToOneProcessOnly) {
  for (const std::size_t processes : {1u, 2u, 3u, 8u}) {
    for (const std::uint64_t count : {100u, 100'000u}) {
      SharedStates states(processes, 128);  // grows many times
      const std::vector<unsigned> times = insert_in_processes(states, processes, count);
      EXPECT_EQ(times, std::vector<unsigned>(count, 1));
      EXPECT_EQ(states.size(), count);
      for (std::uint64_t i = 0; i < count; ++i) EXPECT_FALSE(states.insert(hash_of(i)));
      EXPECT_TRUE(states.insert(hash_of(count)));
    }
  }
}

TEST(SharedStates, HashesThatAgreeInAHalfAreDifferent) {
  SharedStates states(1, 16);
  Random random(1);
  std::set<Hash128> known;
  for (int i = 0; i < 20'000; ++i) {
    // Also those with a half that is zero, which stands for one.
    Hash128 hash{.high = random.below(40) << 58, .low = random.below(40)};
    const bool is_there = states.contains(hash), is_new = states.insert(hash);
    EXPECT_NE(is_there, is_new);
    if (hash.high == 0) hash.high = 1;
    if (hash.low == 0) hash.low = 1;
    EXPECT_EQ(is_new, known.insert(hash).second);
  }
  EXPECT_EQ(states.size(), known.size());
}

TEST(SharedStates, TellsHowMuchItTakesAndMayLeaveOut) {
  SharedStates states(2);
  for (std::uint64_t i = 0; i < 300'000; ++i) states.insert(hash_of(i));
  EXPECT_GE(states.table_bytes(), 21u * states.size());
  EXPECT_LE(states.table_bytes(), 33u * states.size());
  EXPECT_EQ(states.bytes(), states.table_bytes());
  EXPECT_EQ(states.told().hash_bits, 128u);
  EXPECT_GT(states.told().omitted, 0);
  EXPECT_LT(states.told().omitted, 1e-27);
  states.be_process(1);
  EXPECT_EQ(states.bytes(), 0u);
}

// Processes of different ranks insert the same states, also while the table grows.
TEST(SharedStates, AStateBelongsToTheLeastRankThatHasInsertedIt) {
  constexpr std::uint64_t kCount = 20'000;
  constexpr std::size_t kProcesses = 3;
  SharedStates states(kProcesses, 64);
  states.keep_ranks();
  std::vector<pid_t> children;
  for (std::size_t process = 0; process < kProcesses; ++process) {
    const pid_t child = fork();
    if (child == 0) {
      states.be_process(process);
      // Each state is of interest to some ranks: the least one is the number modulo 5.
      for (std::uint64_t i = 0; i < kCount; ++i) {
        const std::uint64_t number = (i * 7 + process * 1'000) % kCount;
        for (std::uint64_t rank = 9; rank + 1 > number % 5 + process; --rank) {
          states.be_rank(rank);
          states.insert(hash_of(number));
        }
      }
      _exit(0);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(states.size(), kCount);
  for (std::uint64_t number = 0; number < kCount; ++number)
    EXPECT_EQ(states.rank_of(hash_of(number)), number % 5);
}

TEST(SharedStates, ContainsWhatIsNotNewToTheRankAtHand) {
  SharedStates states(1, 16);
  states.keep_ranks();
  Random random(1);
  for (int i = 0; i < 10'000; ++i) {
    const Hash128 hash = hash_of(random.below(500));
    states.be_rank(random.below(20));
    if (random.below(4) == 0 && states.contains(hash)) states.give_back(hash, states.rank_of(hash));
    const bool is_there = states.contains(hash), is_new = states.insert(hash);
    EXPECT_NE(is_there, is_new);
  }
}

TEST(SharedStates, WhatIsGivenBackBelongsToNobody) {
  SharedStates states(1);
  states.keep_ranks();
  states.be_rank(3);
  EXPECT_TRUE(states.insert(hash_of(1)));
  EXPECT_EQ(states.rank_before(), SharedStates::kNobody);
  EXPECT_FALSE(states.insert(hash_of(1)));
  EXPECT_EQ(states.rank_before(), 3u);
  states.be_rank(5);
  EXPECT_FALSE(states.insert(hash_of(1)));
  states.give_back(hash_of(1), 5);  // it is another one's
  EXPECT_EQ(states.rank_of(hash_of(1)), 3u);
  states.give_back(hash_of(1), 3);
  EXPECT_EQ(states.rank_of(hash_of(1)), SharedStates::kNobody);
  EXPECT_TRUE(states.insert(hash_of(1)));
  states.be_rank(4);
  EXPECT_TRUE(states.insert(hash_of(1)));
  EXPECT_EQ(states.rank_before(), 5u);
  EXPECT_EQ(states.size(), 1u);
}

TEST(SharedStates, TheLimitIsTheLeastOneToldSinceItWasSet) {
  SharedStates states(1);
  EXPECT_EQ(states.limit(), SharedStates::kNobody);
  states.lower_limit(7);
  states.lower_limit(9);
  EXPECT_EQ(states.limit(), 7u);
  states.set_limit(SharedStates::kNobody);
  states.lower_limit(9);
  EXPECT_EQ(states.limit(), 9u);
  states.clear();
  EXPECT_EQ(states.limit(), SharedStates::kNobody);
}

TEST(SharedStates, IsEmptyWhenItWasCleared) {
  SharedStates states(2, 64);
  for (int round = 0; round < 3; ++round) {
    for (std::uint64_t i = 0; i < 50'000; ++i) ASSERT_TRUE(states.insert(hash_of(i)));
    EXPECT_EQ(states.size(), 50'000u);
    states.clear();
    EXPECT_EQ(states.size(), 0u);
    EXPECT_TRUE(states.has_room());
  }
}

TEST(SharedStates, WhatIsRepeatedIsNewAndNotInserted) {
  SharedStates states(1);
  EXPECT_TRUE(states.insert(hash_of(1)));
  states.repeat(true);
  EXPECT_TRUE(states.insert(hash_of(1)));
  EXPECT_TRUE(states.insert(hash_of(2)));
  states.repeat(false);
  EXPECT_FALSE(states.insert(hash_of(1)));
  EXPECT_EQ(states.size(), 1u);
  EXPECT_TRUE(states.insert(hash_of(2)));
}

TEST(SharedStates, KnowsWhatWasLearntSinceItIsShared) {
  SharedStates states(1);
  std::size_t names = 3;
  states.set_knowledge([&] { return names; });
  names = 4;
  EXPECT_FALSE(states.has_learnt());
  states.begin_sharing();
  EXPECT_FALSE(states.has_learnt());
  names = 5;
  EXPECT_TRUE(states.has_learnt());
  states.begin_sharing();
  EXPECT_FALSE(states.has_learnt());
}

}  // namespace
}  // namespace ravel
