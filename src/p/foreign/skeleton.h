// What is to be written in C++ for foreign functions of a program.
#pragma once

#include <span>
#include <string>

#include "p/program/program.h"

namespace ravel::p {

// A file that includes <ravel/p_foreign.h> and declares these functions, with structs for the foreign types
// and for the tuples with names that they need.
std::string skeleton(const Program& program, std::span<const FunctionId> functions);

}  // namespace ravel::p
