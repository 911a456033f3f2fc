// A story as a log with vector clocks for ShiViz (https://bestchai.bitbucket.io/shiviz/), which draws the
// happens-before order, filters it, and compares two executions.

#pragma once

#include <string>

#include "story/story_model.h"

namespace ravel {

// The first line is the regular expression by which ShiViz reads the log, the second the one that parts two
// executions, if the passing one is known; then two lines for each step: what it does, and its actor with its
// clock. A clock counts the steps of each actor that come before the step in any case, and the step itself.
std::string print_shiviz(const Story& story);

}  // namespace ravel
