// The parts of an image as nodes of a table, whose leaves are stored terms: of an image that this table
// numbers, or that is stored (machine/process_image.h).
#pragma once

#include <array>
#include <cstdint>

#include "erlang/machine/process_image.h"
#include "erlang/term/header.h"
#include "erlang/term/term.h"
#include "states/state_table.h"

namespace ravel::erlang {

inline StateTable::Node node_of_numbered_image(Term image) {
  return StateTable::Node{static_cast<std::uint32_t>(image.small_value())};
}

inline std::array<StateTable::Node, kPartsOfImage> nodes_of_image(StateTable& table, Term image) {
  if (image.is_small()) return table.three_of(node_of_numbered_image(image));
  const auto part = [&](Word i) { return table.node_of_word(element(image, i).bits()); };
  return {part(1), part(2), part(3)};
}

}  // namespace ravel::erlang
