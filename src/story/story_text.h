// Texts of bounded length.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "story/story_model.h"

namespace ravel {

// The text, or as many of its first characters as leave room for a "…". A character is a code point; bytes
// that are no UTF-8 count as they come.
std::string cut_characters(std::string_view text, std::size_t characters_max = kStoryTextMax);

// The same; notes in `is_cut` whether something was left out.
std::string cut_characters(std::string_view text, bool& is_cut, std::size_t characters_max = kStoryTextMax);

// The last part of a path.
std::string_view without_folder(std::string_view file);

}  // namespace ravel
