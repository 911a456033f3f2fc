// Programs of others that translate formulas, for comparison: lbt and spin, if they are installed.
#pragma once

#include <optional>
#include <string>

#include "ltl/formula.h"
#include "tests/ltl/lasso.h"

namespace ravel::ltl {

bool is_installed(const std::string& program);

// Nothing if its output cannot be read. REQUIRES: the program is installed, and propositions of kNames.
std::optional<TestAutomaton> translated_by_lbt(const FormulaPool& pool, Formula formula);
std::optional<TestAutomaton> translated_by_spin(const FormulaPool& pool,
                                                Formula formula);  // REQUIRES: no `next`

}  // namespace ravel::ltl
