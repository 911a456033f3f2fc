// Whether a program that the checker made is what its headers promise, so that code can be made of it
// blindly.

#pragma once

#include <string>

#include "p/program/program.h"

namespace ravel::p {

// The first thing that is not so; empty if there is none.
std::string fault_of(const Program& program);

}  // namespace ravel::p
