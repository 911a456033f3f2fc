// Makes a path and a cycle out of a strongly connected part that counts.
//
// The idea: walk from the first node of the part that the path reaches. As long as the walk misses an
// acceptance set, or serves an actor worse than fairness asks for, go the shortest way to the next edge that
// helps; then go the shortest way back. With strong fairness the way may enable more actors, which are then
// to be served, too. Two orders of what is met next are tried, and loops that are not needed are left out.
//
// Cost: a few breadth-first searches of the part for each acceptance set and each actor, at worst. Memory: 20
// bytes for each open node.

#pragma once

#include <vector>

#include "fair_cycles/open_nodes.h"
#include "fair_cycles/search.h"

namespace ravel::fair_cycles {

// `part` are places of open nodes that are strongly connected, and good in the sense of search.h. `way` leads
// from the initial node to the node at place 0.
Counterexample make_counterexample(const OpenNodes& nodes, const std::vector<OpenNodes::Place>& part,
                                   std::vector<Step> way, const Options& options);

}  // namespace ravel::fair_cycles
