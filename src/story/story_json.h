// The JSON form of a story (docs/design/story.md), for pages, editors and other programs.

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "engine/transition.h"
#include "story/story_model.h"

namespace ravel {

// Bytes of the whole text. Of a story that would be longer, less is written, and `shortened` says what was
// left out: first the texts of sources, then the state at all steps, then what else could have moved, then
// what steps touch, then the ends of long texts. What is left has some hundred bytes a step.
inline constexpr std::size_t kStoryJsonMax = 64 << 20;

// How kinds of steps and choices are written: "operation", "timeout", ...
std::string_view word_of(TransitionKind kind);
// Nothing: it is no such word.
std::optional<TransitionKind> kind_of(std::string_view word);

// Any bytes that are no UTF-8 are replaced.
std::string print_story(const Story& story, std::size_t bytes_max = kStoryJsonMax);

}  // namespace ravel
