// UTF-8, one character at a time: for the texts of atoms and for printing.
//
// Only what Unicode calls well-formed is accepted: no surrogates, nothing above U+10FFFF, no character in
// more bytes than it needs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ravel::erlang {

constexpr bool is_unicode_scalar(std::uint64_t character) {
  return character <= 0x10FFFF && (character < 0xD800 || character > 0xDFFF);
}

// REQUIRES: is_unicode_scalar(character).
inline void append_utf8(std::string& text, std::uint32_t character) {
  const auto continuation = [&](unsigned shift) {
    text += static_cast<char>(0x80 | ((character >> shift) & 0x3F));
  };
  if (character < 0x80) {
    text += static_cast<char>(character);
  } else if (character < 0x800) {
    text += static_cast<char>(0xC0 | character >> 6);
    continuation(0);
  } else if (character < 0x10000) {
    text += static_cast<char>(0xE0 | character >> 12);
    continuation(6);
    continuation(0);
  } else {
    text += static_cast<char>(0xF0 | character >> 18);
    continuation(12);
    continuation(6);
    continuation(0);
  }
}

// Writes the character to `to` and returns its size in bytes, 1..4. REQUIRES: is_unicode_scalar(character).
inline std::uint32_t encode_utf8(std::uint32_t character, std::uint8_t* to) {
  if (character < 0x80) {
    to[0] = static_cast<std::uint8_t>(character);
    return 1;
  }
  const std::uint32_t size = character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;
  for (std::uint32_t i = size - 1; i > 0; --i, character >>= 6)
    to[i] = static_cast<std::uint8_t>(0x80 | (character & 0x3F));
  to[0] = static_cast<std::uint8_t>((0xF00U >> size) | character);
  return size;
}

struct Utf8Character {
  std::uint32_t character;
  std::uint32_t size;  // in bytes
};

// The character at `at`, or nothing if none that is well-formed starts there. REQUIRES: at < text.size().
inline std::optional<Utf8Character> decode_utf8(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[at + i]); };
  const unsigned first = byte(0);
  if (first < 0x80) return Utf8Character{first, 1};
  const std::uint32_t size = first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0;
  if (size == 0 || text.size() - at < size) return std::nullopt;
  std::uint32_t character = first & (0x7FU >> size);
  for (std::uint32_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return std::nullopt;
    character = character << 6 | (byte(i) & 0x3F);
  }
  constexpr std::uint32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  if (character < kSmallest[size] || !is_unicode_scalar(character)) return std::nullopt;
  return Utf8Character{character, size};
}

// How many characters, or nothing if the text is not well-formed.
inline std::optional<std::size_t> count_utf8(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t at = 0; at < text.size(); ++count) {
    const auto next = decode_utf8(text, at);
    if (!next) return std::nullopt;
    at += next->size;
  }
  return count;
}

// The text with one byte for each character, or nothing if a character is above 255. REQUIRES: well-formed.
inline std::optional<std::string> utf8_to_latin1(std::string_view text) {
  std::string latin1;
  for (std::size_t at = 0; at < text.size();) {
    const auto next = decode_utf8(text, at);
    if (!next || next->character > 255) return std::nullopt;
    latin1 += static_cast<char>(next->character);
    at += next->size;
  }
  return latin1;
}

inline std::string latin1_to_utf8(std::string_view text) {
  std::string result;
  for (const char character : text) append_utf8(result, static_cast<unsigned char>(character));
  return result;
}

}  // namespace ravel::erlang
