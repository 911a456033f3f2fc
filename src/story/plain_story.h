// The story of an execution that cannot be run again: what was written down of it, in its order. Nobody knows
// what has to do with the bug, so every step is relevant, and messages have no two ends.

#pragma once

#include "engine/recording.h"
#include "story/story_model.h"

namespace ravel {

// Without the texts of the sources, explanation and choices.
Story plain_story(const Recording& recording);

}  // namespace ravel
