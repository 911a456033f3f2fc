// Reads a formula as a user writes it.
//
//   always (request -> eventually release)      [](request -> <>release)      G(request -> F release)
//
// operator_table.h has the operators and how tightly they bind, atom_text.h has the propositions. What a word
// is depends on where it stands: after `eventually` an operand is due, so `release` is a proposition there.
// Other words and letters of operators are propositions only in quotes. Letters in a row, as in `GF p`, are
// one operator each.
//
// Cost: linear. A formula has at most kOperatorsMax operators and parentheses, which bounds the depth of
// every recursion over formulas.

#pragma once

#include <string_view>

#include "base/result.h"
#include "ltl/formula.h"

namespace ravel::ltl {

inline constexpr unsigned kOperatorsMax = 1000;

// The error is one line: the column (from 1), what was expected there, and what was found.
Result<Formula> parse(std::string_view text, FormulaPool& pool);

}  // namespace ravel::ltl
