#include "erlang/system/elixir_receive_clauses.h"

#include <algorithm>
#include <array>

namespace ravel::erlang {

namespace {

// No longer receive is read.
constexpr std::uint32_t kLinesMax = 500;

constexpr std::string_view kNewLine = "\n";

constexpr auto kOnePattern = std::to_array<std::string_view>(
    {"assert_receive", "assert_received", "refute_receive", "refute_received"});

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '@' ||
         c == '!' || c == '?';
}

// The tokens of some lines: words, with the colon of an atom or of a key; quoted text; `->`; ends of lines;
// and other signs one by one.
class Tokens {
 public:
  Tokens(const std::function<std::string_view(std::uint32_t)>& line_text, std::uint32_t line)
      : line_text_(line_text), line_(line), end_(line + kLinesMax) {}

  // Empty at the end. `is_spaced()` says whether white space stood before it.
  std::string_view next() {
    is_spaced_ = false;
    if (line_ >= end_) return {};
    const std::string_view text = line_text_(line_);
    while (at_ < text.size() && (text[at_] == ' ' || text[at_] == '\t')) ++at_, is_spaced_ = true;
    if (at_ >= text.size() || text[at_] == '#') {
      ++line_, at_ = 0;
      return kNewLine;
    }
    const std::size_t begin = at_;
    const char c = text[at_++];
    const bool is_atom = c == ':' && at_ < text.size() && (is_letter(text[at_]) || text[at_] == '"');
    if (c == '?' && at_ < text.size()) {
      at_ = std::min(text.size(), begin + (text[at_] == '\\' ? 3 : 2));
    } else if (c == '"' || c == '\'' || (is_atom && text[at_] == '"')) {
      const char quote = is_atom ? text[at_++] : c;
      while (at_ < text.size() && text[at_] != quote) at_ += text[at_] == '\\' ? 2 : 1;
      at_ = std::min(text.size(), at_ + 1);
    } else if (is_letter(c) || is_atom) {
      while (at_ < text.size() && is_letter(text[at_])) ++at_;
      const bool is_key = !is_atom && at_ < text.size() && text[at_] == ':' &&
                          (at_ + 1 == text.size() || text[at_ + 1] == ' ');
      if (is_key) ++at_;
    } else if (c == '-' && at_ < text.size() && text[at_] == '>') {
      ++at_;
    }
    return text.substr(begin, at_ - begin);
  }
  bool is_spaced() const { return is_spaced_; }

 private:
  const std::function<std::string_view(std::uint32_t)>& line_text_;
  std::uint32_t line_, end_;
  std::size_t at_ = 0;
  bool is_spaced_ = false;
};

bool opens(std::string_view word) {
  return word == "(" || word == "[" || word == "{" || word == "do" || word == "fn";
}
bool closes(std::string_view word) { return word == ")" || word == "]" || word == "}" || word == "end"; }

// Whether a pattern or guard that ends a line with this goes on in the next one.
bool goes_on_behind(std::string_view word) {
  return word.empty() || word == "," || word == "when" || word == "and" || word == "or" || word == "|" ||
         word == "=";
}

// The clauses after `receive do`.
std::string clauses_of_block(Tokens tokens) {
  std::string clauses, expression;
  std::string_view before;  // the last token that is no end of a line
  std::size_t depth = 0;
  for (std::string_view word; !(word = tokens.next()).empty();) {
    if (word == kNewLine || (word == ";" && depth == 0)) {
      Tokens ahead = tokens;
      std::string_view next = ahead.next();
      while (next == kNewLine) next = ahead.next();
      const bool ends =
          depth == 0 && (word == ";" || (!goes_on_behind(before) && next != "when" && next != "->"));
      if (ends) expression.clear();
      continue;
    }
    if (depth == 0 && (word == "end" || word == "after")) return clauses;
    if (depth == 0 && word == "->") {
      clauses += (clauses.empty() ? "" : "; ") + expression;
      expression.clear();
      before = ";";
      continue;
    }
    if (opens(word)) ++depth;
    if (closes(word)) {
      if (depth == 0) return {};
      --depth;
    }
    // What goes on in the next line is written as if it did so in the same one.
    const bool is_apart = tokens.is_spaced() || before == "," || before == "when";
    expression += (is_apart && !expression.empty() ? " " : "") + std::string(word);
    before = word;
  }
  return {};
}

// The pattern after assert_receive and the like, up to its timeout.
std::string one_pattern(Tokens tokens) {
  std::string pattern;
  std::string_view before, word = tokens.next();
  std::size_t depth = 0;
  const bool is_in_brackets = word == "(" && !tokens.is_spaced();
  if (is_in_brackets) word = tokens.next();
  for (; !word.empty(); word = tokens.next()) {
    if (word == kNewLine) {
      if (depth == 0 && !is_in_brackets && !goes_on_behind(before)) return pattern;
      continue;
    }
    if (depth == 0 && (word == "," || word == ";" || closes(word))) return pattern;
    if (opens(word)) ++depth;
    if (closes(word)) --depth;
    pattern += (tokens.is_spaced() && !pattern.empty() ? " " : "") + std::string(word);
    before = word;
  }
  return {};
}

}  // namespace

std::string elixir_receive_clauses(const std::function<std::string_view(std::uint32_t)>& line_text,
                                   ReceivePlace place) {
  Tokens tokens(line_text, place.line);
  std::size_t others = place.before_on_line;
  for (std::string_view word = tokens.next(); !word.empty() && word != kNewLine; word = tokens.next()) {
    const bool is_macro = std::ranges::find(kOnePattern, word) != kOnePattern.end();
    if ((!is_macro && word != "receive") || others-- > 0) continue;
    if (is_macro) return one_pattern(tokens);
    if (tokens.next() != "do") return {};
    return clauses_of_block(tokens);
  }
  return {};
}

}  // namespace ravel::erlang
