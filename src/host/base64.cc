#include "host/base64.h"

#include <algorithm>
#include <cstdint>

namespace ravel {

namespace {

constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

std::string to_base64(std::string_view bytes) {
  std::string text;
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - at);
    std::uint32_t group = 0;
    for (std::size_t i = 0; i < 3; ++i)
      group = group << 8 | (i < count ? static_cast<unsigned char>(bytes[at + i]) : 0u);
    for (std::size_t i = 0; i < 4; ++i) text += i <= count ? kLetters[group >> (18 - 6 * i) & 63] : '=';
  }
  return text;
}

std::optional<std::string> from_base64(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  std::string bytes;
  for (std::size_t at = 0; at < text.size(); at += 4) {
    std::uint32_t group = 0;
    std::size_t letters = 0;
    for (; letters < 4; ++letters) {
      const std::size_t value = kLetters.find(text[at + letters]);
      if (value == std::string_view::npos) break;
      group |= static_cast<std::uint32_t>(value) << (18 - 6 * letters);
    }
    const bool is_last = at + 4 == text.size();
    if (letters < 2 || (letters < 4 && !is_last)) return std::nullopt;
    if (std::ranges::any_of(text.substr(at + letters, 4 - letters), [](char c) { return c != '='; }))
      return std::nullopt;
    for (std::size_t i = 0; i + 1 < letters; ++i) bytes += static_cast<char>(group >> (16 - 8 * i) & 0xff);
  }
  return bytes;
}

}  // namespace ravel
