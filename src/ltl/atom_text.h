// The text of a proposition within a formula: a name, with what may belong to it.
//
//   idle   my_mod:is_idle   Server.idle   holds(client1, {a, "b c"})   'any text'   "any text"
//
// A name is made of letters, digits, `_` and `@` and begins with a letter or `_`; a part before or after a
// colon may be an atom of Erlang in quotes. Blanks within arguments are dropped where they separate nothing.
// What is in quotes as a whole stands for the text between them, in which a backslash takes the next
// character as it is.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"

namespace ravel::ltl {

constexpr bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// Bytes above 127 are parts of letters in UTF-8.
constexpr bool begins_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) > 127;
}
constexpr bool is_in_name(char c) { return begins_name(c) || (c >= '0' && c <= '9') || c == '@'; }

// The name that begins there, which may be empty.
std::string_view name_at(std::string_view text, std::size_t at);

// The length of the sign between two parts of a name: `:`, `::` or `.`; 0 if none is there.
std::size_t separator_at(std::string_view text, std::size_t at);

struct AtomText {
  std::string text;
  std::size_t length = 0;  // of what stands for it in the formula
};

// REQUIRES: a name or a quote begins there. An error says what is not closed, without a place.
Result<AtomText> read_atom(std::string_view formula, std::size_t at);

}  // namespace ravel::ltl
