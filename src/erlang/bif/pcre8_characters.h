// Which characters and names mean what in patterns of PCRE 8.
#pragma once

#include <cstdint>
#include <string_view>

namespace ravel::erlang {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
constexpr bool is_alphanumeric(char c) { return is_digit(c) || is_letter(c); }
constexpr bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
// 16 for what is no digit.
constexpr std::uint32_t hex_value(char c) {
  if (is_digit(c)) return static_cast<std::uint32_t>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<std::uint32_t>(c - 'a' + 10);
  if (c >= 'A' && c <= 'F') return static_cast<std::uint32_t>(c - 'A' + 10);
  return 16;
}
// A character of a group's name, by the tables of ISO 8859-1.
bool is_word_character(char c);

// A name after \p: a general category, one of PCRE's own, or a script that PCRE 8.44 knows.
bool is_pcre8_property(std::string_view name);
bool is_pcre8_script(std::string_view name);

}  // namespace ravel::erlang
