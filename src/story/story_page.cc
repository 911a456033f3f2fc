#include "story/story_page.h"

#include "base/check.h"
#include "story/story_json.h"

namespace ravel {

namespace {

constexpr std::string_view kElement = R"(<script type="application/json" id="story">)";
constexpr std::string_view kEnd = "</script>";

// In JSON, a < stands only in strings, where it may be written as a number.
std::string escaped(const std::string& json) {
  std::string text;
  text.reserve(json.size());
  for (const char c : json) {
    if (c == '<') {
      text += "\\u003c";
    } else {
      text += c;
    }
  }
  return text;
}

}  // namespace

std::string story_page(std::string_view page_template, const Story& story) {
  const std::size_t element = page_template.find(kElement);
  CHECK_MESSAGE(element != std::string_view::npos, "the page has an element for the story");
  const std::size_t begin = element + kElement.size();
  const std::size_t end = page_template.find(kEnd, begin);
  CHECK_MESSAGE(end != std::string_view::npos, "the page's element for the story ends");
  return std::string(page_template.substr(0, begin)) + escaped(print_story(story)) +
         std::string(page_template.substr(end));
}

}  // namespace ravel
