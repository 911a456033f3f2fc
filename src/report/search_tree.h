// The tree of the executions that a search has run: each node is an event, and an execution is a path to a
// leaf.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ravel {

struct SearchTree {
  static constexpr std::size_t kRoot = ~std::size_t{0};

  enum class Ending : std::uint8_t { kWell, kGivenUp, kRepeated, kBug, kRefused };

  struct Node {
    std::size_t parent = kRoot;
    std::string actor, text;
  };
  struct Leaf {
    std::size_t node = 0;  // after which it stands
    Ending ending = Ending::kWell;
    std::string text;
  };

  std::vector<Node> nodes = {};
  std::vector<Leaf> leaves = {};  // in the order of the executions
  bool is_full = false;           // the search went on, and only these events were noted
};

}  // namespace ravel
