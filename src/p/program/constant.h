// Computes what an operator makes of constants, as the program would.

#pragma once

#include "p/program/expression.h"
#include "p/source/arena.h"

namespace ravel::p {

// The expression itself, or a constant for it if its operands are constants. What would be a bug of the
// program at run time (a division by zero) stays as it is. Integers wrap around.
Expression folded(Expression expression, Arena& arena);

}  // namespace ravel::p
