// The tableau of translate.h: expands formulas, and numbers the sets of formulas that it meets.

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "ltl/automaton.h"
#include "ltl/formula.h"

namespace ravel::ltl {

// A sorted set of formulas, none of them a conjunction, all of which hold.
using FormulaSet = std::vector<Formula>;

// A way to satisfy formulas: what must hold and must not hold now, what must hold after one step, and the
// `until` formulas among these whose right operand is put off.
struct Way {
  std::uint64_t required = 0, forbidden = 0;
  std::uint64_t promises = 0;
  std::uint64_t summary = 0;  // bit i: some formula of `next` has a number that is i modulo 64
  FormulaSet next = {};

  friend auto operator<=>(const Way&, const Way&) = default;
};

// No way asks for more than another one of them and promises no less. Sorted, so that equal ones are equal.
using Ways = std::vector<Way>;

class Tableau {
 public:
  // REQUIRES: a formula in normal form (normal_form.h).
  Tableau(const FormulaPool& pool, Formula formula);

  // Called once. The automaton is not reduced.
  Result<Automaton> build();

 private:
  Status number_propositions_and_promises();
  const Ways& expand(Formula formula);
  Ways expand_new(Formula formula);
  Ways expand_all(const FormulaSet& set);
  // The ways to satisfy both. Sets the error if there are too many.
  Ways both(const Ways& a, const Ways& b);
  // The ways of either.
  Ways either(Ways a, const Ways& b);
  void keep_promises(Way& way);
  void drop_repeated(FormulaSet& set);
  const FormulaSet& repeated_by(Formula formula);
  FormulaSet conjuncts(Formula formula) const;
  std::uint32_t state_of(const FormulaSet& set);

  const FormulaPool& pool_;
  const Formula formula_;
  std::vector<Formula> propositions_;  // by bit
  std::unordered_map<std::uint32_t, unsigned> proposition_bits_;
  std::unordered_map<std::uint32_t, unsigned> promise_bits_;
  std::vector<Formula> promised_;  // by bit
  std::unordered_map<std::uint32_t, Ways> expanded_;
  std::unordered_map<std::uint32_t, FormulaSet> repeated_;
  std::map<FormulaSet, std::uint32_t> states_of_sets_;
  std::map<Ways, std::uint32_t> states_of_ways_;
  std::vector<Ways> states_;
  std::optional<Error> error_;
};

}  // namespace ravel::ltl
