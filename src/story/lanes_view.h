// A story as lanes: a column for each actor, time downwards.
//
//        P                        P.1                      P.2
//   1    spawns P.1               |
//   2    spawns P.2               |                        |
//   3*                            calls whereis(cache)     |                        cache.erl:6
//
// A lane is a line while its actor lives, dotted while it can't go on. A message is told with the step that
// receives it, and the step that has sent it. A star marks the steps of the race that makes the difference.

#pragma once

#include <string>

#include "story/lines_view.h"
#include "story/story_model.h"

namespace ravel {

// Fits the columns, of which 100 are taken if they are not known. Actors for which there is no room share the
// last lane, and the legend names them; actors without a step that is shown have no lane.
std::string tell_lanes(const Story& story, const StoryExecution& execution, const StoryViewOptions& options);

}  // namespace ravel
