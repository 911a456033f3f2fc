#include "erlang/system/receive_clauses.h"

#include <algorithm>
#include <vector>

namespace ravel::erlang {

namespace {

// No longer receive is read.
constexpr std::uint32_t kLinesMax = 500;

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '@';
}

// The tokens of some lines: words, quoted text, `->`, and other signs one by one.
class Tokens {
 public:
  Tokens(const std::function<std::string_view(std::uint32_t)>& line_text, std::uint32_t line)
      : line_text_(line_text), line_(line), end_(line + kLinesMax) {}

  // Empty at the end. `is_spaced()` says whether white space stood before it.
  std::string_view next() {
    is_spaced_ = false;
    for (; line_ < end_; ++line_, at_ = 0, is_spaced_ = true) {
      const std::string_view text = line_text_(line_);
      while (at_ < text.size() && (text[at_] == ' ' || text[at_] == '\t')) ++at_, is_spaced_ = true;
      if (at_ >= text.size() || text[at_] == '%') continue;
      const std::size_t begin = at_;
      const char c = text[at_++];
      if (c == '$') {
        at_ = std::min(text.size(), begin + (begin + 1 < text.size() && text[begin + 1] == '\\' ? 3 : 2));
      } else if (c == '"' || c == '\'') {
        while (at_ < text.size() && text[at_] != c) at_ += text[at_] == '\\' ? 2 : 1;
        at_ = std::min(text.size(), at_ + 1);
      } else if (is_letter(c)) {
        while (at_ < text.size() && is_letter(text[at_])) ++at_;
      } else if (c == '-' && at_ < text.size() && text[at_] == '>') {
        ++at_;
      }
      return text.substr(begin, at_ - begin);
    }
    return {};
  }
  bool is_spaced() const { return is_spaced_; }

 private:
  const std::function<std::string_view(std::uint32_t)>& line_text_;
  std::uint32_t line_, end_;
  std::size_t at_ = 0;
  bool is_spaced_ = false;
};

bool opens_a_block(std::string_view word) {
  return word == "case" || word == "if" || word == "receive" || word == "begin" || word == "try" ||
         word == "maybe";
}

}  // namespace

std::string receive_clauses(const std::function<std::string_view(std::uint32_t)>& line_text,
                            ReceivePlace place) {
  Tokens tokens(line_text, place.line);
  std::string_view word = tokens.next();
  for (std::size_t others = place.before_on_line; !word.empty() && (word != "receive" || others-- > 0);)
    word = tokens.next();
  std::string clauses, head;
  std::size_t depth = 0;
  bool is_in_head = true;
  while (!(word = tokens.next()).empty()) {
    if (depth == 0 && (word == "end" || word == "after")) return clauses;
    if (depth == 0 && is_in_head && word == "->") {
      clauses += (clauses.empty() ? "" : "; ") + head;
      is_in_head = false;
      continue;
    }
    if (depth == 0 && !is_in_head && word == ";") {
      is_in_head = true;
      head.clear();
      continue;
    }
    if (is_in_head) head += (tokens.is_spaced() && !head.empty() ? " " : "") + std::string(word);
    if (word == "(" || word == "[" || word == "{" || opens_a_block(word)) {
      ++depth;
    } else if (word == "fun") {
      // `fun (X) ->` and `fun Name(X) ->` have a body and an end; `fun f/1` and `fun m:f/1` do not.
      Tokens ahead = tokens;
      const std::string_view first = ahead.next();
      if (first == "(" || ahead.next() == "(") ++depth;
    } else if (word == ")" || word == "]" || word == "}" || word == "end") {
      if (depth == 0) return {};
      --depth;
    }
  }
  return {};
}

}  // namespace ravel::erlang
