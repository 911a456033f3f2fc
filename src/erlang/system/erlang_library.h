// Modules written in Erlang that belong to the machine (src/erlang/lib), compiled into this program.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace ravel::erlang {

// The .beam file of one of them.
std::optional<std::span<const std::uint8_t>> erlang_library_module(std::string_view name);

}  // namespace ravel::erlang
