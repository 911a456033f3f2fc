#include "p/source/sources.h"

#include <algorithm>
#include <utility>

namespace ravel::p {

std::uint32_t Sources::add(std::string name, std::string text) {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (text.starts_with(kByteOrderMark)) text.erase(0, kByteOrderMark.size());
  files_.push_back({std::move(name), std::move(text)});
  return size() - 1;
}

LineColumn Sources::line_column(Place place) const {
  const std::string_view before = text(place.file).substr(0, place.offset);
  const std::size_t newline = before.rfind('\n');
  const std::string_view line = newline == before.npos ? before : before.substr(newline + 1);
  const auto starts_character = [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; };
  return {
      .line = 1 + static_cast<std::uint32_t>(std::count(before.begin(), before.end(), '\n')),
      .column = 1 + static_cast<std::uint32_t>(std::count_if(line.begin(), line.end(), starts_character))};
}

std::string Sources::describe(Place place) const {
  const LineColumn at = line_column(place);
  return name(place.file) + ":" + std::to_string(at.line) + ":" + std::to_string(at.column);
}

}  // namespace ravel::p
