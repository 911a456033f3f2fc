#include "report/text.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>

namespace ravel {

bool is_terminal(std::FILE* stream) {
  if (isatty(fileno(stream)) == 0) return false;
  const char* const kind = std::getenv("TERM");
  return kind == nullptr || std::string_view(kind) != "dumb";
}

std::optional<std::size_t> terminal_columns(std::FILE* stream) {
  winsize size = {};
  if (!is_terminal(stream) || ioctl(fileno(stream), TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
    return std::nullopt;
  return size.ws_col;
}

Colour colour_for(ColourWish wish, std::FILE* stream) {
  if (wish == ColourWish::kAlways) return Colour::kOn;
  if (wish == ColourWish::kNever || !is_terminal(stream)) return Colour::kOff;
  const char* const refused = std::getenv("NO_COLOR");
  return refused == nullptr || *refused == '\0' ? Colour::kOn : Colour::kOff;
}

std::string paint(std::string_view text, Ink ink, Colour colour) {
  if (colour == Colour::kOff || text.empty()) return std::string(text);
  static constexpr std::array<const char*, 8> kCodes = {"1", "2", "31", "32", "33", "34", "35", "36"};
  return fmt::format("\033[{}m{}\033[0m", kCodes[static_cast<std::size_t>(ink)], text);
}

std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  return digits;
}

std::string counted(std::uint64_t number, std::string_view singular, std::string_view plural) {
  return grouped(number) + " " + std::string(number == 1 ? singular : plural);
}

std::string counted(std::uint64_t number, std::string_view singular) {
  return counted(number, singular, std::string(singular) + "s");
}

std::string duration(double seconds) {
  if (seconds < 1) return fmt::format("{:.2f} s", seconds);
  if (seconds < 60) return fmt::format("{:.1f} s", seconds);
  const auto whole = static_cast<std::uint64_t>(seconds);
  return fmt::format("{} min {} s", grouped(whole / 60), whole % 60);
}

std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return (c & 0xc0) != 0x80; }));
}

std::string padded(std::string_view text, std::size_t columns) {
  const std::size_t used = width(text);
  return std::string(text) + std::string(used < columns ? columns - used : 0, ' ');
}

std::string shortened(std::string_view text, std::size_t columns) {
  constexpr std::string_view kCut = "...";
  if (width(text) <= columns) return std::string(text);
  if (columns < kCut.size()) return "";
  std::size_t end = 0;
  for (std::size_t used = 0; end < text.size(); ++end) {
    const bool begins_character = (text[end] & 0xc0) != 0x80;
    if (begins_character && used++ == columns - kCut.size()) break;
  }
  return std::string(text.substr(0, end)) + std::string(kCut);
}

std::string place(std::string_view file, std::uint32_t line) {
  if (file.empty() || line == 0) return std::string(file);
  return fmt::format("{}:{}", file, line);
}

}  // namespace ravel
