// How large the automata of well-known formulas are. A change that makes one larger is a reviewed change.
#include <gtest/gtest.h>

#include "ltl/parse.h"
#include "ltl/translate.h"

namespace ravel::ltl {
namespace {

struct Size {
  const char* formula;
  std::size_t states, edges;                    // of the formula
  std::size_t states_of_negation, edges_of_it;  // what a search runs
};

// From Etessami & Holzmann, "Optimizing Buechi automata" (2000), from the patterns of Dwyer, Avrunin &
// Corbett, "Patterns in property specifications for finite-state verification" (1999), and fairness
// assumptions.
constexpr Size kSizes[] = {
    {"p U q", 2, 3, 2, 3},
    {"p U (q U r)", 3, 6, 3, 6},
    {"GF p -> GF q", 4, 8, 2, 4},
    {"F p U G q", 3, 7, 2, 4},
    {"G p U q", 4, 6, 3, 6},
    {"FF p <-> F p", 1, 1, 1, 0},
    {"GF p <-> GF q", 4, 10, 5, 12},
    {"p R (p | q)", 2, 3, 2, 3},
    {"(X p U X q) | !X(p U q)", 1, 1, 1, 0},
    {"(X p U q) | !X(p U (p & q))", 4, 8, 1, 0},
    {"G(p -> F q) & ((X p U q) | !X(p U (p & q)))", 6, 16, 2, 3},
    {"G(p -> F q)", 2, 5, 2, 3},
    {"G(p -> F q) & G(q -> F r)", 4, 17, 3, 5},
    {"GF p & GF q & GF r", 1, 8, 4, 7},
    {"FG p", 2, 3, 1, 2},
    {"G(p -> X q)", 2, 4, 3, 4},
    {"G(p -> q U r)", 2, 5, 3, 6},
    {"G(p -> q W r)", 2, 5, 3, 6},
    {"F p -> (!p U q)", 4, 7, 2, 3},
    {"G(p -> G !q)", 2, 3, 3, 6},
    {"G((p & F q) -> (!r U q))", 3, 7, 4, 8},
    {"G(p & !q -> (!r W q))", 2, 5, 3, 6},
    {"F q -> ((!q & !r) U (q | p))", 4, 9, 3, 5},
    {"G((p & F q) -> ((r -> (!q U (s & !q))) U q))", 4, 13, 4, 8},
    {"G(p & !q -> ((r -> (!q U (s & !q))) W q))", 3, 11, 4, 8},
    {"(GF p & GF q) -> GF r", 5, 11, 2, 6},
    {"G(p -> (p U q)) & G(q -> X !q)", 3, 7, 4, 7},
    {"F(p & X(q & X r))", 4, 5, 4, 12},
    {"G(p <-> X q)", 3, 6, 4, 6},
    {"G(p -> XXXX q)", 16, 32, 6, 7},
    {"p U (q U (r U (s U t)))", 5, 15, 5, 15},
    {"F a & F b & F c & F d", 16, 81, 5, 8},
    {"!((GF a -> GF b) & (GF c -> GF d) & (GF e -> GF f))", 7, 18, 16, 56},
};

TEST(Sizes, AutomataOfWellKnownFormulasAreSmall) {
  for (const Size& size : kSizes) {
    FormulaPool pool;
    const auto formula = parse(size.formula, pool);
    ASSERT_TRUE(formula) << size.formula << ": " << formula.error().message;
    const auto automaton = translate(pool, *formula), negation = translate_negation(pool, *formula);
    EXPECT_LE(automaton->states.size(), size.states) << size.formula;
    EXPECT_LE(automaton->edge_count(), size.edges) << size.formula;
    EXPECT_LE(negation->states.size(), size.states_of_negation) << "not " << size.formula;
    EXPECT_LE(negation->edge_count(), size.edges_of_it) << "not " << size.formula;
  }
}

TEST(Sizes, TheAutomatonOfAResponseIsDeterministic) {
  FormulaPool pool;
  EXPECT_TRUE(translate(pool, *parse("G(p -> F q)", pool))->is_deterministic());
  EXPECT_FALSE(translate_negation(pool, *parse("G(p -> F q)", pool))->is_deterministic());
}

}  // namespace
}  // namespace ravel::ltl
