// Which messages a receive can take, as its source says it: the patterns and guards of its clauses.
//
// `receive {val, M} when M > 0 -> {ok, M}; error -> error end` gives "{val, M} when M > 0; error". The text
// is for readers; what a receive takes is decided by running it.

#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "erlang/system/receive_place.h"

namespace ravel::erlang {

// The clauses of the `receive` at this place. `line_text` gives the lines of the file, empty ones beyond its
// end. Empty if there is none, or if its end is not found.
std::string receive_clauses(const std::function<std::string_view(std::uint32_t)>& line_text,
                            ReceivePlace place);

}  // namespace ravel::erlang
