// Which messages a receive of Elixir can take, as its source says it: the patterns and guards of its clauses.
//
// A clause has no mark at its end: the next one begins with the expression in front of the next `->` that is
// in no brackets and no inner block. ExUnit's assert_receive and the like have one pattern. The text is for
// readers.

#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "erlang/system/receive_place.h"

namespace ravel::erlang {

// The clauses of the receive at this place. `line_text` gives the lines of the file, empty ones beyond its
// end. Empty if there is none, or if its end is not found.
std::string elixir_receive_clauses(const std::function<std::string_view(std::uint32_t)>& line_text,
                                   ReceivePlace place);

}  // namespace ravel::erlang
