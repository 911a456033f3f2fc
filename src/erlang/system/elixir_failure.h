// What went wrong in Elixir, in the words that its exceptions have for it.
#pragma once

#include <optional>
#include <string>

#include "erlang/term/names.h"
#include "erlang/term/term.h"

namespace ravel::erlang {

// "RuntimeError: oops" of an exception, and "MatchError: no match of right hand side value: 1" of an Erlang
// error for which Elixir has an exception; nothing of anything else.
std::optional<std::string> elixir_failure(const Names& names, Term reason);

// The first line of what a failed assertion of ExUnit says; nothing of anything else.
std::optional<std::string> exunit_assertion(const Names& names, Term reason);

}  // namespace ravel::erlang
