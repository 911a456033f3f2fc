// What a library says of a function: the types that it takes and returns, in P's words.
//
//   (int, seq[string], (a: int, b: ?)): bool
//
// An element of an enum is an int, a reference to any machine is a machine, and a tuple of one part is
// (int,).
// `?` is a type that is not compared.

#pragma once

#include <string>
#include <string_view>

#include "p/program/function.h"

namespace ravel::p {

// Of the function as the program declares it; `any` and `data` are `?`.
std::string signature_of(const Function& function);

// Whether a function of this signature can be called where the program declares this one: what may be of any
// type in P must be so in a parameter, and need not in a result.
bool fits_signature(std::string_view signature, const Function& function);

}  // namespace ravel::p
