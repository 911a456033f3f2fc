// A story as a sequence diagram of Mermaid (https://mermaid.js.org/syntax/sequenceDiagram.html), which
// GitHub, GitLab and many editors draw.

#pragma once

#include <string>

#include "story/story_model.h"
#include "story/story_rows.h"

namespace ravel {

// A participant for each actor with a step that is told. A message that is received is an arrow in the place
// of its sending; everything else is a note. Preemptions and folded steps are notes over all.
std::string print_mermaid(const Story& story, Folding folding = Folding::kIfLong);

}  // namespace ravel
