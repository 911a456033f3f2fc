// From text to tokens.
//
// Blanks and comments (`//` to the end of the line, and `/* */`, which do not nest) separate tokens and are
// dropped. What no token begins with is an error, reported once for a row of such characters.
//
// Cost: linear.

#pragma once

#include <vector>

#include "p/source/diagnostics.h"
#include "p/syntax/token.h"

namespace ravel::p {

// The last token is kEnd.
std::vector<Token> read_tokens(const Sources& sources, std::uint32_t file, Diagnostics& diagnostics);

}  // namespace ravel::p
