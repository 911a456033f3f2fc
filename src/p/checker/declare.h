// What a program declares: names first, so that their order does not matter, then what they stand for.

#pragma once

#include "p/checker/context.h"

namespace ravel::p {

// Fills all tables of the program but bodies of functions and tests, and `bodies` with what is to be checked.
void declare(Context& context);

}  // namespace ravel::p
