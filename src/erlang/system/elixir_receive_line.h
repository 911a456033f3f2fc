// Where a receive stands in the source of an Elixir function. As in Erlang, compiled code does not hold it.
//
// The idea: the n-th receive in the code is the n-th word `receive`, or macro of ExUnit that becomes one,
// from the head of the function on. Comments and text in quotes on one line are left out; other macros that
// become a receive are not seen, and then the line is wrong.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

#include "erlang/system/receive_place.h"

namespace ravel::erlang {

// `line` gives the text of a line by its number. Nothing if there are too few receives in the lines that
// follow.
std::optional<ReceivePlace> find_elixir_receive(const std::function<std::string_view(std::uint32_t)>& line,
                                                std::uint32_t head, std::size_t receives_before);

}  // namespace ravel::erlang
