// Writes a formula so that parse() reads the same formula again.
//
// Temporal operators are words, those of logic are signs: `always (request -> eventually release)`. A
// proposition that would be read otherwise is put in quotes. Formulas share what is equal in them and the
// text does not, so it may be much longer than the formula is large.

#pragma once

#include <string>

#include "ltl/formula.h"

namespace ravel::ltl {

std::string to_string(const FormulaPool& pool, Formula formula);

}  // namespace ravel::ltl
