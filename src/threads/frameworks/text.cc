#include "threads/frameworks/text.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace ravel::threads {

std::string_view take_line(std::string_view& text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  text.remove_prefix(std::min(text.size(), line.size() + 1));
  return line;
}

std::string_view trimmed(std::string_view text) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; };
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

std::string unescape_xml(std::string_view text) {
  constexpr std::pair<std::string_view, char> kEntities[] = {
      {"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'}, {"&apos;", '\''}};
  std::string plain;
  while (!text.empty()) {
    const auto* const entity =
        std::ranges::find_if(kEntities, [&](const auto& each) { return text.starts_with(each.first); });
    plain += entity == std::end(kEntities) ? text.front() : entity->second;
    text.remove_prefix(entity == std::end(kEntities) ? 1 : entity->first.size());
  }
  return plain;
}

std::optional<std::string> attribute(std::string_view tag, std::string_view name) {
  const std::string begin = " " + std::string(name) + "=\"";
  const std::size_t at = tag.find(begin);
  if (at == std::string_view::npos) return std::nullopt;
  tag.remove_prefix(at + begin.size());
  return unescape_xml(tag.substr(0, tag.find('"')));
}

std::optional<TextPlace> parse_place(std::string_view text) {
  const bool is_round = text.ends_with(')');
  if (is_round) text.remove_suffix(1);
  const std::size_t mark = text.rfind(is_round ? '(' : ':');
  if (mark == std::string_view::npos || mark == 0 || mark + 1 == text.size()) return std::nullopt;
  TextPlace place{.file = std::string(text.substr(0, mark))};
  const char* const end = text.data() + text.size();
  const auto [last, problem] = std::from_chars(text.data() + mark + 1, end, place.line);
  if (problem != std::errc() || last != end) return std::nullopt;
  return place;
}

}  // namespace ravel::threads
