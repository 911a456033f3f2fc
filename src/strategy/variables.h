// Which variable an object of a footprint belongs to: an array, or a block of the heap, can count as one.

#pragma once

#include <cstdint>
#include <functional>

namespace ravel {

// Empty: each object is a variable of its own.
using VariableOf = std::function<std::uint64_t(std::uint64_t)>;

inline std::uint64_t variable_of(const VariableOf& variables, std::uint64_t object) { return variables ? variables(object) : object; }

}  // namespace ravel
