// A transition-based generalised Buechi automaton: what a formula is translated to.
//
// An automaton reads an infinite word of letters. A letter is the set of propositions that hold at one step,
// as a bit set: bit i is propositions[i]. A run begins in state 0 and takes at each step an edge that allows
// the letter. It accepts if each acceptance set contains an edge that it takes infinitely often. The
// automaton accepts a word if some run does; one without acceptance sets accepts whatever it can read for
// ever.
//
// Invariants:
// 1. There is a state 0, and every state can be reached from it.
// 2. From every state some word is accepted. The exception is an automaton that accepts no word: it has one
//    state without edges.
// 3. No edge requires what it forbids.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ravel::ltl {

inline constexpr unsigned kPropositionsMax = 64;
inline constexpr unsigned kAcceptanceSetsMax = 64;

struct AutomatonEdge {
  std::uint64_t required = 0;    // propositions that must hold
  std::uint64_t forbidden = 0;   // propositions that must not hold
  std::uint64_t acceptance = 0;  // the acceptance sets to which the edge belongs
  std::uint32_t target = 0;

  bool allows(std::uint64_t letter) const {
    return (letter & required) == required && (letter & forbidden) == 0;
  }
  friend auto operator<=>(const AutomatonEdge&, const AutomatonEdge&) = default;
};

struct Automaton {
  std::vector<std::string> propositions;           // texts of those that matter
  std::vector<std::vector<AutomatonEdge>> states;  // the edges that leave each
  unsigned acceptance_sets = 0;

  // What the syntax of the translated formula tells, after simplification.
  bool uses_next = true;   // false: words are not told apart by how often a step is repeated
  bool is_safety = false;  // true: a word that is not accepted cannot be read to its end

  std::uint64_t all_acceptance_sets() const {
    return acceptance_sets == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << acceptance_sets) - 1;
  }
  bool is_empty() const { return states[0].empty(); }
  std::size_t edge_count() const;
  // Whether the state accepts every word, by an edge to itself: who comes there need not look further.
  bool accepts_all(std::uint32_t state) const;
  // Whether no letter allows two edges of one state.
  bool is_deterministic() const;
};

// In the Hanoi Omega-Automata format, version 1 (Babiak et al., "The Hanoi omega-automata format", 2015),
// which other tools read and draw.
std::string to_hoa(const Automaton& automaton, std::string_view name);

}  // namespace ravel::ltl
