// Looks for a strongly fair cycle within a complete component.
//
// The idea (emptiness of Streett automata: Emerson & Lei, "Modalities for model checking: branching time
// logic strikes back", 1987; Latvala & Heljanko, "Coping with strong fairness", 2000): if an actor is enabled
// in a component and moves on none of its edges, then no fair cycle in it enables that actor. So the nodes
// that do go, and what is left is decomposed again. A part without such actors that contains each acceptance
// set has a cycle that counts, one through all of its nodes and edges.
//
// Cost: each decomposition takes away at least one actor from the nodes that are left, so they are visited at
// most as often as there are actors. Memory: 32 bytes for each node of the component.

#pragma once

#include <optional>
#include <vector>

#include "fair_cycles/open_nodes.h"
#include "fair_cycles/search.h"

namespace ravel::fair_cycles {

// The nodes of a strongly connected part that counts, in the order of their places; none if there is no such
// part. Nothing if `gives_up` said so. REQUIRES: the open nodes from `first` on are a component.
std::optional<std::vector<OpenNodes::Place>> strongly_fair_part(const OpenNodes& nodes,
                                                                OpenNodes::Place first,
                                                                const Options& options);

}  // namespace ravel::fair_cycles
