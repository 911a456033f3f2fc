// The text of a binary that a runner of tests hands over.

#pragma once

#include <string>

#include "erlang/term/term.h"

namespace ravel::erlang {

// The text of a binary on one line, whatever it holds. As EUnit prints it: UTF-8, or else Latin-1. Empty if
// the term is no binary.
std::string text_of_binary(Term binary);

}  // namespace ravel::erlang
