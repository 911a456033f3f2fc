#include "front_ends/erlang/call_texts.h"

#include <string_view>
#include <vector>

namespace ravel::erlang {

namespace {

// The position after a quoted atom or a string that begins at `begin`.
std::size_t end_of_quoted(std::string_view text, std::size_t begin) {
  for (std::size_t i = begin + 1; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == text[begin]) {
      return i + 1;
    }
  }
  return text.size();
}

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

// The elements of a tuple; none if the text is no whole tuple.
std::vector<std::string_view> elements_of(std::string_view text) {
  if (!text.starts_with('{') || !text.ends_with('}')) return {};
  text = text.substr(1, text.size() - 2);
  std::vector<std::string_view> elements;
  std::size_t depth = 0, begin = 0;
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (c == '\'' || c == '"') {
      i = end_of_quoted(text, i);
      continue;
    }
    if (c == '{' || c == '[' || c == '(') ++depth;
    if (c == '}' || c == ']' || c == ')') {
      if (depth == 0) return {};
      --depth;
    }
    if (c == ',' && depth == 0) {
      elements.push_back(trimmed(text.substr(begin, i - begin)));
      begin = i + 1;
    }
    ++i;
  }
  if (depth > 0) return {};
  elements.push_back(trimmed(text.substr(begin)));
  return elements;
}

// The position after the tuple that begins at `begin`; that of the end if the tuple has none.
std::size_t end_of_tuple(std::string_view text, std::size_t begin) {
  std::size_t depth = 0;
  for (std::size_t i = begin; i < text.size();) {
    const char c = text[i];
    if (c == '\'' || c == '"') {
      i = end_of_quoted(text, i);
      continue;
    }
    if (c == '{') ++depth;
    if (c == '}' && --depth == 0) return i + 1;
    ++i;
  }
  return text.size();
}

// Whether it is this atom as Erlang or Elixir writes it, which both quote it.
bool is_quoted_atom(std::string_view text, const std::string& name) {
  return text == "'" + name + "'" || text == ":\"" + name + "\"";
}

// A message of OTP's behaviours without what carries it; empty if it is none.
std::string say_message(std::string_view message) {
  const std::vector<std::string_view> parts = elements_of(message);
  if (parts.size() == 3 && is_quoted_atom(parts[0], "$gen_call") && elements_of(parts[1]).size() == 2)
    return "the call " + std::string(parts[2]);
  if (parts.size() == 2 && is_quoted_atom(parts[0], "$gen_cast")) return "the cast " + std::string(parts[1]);
  if (parts.size() == 2 && (parts[0].starts_with("[alias|") || parts[0].starts_with("[:alias | ")))
    return "the answer " + std::string(parts[1]);
  return {};
}

}  // namespace

std::string say_step(const std::string& text) {
  for (const std::string_view verb : {"", "sends ", "receives "}) {
    const std::size_t begin = verb.size();
    if (!text.starts_with(verb) || !text.substr(begin).starts_with('{')) continue;
    const std::size_t end = end_of_tuple(text, begin);
    const std::string message = say_message(std::string_view(text).substr(begin, end - begin));
    if (!message.empty()) return std::string(verb) + message + text.substr(end);
  }
  return text;
}

std::pair<std::string, std::string> say_call(const std::string& question, const std::string& answer) {
  const std::pair<std::string, std::string> as_they_are = {question, answer};
  const std::vector<std::string_view> asked = elements_of(question), answered = elements_of(answer);
  if (asked.size() != 3 || answered.size() != 2) return as_they_are;
  const std::vector<std::string_view> from = elements_of(asked[1]);
  if (from.size() != 2 || from[1] != answered[0]) return as_they_are;
  // Another first element may be part of what is asked.
  const bool is_of_otp = is_quoted_atom(asked[0], "$gen_call") || asked[0] == from[0];
  if (!is_of_otp) return as_they_are;
  return {std::string(asked[2]), std::string(answered[1])};
}

}  // namespace ravel::erlang
