// Words to try formulas and automata on, and the obvious way to tell what they say of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/random.h"
#include "ltl/automaton.h"
#include "ltl/formula.h"

namespace ravel::ltl {

// The propositions of all tests; bit i of a letter says whether the i-th one holds.
inline const std::vector<std::string> kNames = {"p0", "p1", "p2"};
inline constexpr std::size_t kLetters = 8;

// An infinite word: its letters, of which those from `loop` on come again and again. REQUIRES: loop < size.
struct Lasso {
  std::vector<std::uint64_t> letters;
  std::size_t loop = 0;

  std::size_t after(std::size_t place) const { return place + 1 < letters.size() ? place + 1 : loop; }
  std::string to_string() const;
};

Lasso random_lasso(Random& random, std::size_t size_max);
// Words with at most that many letters, over the first propositions, all of them.
std::vector<Lasso> all_lassos(std::size_t size_max, unsigned propositions);

// Operators of all kinds, over kNames. `size` counts operators and propositions.
Formula random_formula(Random& random, FormulaPool& pool, unsigned size);

// Whether the formula holds of the word, by the definitions.
bool holds(const FormulaPool& pool, Formula formula, const Lasso& word);

// An automaton of any translator: an edge allows a set of letters, bit i being the letter i.
struct TestAutomaton {
  struct Edge {
    std::uint64_t letters = 0, acceptance = 0;
    std::uint32_t target = 0;
  };
  std::vector<std::vector<Edge>> states;
  std::vector<std::uint32_t> initial;
  std::uint64_t all_acceptance_sets = 0;
};

TestAutomaton for_test(const Automaton& automaton);
bool accepts(const TestAutomaton& automaton, const Lasso& word);

}  // namespace ravel::ltl
