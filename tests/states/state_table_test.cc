// The table of visited states against a set of vectors.
#include "states/state_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <vector>

#include "base/random.h"

namespace ravel {
namespace {

using Words = std::vector<std::uint64_t>;

// A state as a search has it: how many nodes there are, then a node for each word, or, of every third one,
// a part of three nodes that holds it.
std::vector<StateTable::Node> nodes_of(StateTable& table, const Words& words) {
  std::vector<StateTable::Node> nodes = {table.node_of_word(1000 + words.size()), table.node_of_word(7)};
  for (std::size_t i = 0; i < words.size(); ++i) {
    const StateTable::Node word = table.node_of_word(words[i]);
    nodes.push_back(i % 3 == 2 ? table.node_of(std::array{word, table.node_of_word(5), word}) : word);
  }
  return nodes;
}

Words words_of(const StateTable& table, std::uint32_t state) {
  const std::size_t count = table.word_of(table.first_leaf_of(state)) - 1000;
  std::vector<StateTable::Node> nodes;
  table.append_nodes_of(state, count + 2, nodes);
  EXPECT_EQ(nodes.size(), count + 2);
  Words words;
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<StateTable::Node> part;
    table.append_nodes(nodes[i + 2], i % 3 == 2 ? 3 : 1, part);
    words.push_back(table.word_of(part.back()));
  }
  return words;
}

TEST(PairTable, NumbersPairsInTheOrderOfInsertionWhileItGrows) {
  PairTable table;
  constexpr std::uint32_t kPairs = 200'000;
  const auto left = [](std::uint32_t i) { return i / 3; };
  const auto right = [](std::uint32_t i) { return i * 7; };
  for (std::uint32_t i = 0; i < kPairs; ++i) {
    const auto [number, is_new] = table.insert(left(i), right(i));
    ASSERT_EQ(number, i);
    ASSERT_TRUE(is_new);
  }
  for (std::uint32_t i = 0; i < kPairs; ++i) {
    const auto [number, is_new] = table.insert(left(i), right(i));
    ASSERT_EQ(number, i);
    ASSERT_FALSE(is_new);
    ASSERT_EQ(table.left(i), left(i));
    ASSERT_EQ(table.right(i), right(i));
  }
  EXPECT_EQ(table.size(), kPairs);
  EXPECT_LE(table.bytes(), kPairs * 20 + (std::size_t{1} << 20));
}

TEST(StateTable, TellsVectorsOfAllLengthsApart) {
  StateTable table;
  std::map<Words, std::uint32_t> seen;
  // All vectors of up to six words out of three, of which 0 is one.
  std::vector<Words> level = {{}};
  for (int length = 0; length <= 6; ++length) {
    std::vector<Words> longer;
    for (const Words& words : level) {
      const auto [number, is_new] = table.insert(nodes_of(table, words));
      EXPECT_TRUE(is_new) << testing::PrintToString(words);
      seen[words] = number;
      for (const std::uint64_t next : {0, 1, 2}) {
        longer.push_back(words);
        longer.back().push_back(next);
      }
    }
    level = std::move(longer);
  }
  EXPECT_EQ(table.size(), seen.size());
  for (const auto& [words, number] : seen) {
    const auto [again, is_new] = table.insert(nodes_of(table, words));
    EXPECT_FALSE(is_new);
    EXPECT_EQ(again, number);
    EXPECT_EQ(words_of(table, number), words);
  }
}

// As a search meets states: mostly like the one before, sometimes far away.
TEST(StateTable, AgreesWithASetOnRandomWalks) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Random random(seed);
    StateTable table;
    std::map<Words, std::uint32_t> seen;
    Words words(seed % 13);
    for (int step = 0; step < 5000; ++step) {
      const std::uint64_t what = random.below(20);
      if (what == 0) {
        words.resize(random.below(14), random.below(5));
      } else if (what == 1 && !seen.empty()) {
        words = std::next(seen.begin(), static_cast<std::ptrdiff_t>(random.below(seen.size())))->first;
      } else if (!words.empty()) {
        words[random.below(words.size())] = random.below(6) << (random.below(2) * 40);
      }
      const auto [number, is_new] = table.insert(nodes_of(table, words));
      const auto [place, is_first] = seen.try_emplace(words, number);
      ASSERT_EQ(is_new, is_first) << seed << " " << testing::PrintToString(words);
      ASSERT_EQ(number, place->second);
    }
    ASSERT_EQ(table.size(), seen.size());
    for (const auto& [state, number] : seen) ASSERT_EQ(words_of(table, number), state);
  }
}

// Eight counters from 0 to 6, one word each, of which two can have any value: what a state costs if nearly
// all of it is shared.
TEST(StateTable, AStateThatSharesNearlyAllCostsOnePair) {
  StateTable table;
  Words words(8);
  std::size_t count = 0;
  for (words[0] = 0; words[0] < 1000; ++words[0])
    for (words[7] = 0; words[7] < 1000; ++words[7]) {
      table.insert(nodes_of(table, words));
      ++count;
    }
  EXPECT_EQ(table.size(), count);
  EXPECT_LT(static_cast<double>(table.bytes()) / static_cast<double>(count), 24.0);
}

}  // namespace
}  // namespace ravel
