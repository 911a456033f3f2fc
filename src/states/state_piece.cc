#include "states/state_piece.h"

#include <utility>

#include "engine/position.h"

namespace ravel {

// A parent is noted by how far it is away, a number by how much it is more than the last one.
std::string print_state_piece(const StatePiece& piece) {
  PositionWriter writer;
  std::uint32_t number = 0, last = 0;
  writer.put(piece.giver);
  writer.put_all(piece.nodes, [&](const StatePiece::Node& node) {
    writer.put(node.parent == StatePiece::kInitial ? 0 : number - node.parent);
    writer.put(std::uint64_t{node.index} << 1 | (node.is_open ? 1 : 0));
    writer.put(node.number - std::exchange(last, node.number));
    if (node.is_open) {
      writer.put(node.first);
      writer.put(node.hash);
      writer.put(node.rank);
    }
    ++number;
  });
  return writer.bytes();
}

std::optional<StatePiece> parse_state_piece(std::string_view bytes) {
  PositionReader reader(bytes);
  StatePiece piece;
  bool is_right = true;
  std::uint32_t last = 0;
  piece.giver = reader.get32();
  reader.get_all([&] {
    const auto number = static_cast<std::uint32_t>(piece.nodes.size());
    StatePiece::Node& node = piece.nodes.emplace_back();
    const std::uint32_t distance = reader.get32();
    is_right = is_right && distance <= number;
    if (distance != 0) node.parent = number - distance;
    const std::uint64_t index = reader.get();
    node.index = static_cast<std::uint32_t>(index >> 1);
    node.is_open = (index & 1) != 0;
    last = node.number = last + reader.get32();
    if (node.is_open) {
      node.first = reader.get32();
      node.hash = reader.get();
      node.rank = reader.get();
    }
  });
  if (!is_right || !reader.is_complete()) return std::nullopt;
  return piece;
}

}  // namespace ravel
