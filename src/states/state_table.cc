#include "states/state_table.h"

#include <algorithm>
#include <bit>

#include "base/check.h"

namespace ravel {

namespace {

// How many of `count` nodes are below the left one of the two at the top, where neighbours are paired level
// by level and the last one of an odd number goes up alone. REQUIRES: count >= 2.
std::size_t left_count(std::size_t count) { return std::bit_ceil(count) / 2; }

}  // namespace

StateTable::Node StateTable::node_of_word(std::uint64_t word) {
  return of_word(
      words_.insert(static_cast<std::uint32_t>(word >> 32), static_cast<std::uint32_t>(word)).number);
}

StateTable::Node StateTable::node_of(std::span<const Node> nodes) {
  CHECK(!nodes.empty());
  level_.assign(nodes.begin(), nodes.end());
  while (level_.size() > 1) {
    const std::size_t pairs = level_.size() / 2;
    for (std::size_t i = 0; i < pairs; ++i) level_[i] = pair_of(level_[2 * i], level_[2 * i + 1]);
    if (level_.size() % 2 == 1) level_[pairs] = level_.back();
    level_.resize((level_.size() + 1) / 2);
  }
  return level_.front();
}

StateTable::Insertion StateTable::insert(std::span<const Node> nodes) {
  CHECK(nodes.size() >= 2);
  const std::span<const Node> below_top = nodes.first(nodes.size() - 1);
  const bool has_same_shape = !levels_.empty() && levels_.front().size() == below_top.size();
  if (!has_same_shape) {
    begin_shape(below_top.size());
    std::ranges::copy(below_top, levels_.front().begin());
  }
  changed_.clear();
  std::vector<Node>& leaves = levels_.front();
  for (std::size_t i = 0; i < below_top.size(); ++i) {
    if (has_same_shape && below_top[i] == leaves[i]) continue;
    leaves[i] = below_top[i];
    changed_.push_back(i);
  }
  for (std::size_t level = 0; level + 1 < levels_.size(); ++level) {
    const std::vector<Node>& below = levels_[level];
    std::vector<Node>& above = levels_[level + 1];
    std::size_t kept = 0;
    for (std::size_t i = 0; i < changed_.size(); ++i) {
      const std::size_t place = changed_[i] / 2;
      if (kept > 0 && changed_[kept - 1] == place) continue;
      const bool is_alone = 2 * place + 1 == below.size();
      above[place] = is_alone ? below[2 * place] : pair_of(below[2 * place], below[2 * place + 1]);
      changed_[kept++] = place;
    }
    changed_.resize(kept);
  }
  const auto [number, is_new] = states_.insert(static_cast<std::uint32_t>(levels_.back().front()),
                                               static_cast<std::uint32_t>(nodes.back()));
  return {.number = number, .is_new = is_new};
}

// Levels of the right sizes above so many nodes.
void StateTable::begin_shape(std::size_t count) {
  levels_.assign(1, std::vector<Node>(count));
  while (levels_.back().size() > 1) levels_.emplace_back((levels_.back().size() + 1) / 2);
}

// Where a node is what it was, all below it is.
bool StateTable::has_same_first_node(std::uint32_t state) const {
  Node node{states_.left(state)};
  for (auto level = levels_.rbegin(); level != levels_.rend(); ++level) {
    if (level->front() == node) return true;
    if (!is_pair(node)) return false;
    node = Node{pairs_.left(number_of(node))};
  }
  return false;
}

std::span<const std::size_t> StateTable::recall(std::uint32_t state, std::size_t count,
                                                std::vector<Node>& nodes) {
  CHECK(count >= 2);
  if (levels_.empty() || levels_.front().size() != count - 1) {
    // No node is like that: it would be a pair beyond the last one.
    begin_shape(count - 1);
    for (std::vector<Node>& level : levels_) std::ranges::fill(level, Node{~std::uint32_t{0}});
    nodes.assign(count, Node{~std::uint32_t{0}});
  }
  changed_.clear();
  recall_below(levels_.size() - 1, 0, Node{states_.left(state)}, nodes);
  if (const Node last{states_.right(state)}; nodes.back() != last) {
    nodes.back() = last;
    changed_.push_back(count - 1);
  }
  return changed_;
}

void StateTable::recall_below(std::size_t level, std::size_t place, Node node, std::vector<Node>& nodes) {
  if (levels_[level][place] == node) return;
  levels_[level][place] = node;
  if (level == 0) {
    nodes[place] = node;
    changed_.push_back(place);
  } else if (2 * place + 1 == levels_[level - 1].size()) {
    recall_below(level - 1, 2 * place, node, nodes);
  } else {
    recall_below(level - 1, 2 * place, Node{pairs_.left(number_of(node))}, nodes);
    recall_below(level - 1, 2 * place + 1, Node{pairs_.right(number_of(node))}, nodes);
  }
}

std::uint64_t StateTable::word_of(Node node) const {
  CHECK(!is_pair(node));
  return words_.pair(number_of(node));
}

void StateTable::append_nodes(Node sequence, std::size_t count, std::vector<Node>& nodes) const {
  if (count == 1) return nodes.push_back(sequence);
  const std::size_t left = left_count(count);
  append_nodes(Node{pairs_.left(number_of(sequence))}, left, nodes);
  append_nodes(Node{pairs_.right(number_of(sequence))}, count - left, nodes);
}

StateTable::Node StateTable::first_leaf_of(std::uint32_t state) const {
  Node node{states_.left(state)};
  while (is_pair(node)) node = Node{pairs_.left(number_of(node))};
  return node;
}

void StateTable::append_nodes_of(std::uint32_t state, std::size_t count, std::vector<Node>& nodes) const {
  append_nodes(Node{states_.left(state)}, count - 1, nodes);
  nodes.push_back(Node{states_.right(state)});
}

std::array<StateTable::Node, 3> StateTable::three_of(Node sequence) const {
  const Node two{pairs_.left(number_of(sequence))};
  return {Node{pairs_.left(number_of(two))}, Node{pairs_.right(number_of(two))},
          Node{pairs_.right(number_of(sequence))}};
}

void StateTable::forget_states() {
  states_ = {};
  levels_.clear();
}

bool StateTable::is_full() const {
  const std::size_t most = std::max({words_.size(), pairs_.size(), states_.size()});
  return most + kRoom > PairTable::kSizeMax;
}

}  // namespace ravel
