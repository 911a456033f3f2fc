// Short ways to check texts in tests. A text is the file `t.p`.

#pragma once

#include <string>
#include <string_view>

#include "p/checker/check.h"

namespace ravel::p {

inline CheckedSources checked(std::string_view text) {
  std::vector<SourceText> texts;
  texts.push_back({.name = "t.p", .text = std::string(text)});
  return check(std::move(texts));
}

// What is said about it; empty if it is accepted without a word.
inline std::string said(std::string_view text) { return checked(text).messages(); }

// The statements are line 3 of the text, and begin in column 1.
inline std::string in_handler(std::string_view statements, std::string_view variables = "") {
  return "event go: int; event done; enum Color { RED, GREEN }\nmachine Main { " + std::string(variables) +
         " start state Init { entry {\n" + std::string(statements) +
         "\n} on go goto Next; } state Next {} }\n";
}

inline std::string said_in_handler(std::string_view statements, std::string_view variables = "") {
  return said(in_handler(statements, variables));
}

}  // namespace ravel::p
