// A whole story in text: the bug, what happened, what the program printed, how to see it again, and what
// makes the difference.

#pragma once

#include <cstdint>
#include <string>

#include "story/lines_view.h"
#include "story/story_model.h"

namespace ravel {

enum class StoryForm : std::uint8_t {
  kLines,  // lines_view.h
  kLanes,  // lanes_view.h
};

// How a user wants stories to be told.
struct StoryWish {
  StoryForm form = StoryForm::kLines;
  Folding folding = Folding::kIfLong;
};

std::string tell_story(const Story& story, StoryForm form, const StoryViewOptions& options);

// What happened, without the rest.
std::string tell_steps(const Story& story, StoryForm form, const StoryViewOptions& options);

}  // namespace ravel
