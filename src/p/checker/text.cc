// Strings are written as in C#, into which P translates them: its escapes, and braces around numbers of
// arguments.

#include <algorithm>
#include <charconv>

#include "p/checker/expression_checker.h"

namespace ravel::p {
namespace {

void append_utf8(std::string& text, std::uint32_t code) {
  const auto byte = [&text](std::uint32_t value) { text += static_cast<char>(value); };
  if (code < 0x80) {
    byte(code);
  } else if (code < 0x800) {
    byte(0xc0 | code >> 6);
    byte(0x80 | (code & 0x3f));
  } else if (code < 0x10000) {
    byte(0xe0 | code >> 12);
    byte(0x80 | (code >> 6 & 0x3f));
    byte(0x80 | (code & 0x3f));
  } else {
    byte(0xf0 | code >> 18);
    byte(0x80 | (code >> 12 & 0x3f));
    byte(0x80 | (code >> 6 & 0x3f));
    byte(0x80 | (code & 0x3f));
  }
}

// The character that an escape of one letter stands for.
std::optional<char> simple_escape(char letter) {
  constexpr std::string_view kLetters = "'\"\\0abfnrtv";
  constexpr std::string_view kMeanings{"'\"\\\0\a\b\f\n\r\t\v", 11};
  const std::size_t at = kLetters.find(letter);
  return at == kLetters.npos ? std::nullopt : std::optional(kMeanings[at]);
}

}  // namespace

const Expression* ExpressionChecker::text(const ExpressionSyntax& syntax) {
  const Expressions arguments = expressions(syntax.parts);
  std::vector<FormatPiece> pieces;
  std::uint32_t needed = 0;
  if (!split(syntax.text.substr(1, syntax.text.size() - 2), syntax.mark, pieces, needed))
    return wrong(syntax.place);
  if (needed != arguments.size()) {
    context_.error(syntax.mark, "this string has places for " + counted(needed, "argument") + "; it gets " +
                                    std::to_string(arguments.size()));
    return wrong(syntax.place);
  }
  const Type* type = types().of(TypeKind::kString);
  if (needed == 0)
    return make({.kind = ExpressionKind::kText,
                 .type = type,
                 .place = syntax.place,
                 .text = pieces.empty() ? std::string_view() : pieces[0].text});
  const auto is_error = [](const Expression* one) { return one->type->is(TypeKind::kError); };
  if (std::ranges::any_of(arguments, is_error)) return wrong(syntax.place);
  return make(
      {.kind = ExpressionKind::kFormat, .type = type, .place = syntax.place, .pieces = arena().copy(pieces)},
      arguments);
}

// `{0}` is the place of an argument; `{{` and `}}` are braces.
bool ExpressionChecker::split(std::string_view raw, Place place, std::vector<FormatPiece>& pieces,
                              std::uint32_t& arguments) {
  constexpr std::uint32_t kArgumentsMax = 1000;
  std::string literal;
  const auto finish = [&](std::uint32_t argument) {
    const auto text = unescaped(literal, place);
    if (!text) return false;
    pieces.push_back({arena().copy(std::string_view(*text)), argument});
    literal.clear();
    return true;
  };
  const auto refuse = [&] {
    context_.error(place, "braces in a string are around the number of an argument, as in `{0}`, or doubled");
    return false;
  };
  for (std::size_t i = 0; i < raw.size(); ++i) {
    const char c = raw[i];
    if (c == '\\' && i + 1 < raw.size()) {
      literal += c;
      literal += raw[++i];
      continue;
    }
    if (c != '{' && c != '}') {
      literal += c;
      continue;
    }
    if (i + 1 < raw.size() && raw[i + 1] == c) {
      literal += raw[++i];
      continue;
    }
    const std::size_t end = c == '{' ? raw.find('}', i) : raw.npos;
    if (end == raw.npos) return refuse();
    std::uint32_t number = 0;
    const auto [stop, error] = std::from_chars(raw.data() + i + 1, raw.data() + end, number);
    if (error != std::errc() || stop != raw.data() + end || number >= kArgumentsMax) return refuse();
    if (!finish(number)) return false;
    arguments = std::max(arguments, number + 1);
    i = end;
  }
  return literal.empty() || finish(FormatPiece::kNone);
}

std::optional<std::string> ExpressionChecker::unescaped(std::string_view raw, Place place) {
  std::string result;
  for (std::size_t i = 0; i < raw.size(); ++i) {
    if (raw[i] != '\\') {
      result += raw[i];
      continue;
    }
    const char letter = ++i < raw.size() ? raw[i] : ' ';
    if (const auto meaning = simple_escape(letter)) {
      result += *meaning;
      continue;
    }
    const std::size_t digits_max = letter == 'U' ? 8 : 4;
    std::size_t end = i + 1;
    const auto is_hexadecimal = [](char c) {
      return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
    };
    while (end < raw.size() && end - i <= digits_max && is_hexadecimal(raw[end])) ++end;
    const std::size_t digits = end - i - 1;
    const bool is_number =
        letter == 'x' ? digits > 0 : (letter == 'u' || letter == 'U') && digits == digits_max;
    std::uint32_t code = 0;
    if (is_number) std::from_chars(raw.data() + i + 1, raw.data() + end, code, 16);
    if (!is_number || code > 0x10ffff) {
      context_.error(place, "`\\" + std::string(1, letter) + "` is no escape that a string of P may have");
      return std::nullopt;
    }
    append_utf8(result, code);
    i = end - 1;
  }
  return result;
}

}  // namespace ravel::p
