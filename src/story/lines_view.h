// A story as lines: one for each step, with its place and source.

#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "report/text.h"
#include "story/story_model.h"
#include "story/story_rows.h"

namespace ravel {

// Where a story is shown.
struct StoryLook {
  Colour colour = Colour::kOff;
  std::optional<std::size_t> columns = {};  // of the terminal; none: without end
};

struct StoryViewOptions {
  Colour colour = Colour::kOff;
  std::optional<std::size_t> columns = {};  // of the terminal; none: without end
  Folding folding = Folding::kIfLong;
  std::size_t rows_max = 200;  // of more, some are left out if anything may be folded (rows_of())
};

// Number, actor, operation, place, source line; then further lines of the step. What is folded is one line.
// Ends with a newline unless there is no step.
std::string tell_lines(const Story& story, const StoryExecution& execution, const StoryViewOptions& options);

// The colour of an actor's name.
Ink ink_of(std::size_t actor);

}  // namespace ravel
