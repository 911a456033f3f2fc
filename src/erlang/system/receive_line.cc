#include "erlang/system/receive_line.h"

#include <algorithm>
#include <span>
#include <vector>

namespace ravel::erlang {

namespace {

// No longer function is read.
constexpr std::uint32_t kLinesMax = 1000;

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '@';
}

// The words and signs of a line, without what stands in quotes or comments.
std::vector<std::string_view> tokens_of(std::string_view line) {
  std::vector<std::string_view> tokens;
  for (std::size_t at = 0; at < line.size();) {
    const char c = line[at];
    if (c == '%') break;
    std::size_t end = at + 1;
    if (c == '$') {
      end = std::min(line.size(), at + (at + 1 < line.size() && line[at + 1] == '\\' ? 3 : 2));
    } else if (c == '"' || c == '\'') {
      while (end < line.size() && line[end] != c) end += line[end] == '\\' ? 2 : 1;
      end = std::min(line.size(), end + 1);
    } else if (is_letter(c)) {
      while (end < line.size() && is_letter(line[end])) ++end;
      tokens.push_back(line.substr(at, end - at));
    } else if (c != ' ' && c != '\t') {
      tokens.push_back(line.substr(at, 1));
    }
    at = end;
  }
  return tokens;
}

bool opens_a_block(std::string_view word) {
  return word == "case" || word == "if" || word == "receive" || word == "begin" || word == "try" ||
         word == "maybe";
}

}  // namespace

std::optional<ReceivePlace> find_receive(const std::function<std::string_view(std::uint32_t)>& line_text,
                                         std::uint32_t from, std::size_t skipped, FunBodies fun_bodies) {
  std::vector<bool> blocks;  // open ones, the innermost last: whether each is a fun
  std::string_view name;     // first word of the first line
  for (std::uint32_t line = from; line < from + kLinesMax; ++line) {
    const std::string_view text = line_text(line);
    const std::vector<std::string_view> tokens = tokens_of(text);
    if (line == from && !tokens.empty()) name = tokens.front();
    const bool begins_a_form = !text.empty() && ((text[0] >= 'a' && text[0] <= 'z') || text[0] == '-');
    // Not the next clause
    const bool is_another = begins_a_form && !tokens.empty() && tokens.front() != name;
    if (is_another && blocks.empty()) return std::nullopt;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      const std::string_view word = tokens[i];
      // `fun (X) ->` and `fun Name(X) ->` have a body, `fun f/1` and `fun m:f/1` have none.
      const bool is_body = word == "fun" && i + 1 < tokens.size() &&
                           (tokens[i + 1] == "(" || (i + 2 < tokens.size() && tokens[i + 2] == "("));
      if (word == "receive") {
        const bool counts = fun_bodies == FunBodies::kRead || std::ranges::count(blocks, true) == 0;
        if (counts && skipped-- == 0) {
          const auto before = std::ranges::count(std::span(tokens).first(i), word);
          return ReceivePlace{.line = line, .before_on_line = static_cast<std::size_t>(before)};
        }
      }
      if (is_body || opens_a_block(word)) {
        blocks.push_back(is_body);
      } else if (word == "end" && !blocks.empty()) {
        blocks.pop_back();
      }
    }
  }
  return std::nullopt;
}

}  // namespace ravel::erlang
