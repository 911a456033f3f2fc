// The words and signs of P.

#pragma once

#include <cstdint>
#include <string_view>

#include "p/source/sources.h"

namespace ravel::p {

enum class TokenKind : std::uint8_t {
  kEnd,  // of the file
  kName,
  kInteger,  // digits
  kText,     // a string with its quotes
#define RAVEL_P_TOKEN(name, text) name,
#include "p/syntax/tokens.def"
#undef RAVEL_P_TOKEN
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  Place place;
  std::string_view text;  // as it is written
};

// How messages call a token that is always the same; "a name", "a number" and so on for the others.
std::string_view describe(TokenKind kind);
// Whether it is a word that P reserves, as opposed to a sign.
bool is_word(TokenKind kind);

}  // namespace ravel::p
