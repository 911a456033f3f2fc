#include "ltl/atom_text.h"

#include "base/check.h"

namespace ravel::ltl {
namespace {

constexpr std::string_view kOpening = "([{", kClosing = ")]}";

bool is_quote(char c) { return c == '\'' || c == '"'; }

char char_at(std::string_view text, std::size_t at) { return at < text.size() ? text[at] : '\0'; }

// The place after the quote that closes the one at `at`; npos if there is none.
std::size_t end_of_quoted(std::string_view text, std::size_t at) {
  const char quote = text[at];
  for (++at; at < text.size(); ++at) {
    if (text[at] == quote) return at + 1;
    if (text[at] == '\\') ++at;
  }
  return std::string_view::npos;
}

// The place after the bracket that closes the one at `at`; npos if there is none.
std::size_t end_of_arguments(std::string_view text, std::size_t at) {
  std::string open;
  while (at < text.size()) {
    const char c = text[at];
    if (is_quote(c)) {
      at = end_of_quoted(text, at);
      if (at == std::string_view::npos) return at;
      continue;
    }
    ++at;
    if (const auto kind = kOpening.find(c); kind != std::string_view::npos) open += kClosing[kind];
    if (kClosing.find(c) == std::string_view::npos) continue;
    if (open.back() != c) return std::string_view::npos;
    open.pop_back();
    if (open.empty()) return at;
  }
  return std::string_view::npos;
}

// Drops blanks outside of quotes, but for one between two names.
std::string without_needless_blanks(std::string_view text) {
  std::string kept;
  for (std::size_t at = 0; at < text.size();) {
    if (is_quote(text[at])) {
      const std::size_t end = end_of_quoted(text, at);
      kept += text.substr(at, end - at);
      at = end;
      continue;
    }
    if (!is_blank(text[at])) {
      kept += text[at++];
      continue;
    }
    while (is_blank(char_at(text, at))) ++at;
    if (is_in_name(kept.back()) && is_in_name(char_at(text, at))) kept += ' ';
  }
  return kept;
}

std::string unquoted(std::string_view quoted) {
  std::string text;
  for (std::size_t at = 1; at + 1 < quoted.size(); ++at) {
    if (quoted[at] == '\\') ++at;
    text += quoted[at];
  }
  return text;
}

}  // namespace

std::string_view name_at(std::string_view text, std::size_t at) {
  std::size_t end = at;
  if (begins_name(char_at(text, at)))
    while (is_in_name(char_at(text, end))) ++end;
  return text.substr(at, end - at);
}

std::size_t separator_at(std::string_view text, std::size_t at) {
  const std::size_t length = text.substr(at, 2) == "::" ? 2 : char_at(text, at) == ':' ? 1 : 0;
  if (length > 0) {
    const char next = char_at(text, at + length);
    return begins_name(next) || next == '\'' ? length : 0;
  }
  return char_at(text, at) == '.' && begins_name(char_at(text, at + 1)) ? 1 : 0;
}

Result<AtomText> read_atom(std::string_view formula, std::size_t begin) {
  CHECK(is_quote(char_at(formula, begin)) || begins_name(char_at(formula, begin)));
  std::size_t at = begin;
  bool is_one_quoted = is_quote(formula[begin]);
  for (std::size_t separator = 0;; is_one_quoted = false) {
    at += separator;
    if (is_quote(formula[at])) {
      at = end_of_quoted(formula, at);
      if (at == std::string_view::npos) return Error{"the quote is not closed"};
    } else {
      at += name_at(formula, at).size();
    }
    separator = separator_at(formula, at);
    if (separator == 0) break;
  }
  if (char_at(formula, at) == '(') {
    is_one_quoted = false;
    at = end_of_arguments(formula, at);
    if (at == std::string_view::npos) return Error{"the brackets of its arguments do not match"};
  }
  const std::string_view written = formula.substr(begin, at - begin);
  if (!is_one_quoted) return AtomText{without_needless_blanks(written), written.size()};
  if (written.size() == 2) return Error{"there is nothing between the quotes"};
  return AtomText{unquoted(written), written.size()};
}

}  // namespace ravel::ltl
