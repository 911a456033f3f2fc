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
  std::size_t rows_max = 400;  // of more, those in the middle are left out
};

// Number, actor, operation, place, source line; then further lines of the step. What is folded is one line.
// Ends with a newline unless there is no step.
std::string tell_lines(const Story& story, const StoryExecution& execution, const StoryViewOptions& options);

// Rows that are shown of so many, with a gap in the middle: positions, and after the first part how many
// steps are not shown.
struct ShownRows {
  std::vector<StoryRow> rows;
  std::size_t gap_at = 0, gap_steps = 0;  // no gap: gap_steps is 0
};
ShownRows shown_rows(const StoryExecution& execution, const StoryViewOptions& options);

// The colour of an actor's name.
Ink ink_of(std::size_t actor);

}  // namespace ravel
