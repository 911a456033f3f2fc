// The operators between two operands, which syntax and checked programs share.

#pragma once

#include <cstdint>
#include <string_view>

namespace ravel::p {

enum class BinaryOperator : std::uint8_t {
  kTimes,
  kDivide,
  kModulo,
  kPlus,
  kMinus,
  kLess,
  kGreater,
  kGreaterEqual,
  kLessEqual,
  kIn,
  kEqual,
  kNotEqual,
  kAnd,
  kOr,
  kImplies,
  kIff,
};

// As it is written.
std::string_view to_string(BinaryOperator op);

}  // namespace ravel::p
