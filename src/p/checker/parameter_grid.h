// Combinations of the values of a test's parameters: all of them, or few that cover.
//
// N-wise: each choice of values for any N parameters, if some allowed combination has it, is in one that is
// taken. Greedy, as P does it (so that the tests are the same): always the first combination that covers most
// of what is missing.
//
// Cost: combinations times choices, for each one that is taken.

#pragma once

#include <cstdint>
#include <vector>

namespace ravel::p {

// Which value each parameter has: places in its list of values.
using Combination = std::vector<std::uint32_t>;

// All of them; the first parameter changes fastest. REQUIRES: each has at least one value.
std::vector<Combination> all_combinations(const std::vector<std::uint32_t>& counts);

// Some of `allowed`. REQUIRES: 1 <= wise <= the number of parameters.
std::vector<Combination> covering(const std::vector<Combination>& allowed, std::uint32_t wise);

}  // namespace ravel::p
