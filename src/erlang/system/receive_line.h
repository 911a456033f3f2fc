// Where a receive expression stands, found in the source text.
//
// The compiler notes lines for calls and function heads, but none for receives: a process that waits has the
// line of some call before it in the code. But the receives of a function stand in its code in the order of
// its text, so the n-th one in the code is the n-th word `receive`. What stands inside a fun is code of its
// own and does not count, unless the place itself is inside one. Macros are not expanded: a receive inside
// one is not found.

#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

#include "erlang/system/receive_place.h"

namespace ravel::erlang {

enum class FunBodies : std::uint8_t { kSkip, kRead };

// The `receive` that comes after `skipped` others, from line `from`, where the function (or the fun)
// begins, to the end of the function. `line_text` gives the lines of the file, empty ones beyond its end.
std::optional<ReceivePlace> find_receive(const std::function<std::string_view(std::uint32_t)>& line_text,
                                         std::uint32_t from, std::size_t skipped, FunBodies fun_bodies);

}  // namespace ravel::erlang
