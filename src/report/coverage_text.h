// What is covered, in words: all in the singular.
#pragma once

#include <string_view>

#include "engine/coverage.h"

namespace ravel {

// "schedule", "trace", "state", "execution".
std::string_view noun_of(CoverageUnit unit);
// "preemption", "early timeout".
std::string_view noun_of(BoundOn on);

}  // namespace ravel
