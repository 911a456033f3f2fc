// Reading what frameworks print.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ravel::threads {

// The first line without its end, which is taken from the text.
std::string_view take_line(std::string_view& text);
// The text without blanks at both ends.
std::string_view trimmed(std::string_view text);
// What XML writes as "&lt;" and the like.
std::string unescape_xml(std::string_view text);
// The value of an attribute in a tag of XML, unescaped; nothing if it has none.
std::optional<std::string> attribute(std::string_view tag, std::string_view name);

struct TextPlace {
  std::string file;
  std::uint32_t line = 0;
};
// The place of "FILE:LINE" or "FILE(LINE)"; nothing: it is neither.
std::optional<TextPlace> parse_place(std::string_view text);

}  // namespace ravel::threads
