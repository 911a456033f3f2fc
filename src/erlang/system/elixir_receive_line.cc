#include "erlang/system/elixir_receive_line.h"

#include <algorithm>
#include <array>

namespace ravel::erlang {

namespace {

constexpr std::uint32_t kLinesMax = 2000;  // of a function

constexpr auto kWords = std::to_array<std::string_view>(
    {"assert_receive", "assert_received", "receive", "refute_receive", "refute_received"});

constexpr bool is_word_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '?' ||
         c == '!';
}

// Receives on one line of source.
std::size_t receives_in(std::string_view text) {
  std::size_t count = 0;
  bool is_quoted = false;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '\\') {
      at += 2;
    } else if (c == '"') {
      is_quoted = !is_quoted;
      ++at;
    } else if (is_quoted) {
      ++at;
    } else if (c == '#') {
      break;
    } else if (is_word_character(c)) {
      std::size_t end = at;
      while (end < text.size() && is_word_character(text[end])) ++end;
      const bool is_name = at > 0 && (text[at - 1] == '.' || text[at - 1] == ':' || text[at - 1] == '@');
      const bool is_key = end < text.size() && text[end] == ':';
      if (!is_name && !is_key && std::ranges::binary_search(kWords, text.substr(at, end - at))) ++count;
      at = end;
    } else {
      ++at;
    }
  }
  return count;
}

}  // namespace

std::optional<ReceivePlace> find_elixir_receive(const std::function<std::string_view(std::uint32_t)>& line,
                                                std::uint32_t head, std::size_t receives_before) {
  for (std::uint32_t number = head; number < head + kLinesMax; ++number) {
    const std::size_t found = receives_in(line(number));
    if (found > receives_before) return ReceivePlace{.line = number, .before_on_line = receives_before};
    receives_before -= found;
  }
  return std::nullopt;
}

}  // namespace ravel::erlang
