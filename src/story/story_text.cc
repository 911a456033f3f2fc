#include "story/story_text.h"

namespace ravel {

namespace {

constexpr std::string_view kCutMark = "…";

}  // namespace

std::string cut_characters(std::string_view text, bool& is_cut, std::size_t characters_max) {
  if (text.size() <= characters_max) return std::string(text);
  std::size_t characters = 0, end = 0;  // where the mark would stand
  for (std::size_t i = 0; i < text.size(); ++i) {
    if ((text[i] & 0xc0) == 0x80) continue;
    ++characters;
    if (characters == characters_max) end = i;
    if (characters <= characters_max) continue;
    is_cut = true;
    return std::string(text.substr(0, end)) + std::string(kCutMark);
  }
  return std::string(text);
}

std::string cut_characters(std::string_view text, std::size_t characters_max) {
  bool is_cut = false;
  return cut_characters(text, is_cut, characters_max);
}

std::string_view without_folder(std::string_view file) { return file.substr(file.rfind('/') + 1); }

}  // namespace ravel
