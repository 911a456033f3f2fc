// A story as one page for a browser, which holds everything and loads nothing.

#pragma once

#include <string>
#include <string_view>

#include "story/story_model.h"

namespace ravel {

// The template with the story as JSON (story_json.h) in its element
//   <script type="application/json" id="story">
// whose text nothing in a story can end. REQUIRES: the template has this element.
std::string story_page(std::string_view page_template, const Story& story);

}  // namespace ravel
