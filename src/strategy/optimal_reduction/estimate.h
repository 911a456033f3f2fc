// How many executions a reduction is likely to have.

#pragma once

#include <cstdint>
#include <optional>

#include "strategy/optimal_reduction/search_state.h"

namespace ravel::reduction {

// An estimate of the whole search. `planned` executions were begun and are not counted yet. Nothing: no idea.
std::optional<double> estimate_executions(const SearchState& search, std::uint32_t planned);

}  // namespace ravel::reduction
