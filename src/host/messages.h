// How commands speak to the user besides their results: errors and the compiler's warnings, on standard
// error.

#pragma once

#include <string>
#include <string_view>

#include "report/text.h"

namespace ravel {

// "ravel: MESSAGE". A message that ends with a newline is the compiler's own and is printed untouched.
// Returns the exit status of bad input.
int complain(std::string_view message);

// What else the user should know: "ravel: MESSAGE", dimmed.
void remark(std::string_view message, ColourWish colour);

// What the compiler said about a program that compiled, dimmed.
void show_compiler_messages(const std::string& messages, ColourWish colour);

}  // namespace ravel
