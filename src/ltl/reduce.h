// Makes an automaton smaller, and its edges overlap less, without a change of the words that it accepts.
//
// Steps, repeated until none helps:
// 1. States that nothing reaches, and states from which no word is accepted, go. Edges that no cycle contains
//    lose their acceptance sets, which cannot matter.
// 2. Acceptance sets that follow from another one go.
// 3. States with the same edges become one (a bisimulation, by refinement of a partition).
// 4. States that simulate each other become one (direct simulation: Etessami, Wilke & Schuller, "Fair
// simulation
//    relations, parity games, and state space reduction for Buechi automata", 2001; on transitions, Babiak,
//    Badie, Duret-Lutz, Kretinsky & Strejcek, "Compositional approach to suspension and other improvements to
//    LTL translation", 2013). One state simulates another one if it has, for each edge of that one, an edge
//    that allows more letters, is in more acceptance sets, and leads to a state that simulates the other's
//    target.
// 5. An edge for which its own state has a better one in that sense goes. If the better one allows only a
// part
//    of its letters, these are taken from it, so that a search meets fewer edges.
// 6. Two edges that differ in the sign of one literal become one.
//
// Cost: simulation compares edges of all pairs of states; automata for which that is too much
// (kComparisonsMax) are only reduced by the other steps.

#pragma once

#include "ltl/automaton.h"

namespace ravel::ltl {

inline constexpr std::size_t kComparisonsMax = 1 << 26;  // of edges, in one round

void reduce(Automaton& automaton);

}  // namespace ravel::ltl
