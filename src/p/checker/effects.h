// What functions do through those that they call, and where that is not allowed: specs only watch, and
// between two states no machine may decide for a third one.

#pragma once

#include "p/checker/context.h"

namespace ravel::p {

// Completes `effects` and `creates` of functions, and `creates` of machines.
// Cost: rounds over the call graph until nothing changes, at most as many as it is deep.
void check_effects(Context& context);

}  // namespace ravel::p
