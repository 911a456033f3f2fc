// What operators make of values, and what changes at the end of a path. What is a bug of the program gives a
// sentence instead.

#pragma once

#include <string>
#include <variant>

#include "p/code/code.h"

namespace ravel::p {

// Of a violated rule of the language: its kind, as bugs name it, and a sentence.
struct Fault {
  const char* kind = "";
  std::string sentence = {};
};

using ValueOrFault = std::variant<Value, Fault>;

// REQUIRES of all below: the operands are of the types that the checker has found.
ValueOrFault binary(BinaryOperator op, Value left, Value right, ValueStore& store);
Value negated(Value number, ValueStore& store);
// An element of a seq or set by its index, the value of a key of a map.
ValueOrFault element_at(Value collection, Value at);
std::size_t size_of(Value collection);
// In the order of iteration, of a map its keys. REQUIRES: at < size_of(collection).
Value nth(Value collection, std::size_t at);
Value float_to_int(Value number, ValueStore& store);
// Whether it is a value of this type.
bool fits(Value value, const Type* type);

// A string of at most kTextMax bytes. Programs that double a text in a loop need more than there is.
inline constexpr std::size_t kTextMax = std::size_t{1} << 28;
ValueOrFault string_of(const std::string& text, ValueStore& store);

// The value of the variable, changed where the path leads. `operands`: indices, then what the change takes.
ValueOrFault changed(const Path& path, Value variable, std::span<const Value> operands, ValueStore& store);

}  // namespace ravel::p
