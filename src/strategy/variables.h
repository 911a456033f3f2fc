// Which variable an object of a footprint belongs to, under a name that is the same in all executions.
//
// An object is where something lies, which follows from who made what before; its variable is what the front
// end takes it to be: an array can count as one, and what the same calls made is told apart by how many they
// had made before, which is the variable's iteration number. Source: S. Bindal, S. Bansal, A. Lal, "Variable
// and thread bounding for systematic testing of multithreaded programs" (ISSTA 2013), section 2.

#pragma once

#include <cstdint>
#include <functional>
#include <optional>

namespace ravel {

struct Variable {
  std::uint64_t name = 0;
  std::uint32_t iteration = 0;  // 0 as well for what nothing made
};

// Asked in the execution that the object is of. Empty: each object is a variable of its own.
using VariableOf = std::function<Variable(std::uint64_t)>;

// What an object is a part of, an array or a block of memory, as a number that is the same in all executions;
// nothing: it is none. Asked after an execution in which somebody has touched the object.
using WholeOf = std::function<std::optional<std::uint64_t>(std::uint64_t)>;

inline Variable variable_of(const VariableOf& variables, std::uint64_t object) {
  return variables ? variables(object) : Variable{.name = object};
}

}  // namespace ravel
