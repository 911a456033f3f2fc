// Translates a formula to an automaton that accepts the words of which it holds.
//
// The idea (a tableau, on the fly: Gerth, Peled, Vardi, Wolper, "Simple on-the-fly automatic verification of
// linear temporal logic", 1995; with acceptance on transitions: Couvreur, "On-the-fly verification of linear
// temporal logic", 1999): a state is a set of formulas that hold from there on. To expand a formula gives
// ways to satisfy it now: literals for the letter that is read, formulas for the next state, and promises. An
// edge promises `a U b` if it puts b off. There is one acceptance set for each `until`, the edges that do not
// promise it: what is put off for ever is promised from some step on at each edge.
//
// What makes it small:
// - The formula is simplified first (normal_form.h).
// - A way that asks for more than another one, and promises no less, is dropped; and a promise that the edge
//   keeps anyway (Gastin & Oddoux, "Fast LTL to Buechi automata translation", 2001).
// - Sets of formulas with the same edges are one state.
// - The automaton is reduced at the end (reduce.h).
// The difference to Couvreur: no decision diagrams. Labels are conjunctions of literals, and an edge whose
// label is a disjunction is several edges.
//
// Cost: exponential in the formula at worst; limits end that with an error.

#pragma once

#include "base/result.h"
#include "ltl/automaton.h"
#include "ltl/formula.h"

namespace ravel::ltl {

inline constexpr std::size_t kStatesMax = 1 << 13;
inline constexpr std::size_t kEdgesMax = 1 << 18;
inline constexpr std::size_t kWaysMax = 1 << 12;          // to satisfy one set of formulas now
inline constexpr std::size_t kCombinationsMax = 1 << 19;  // of ways, while these are made

// Errors: more propositions, acceptance sets, states or edges than there may be.
Result<Automaton> translate(FormulaPool& pool, Formula formula);

// The same for the opposite of the formula: the words that violate it. What a search for a counterexample
// needs.
Result<Automaton> translate_negation(FormulaPool& pool, Formula formula);

}  // namespace ravel::ltl
