#include "states/state_graph.h"

namespace ravel {

void StateGraph::expand(StateNumber state, std::span<const Edge> edges,
                        std::span<const fair_cycles::Actor> enabled) {
  if (index(state) >= nodes_.size()) nodes_.resize(index(state) + 1 + index(state) / 2);
  nodes_[index(state)] = {.first = edges_.size(),
                          .count = static_cast<std::uint32_t>(edges.size()),
                          .enabled = sets_.intern(enabled)};
  edges_.insert(edges_.end(), edges.begin(), edges.end());
}

}  // namespace ravel
