// Negation normal form, and cheap simplifications of formulas in it.
//
// In this form the operators are true, false, propositions, their negations, `and`, `or`, `next`, `until` and
// `release`. F a is `true until a`, and G a is `false release a`.
//
// Every formula is made by constructors that apply rules as they go, so one pass from the leaves up is
// enough. The rules are well known:
// - Pure eventualities (a suffix that satisfies them can be put off: F a, G F a) and pure universalities, and
//   formulas that are both, which say the same at each step (Etessami & Holzmann, "Optimizing Buechi
//   automata", 2000).
// - Implication that the syntax shows: a & b is a if a implies b, a U b is b if a implies b, and so on
//   (Somenzi & Bloem, "Efficient Buechi automata from LTL formulae", 2000).
// - Temporal operators that become one: X a & X b, (a U c) & (b U c), G F a | G F b, and their duals.
//
// Cost: each pair of subformulas is compared at most once; operands of one conjunction are compared in pairs.

#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "ltl/formula.h"

namespace ravel::ltl {

class NormalForm {
 public:
  explicit NormalForm(FormulaPool& pool) : pool_(pool) {}

  // Formulas in this form that say what `formula` says, or the opposite.
  Formula of(Formula formula) { return convert(formula, Polarity::kAsIs); }
  Formula of_negation(Formula formula) { return convert(formula, Polarity::kNegated); }

  // The rest REQUIRES formulas in this form, and returns such.
  Formula conjunction(Formula a, Formula b) { return junction(Operator::kAnd, a, b); }
  Formula disjunction(Formula a, Formula b) { return junction(Operator::kOr, a, b); }
  Formula next(Formula a);
  Formula until(Formula a, Formula b);
  Formula release(Formula a, Formula b);

  // Whether the syntax shows that each word of `a` is one of `b`. `false` says nothing.
  bool implies(Formula a, Formula b);
  // Whether a word satisfies it if some suffix does, and whether each suffix does if the word does.
  bool is_eventual(Formula formula) { return kind(formula).eventual; }
  bool is_universal(Formula formula) { return kind(formula).universal; }

 private:
  enum class Polarity : std::uint8_t { kAsIs, kNegated };
  struct Kind {
    bool eventual, universal;
  };

  Formula convert(Formula formula, Polarity polarity);
  Formula convert_new(Formula formula, Polarity polarity);
  Formula junction(Operator op, Formula a, Formula b);
  Formula join_one(Operator op, Formula a, Formula b);
  Formula temporal(Operator op, Formula a, Formula b);
  bool implies_new(Formula a, Formula b);
  Kind kind(Formula formula);
  // Whether it says the same at each step.
  bool is_steady(Formula formula) { return is_eventual(formula) && is_universal(formula); }

  FormulaPool& pool_;
  std::unordered_map<std::uint64_t, Formula> converted_;  // by formula and polarity
  std::unordered_map<std::uint64_t, bool> implies_;       // by pair
  std::unordered_map<std::uint32_t, Kind> kinds_;
};

// The operands of a conjunction (or disjunction) of conjunctions, the left ones first; the formula itself if
// it is none.
std::vector<Formula> operands(const FormulaPool& pool, Formula formula, Operator op);

// Whether a word that violates it does so by a finite part of it, however the word goes on: in this form it
// has no `until` (Sistla, "Safety, liveness and fairness in temporal logic", 1994). A test of the syntax:
// `false` says nothing. REQUIRES: negation normal form.
bool is_safety(const FormulaPool& pool, Formula formula);

}  // namespace ravel::ltl
