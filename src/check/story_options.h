// How much of an execution commands tell on this terminal.

#pragma once

#include "engine/recording.h"
#include "report/story.h"
#include "report/text.h"

namespace ravel {

StoryOptions story_options(const Recording& recording, Colour colour);

}  // namespace ravel
