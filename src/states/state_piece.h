// A piece of a search by states that one process gives to another: states that were visited and have still to
// be gone on from, and how to come to them.
//
// The ways to them are a tree: each of its states is one step after another one of the tree, so that common
// steps are taken once.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ravel {

struct StatePiece {
  static constexpr std::uint32_t kInitial = ~std::uint32_t{0};

  struct Node {
    std::uint32_t parent = kInitial;  // its number in the piece; kInitial: this is the initial state
    std::uint32_t index = 0;          // of the step from there, among those that are enabled
    std::uint32_t number = 0;         // of the state in the visitor that gives the piece
    bool is_open = false;             // is to be gone on from,
    std::uint32_t first = 0;          // by the steps from this one on
    std::uint64_t hash = 0;           // half of the state's: whether the steps have led there, if it is open
    std::uint64_t rank = 0;           // of its chain, if it is open (shared_strata.h)

    friend bool operator==(const Node&, const Node&) = default;
  };
  std::uint32_t giver = 0;  // the number of this visitor (state_notes.h)
  // In the order of their numbers, parents before children. Empty: the whole search, from its beginning
  std::vector<Node> nodes = {};
};

std::string print_state_piece(const StatePiece& piece);
// Nothing: it is damaged.
std::optional<StatePiece> parse_state_piece(std::string_view bytes);

}  // namespace ravel
