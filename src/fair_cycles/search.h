// Looks for a cycle that can be reached, visits every acceptance set, and is fair.
//
// A violation of a temporal property is an infinite execution. In a finite graph it ends in a cycle. Not
// every cycle counts: in one that keeps an actor from moving although it could, only the scheduler is to
// blame.
//
// Fairness. A cycle is weakly fair if each actor is disabled in some node of it or moves on some edge of it.
// It is strongly fair if each actor that is enabled in some node of it moves on some edge of it. Strong
// fairness implies weak fairness.
//
// The idea: one depth-first search for strongly connected components, with the acceptance sets of each
// component and the actors that it does not serve (Couvreur, "On-the-fly verification of linear temporal
// logic", 1999; the stack of components is Gabow's, "Path-based depth-first search for strong and biconnected
// components", 2000; fairness as a test of components: Couvreur, Duret-Lutz & Poitrenaud, "On-the-fly
// emptiness checks for generalized Buechi automata", 2005). The test needs no copies of the graph, neither
// for acceptance sets nor for actors.
//
// Why components suffice for weak fairness. Say that a strongly connected set of nodes, with all edges
// between them, is good if it has an edge, contains each acceptance set, and each actor is disabled in one of
// its nodes or moves on one of its edges.
// - A good set has a cycle that counts: one through all of its nodes and edges.
// - Let a cycle count, and let M be the maximal component in which it lies. M contains the nodes and edges of
//   the cycle, so it contains what makes the cycle accepting and fair: M is good. More nodes and edges only
//   help.
// So there is a cycle that counts if and only if some maximal component is good. And the search may stop as
// soon as a component that is not maximal yet is good.
//
// The unserved actors of a component are those that are enabled in all of its nodes and move on none of its
// edges. When components become one, the unserved actors of the whole are those that are unserved in all of
// them and do not move on the edges between them. So one set for each component is enough, and it only gets
// smaller.
//
// Strong fairness is different: a node more may enable an actor that is not served. A maximal component that
// is good for weak fairness, as it has to be, is decomposed when it is complete (strong_fairness.h).
//
// Progress. With Progress::kForbidden a cycle with an edge that makes progress does not count: the search
// decomposes the graph without these edges, from every node that can be reached with them. What is enabled is
// not changed by that: an actor whose only edge makes progress is enabled, so a cycle on which it does not
// move is as unfair as before.
//
// Invariants:
// 1. The open components are a path of the graph of components, in the order of the stack; their nodes are
//    those of OpenNodes from the component's first one to the next one's.
// 2. From each open node the node at the end of the path is reached, over edges that count.
// 3. No closed component is good, or, with strong fairness, has a part that counts.
//
// Cost. Time: linear in nodes and edges, times what a set of actors costs; with strong fairness times the
// number of actors at worst. A node is expanded once. Memory: 4 bytes for each node that was met; while a
// node is open, 12 more, 8 for each of its edges, and 8 while it is on the path; 16 for each open component;
// each distinct set of enabled actors once. With Progress::kForbidden 12 bytes more for each node. Vectors
// grow by doubling. Nothing is recursive.

#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "fair_cycles/graph.h"

namespace ravel::fair_cycles {

enum class Fairness : std::uint8_t { kNone, kWeak, kStrong };
enum class Progress : std::uint8_t { kIgnored, kForbidden };

// What becomes of a node without successors. It may stay as it is for ever, as an edge to itself on which
// nobody moves and which is in no acceptance set. A product with an automaton adds such edges itself, since
// the automaton goes on.
enum class DeadEnd : std::uint8_t { kEnds, kStutters };

struct Options {
  std::uint64_t acceptance = 0;  // the sets that a cycle has to visit
  Fairness fairness = Fairness::kWeak;
  Progress progress = Progress::kIgnored;
  DeadEnd dead_end = DeadEnd::kEnds;
  // Asked now and then; the search ends if it says so.
  std::function<bool()> gives_up = {};
};

// The number of the edge by which a dead end stutters.
inline constexpr std::uint32_t kStutter = 0xffff'ffff;

struct Step {
  Node from{}, to{};
  std::uint32_t edge = 0;  // its place among those that expand() gave for `from`
  Actor actor = kNoActor;
  std::uint64_t acceptance = 0;
};

// A path from the initial node, or from the root at which the search went on last, and a cycle from its end
// to its end. The cycle is accepting and fair by itself. Both are short, not the shortest: the path is one
// over open nodes, or, with Progress::kForbidden, follows the search.
struct Counterexample {
  std::vector<Step> stem;   // may be empty
  std::vector<Step> cycle;  // is not
};

enum class Outcome : std::uint8_t {
  kNone,  // no such cycle: the whole graph was searched
  kFound,
  kGivenUp,   // `gives_up` said so
  kTooLarge,  // more than 2^32 - 1 edges of open nodes
};

struct Counts {
  std::uint64_t nodes = 0;       // that were expanded
  std::uint64_t edges = 0;       // of these, with those by which dead ends stutter
  std::uint64_t components = 0;  // that are complete
  std::uint64_t open_max = 0;    // nodes that were open at the same time
};

struct Found {
  Outcome outcome = Outcome::kNone;
  Counterexample counterexample;  // if kFound
  Counts counts;
};

Found find_fair_cycle(Graph& graph, const Options& options);

}  // namespace ravel::fair_cycles
