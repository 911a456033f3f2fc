// A strategy that only the tests have: breadth first over states, to a depth of its own option. One file, and
// one row.
#pragma once

#include "strategy/catalogue.h"

namespace ravel {

// "breadth", with --levels.
const StrategyEntry& made_up_strategy();

}  // namespace ravel
