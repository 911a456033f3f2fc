// The page for a browser on which one sees a bug (folder page/), as the build made it: HTML with an empty
// element for the story.

#pragma once

#include <string_view>

namespace ravel {

// Empty if the page was left out of this build, because npm or the network was missing.
std::string_view page_template();

}  // namespace ravel
