// An execution told as the story of its actors' operations, one line an event.

#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "engine/recording.h"
#include "report/text.h"

namespace ravel {

struct StoryOptions {
  Colour colour = Colour::kOff;
  // A longer execution is shown with a gap in the middle.
  std::size_t lines_shown_max = 400;
  // Source text beyond this is cut off, and left out if little would remain.
  std::optional<std::size_t> columns = {};
  // The story, if it has been told in another form; ends with a newline.
  std::optional<std::string> told = {};
};

// How much of an execution is told: of one that goes round for ever its first rounds.
StoryOptions story_options(const Recording& recording, Colour colour, std::optional<std::size_t> columns);

// For each event: number, actor, operation, place, source line; then its extra lines. Files are named without
// their folders unless two of them have the same name. A preemption has a line of its own.
// Events of one actor in a row that only read, and are of libraries, are one line: a crash report can be a
// hundred of them. Ends with a newline unless there is no event.
std::string tell_story(const Recording& recording, const StoryOptions& options);

}  // namespace ravel
