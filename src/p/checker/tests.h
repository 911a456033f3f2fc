// Tests and implementations: modules that are closed, and where they begin.
//
// A test with parameters is one for each combination of their values. A program without tests and
// implementations but with a machine called Main has one test, DefaultImpl, of all its machines; no spec is
// attached there.

#pragma once

#include "p/checker/context.h"

namespace ravel::p {

// How many combinations of parameters a test may have: what is taken at most.
inline constexpr std::size_t kCombinationsMax = 100'000;

void check_tests(Context& context);

}  // namespace ravel::p
