#include "p/source/operator.h"

namespace ravel::p {

std::string_view to_string(BinaryOperator op) {
  switch (op) {
    case BinaryOperator::kTimes: return "*";
    case BinaryOperator::kDivide: return "/";
    case BinaryOperator::kModulo: return "%";
    case BinaryOperator::kPlus: return "+";
    case BinaryOperator::kMinus: return "-";
    case BinaryOperator::kLess: return "<";
    case BinaryOperator::kGreater: return ">";
    case BinaryOperator::kGreaterEqual: return ">=";
    case BinaryOperator::kLessEqual: return "<=";
    case BinaryOperator::kIn: return "in";
    case BinaryOperator::kEqual: return "==";
    case BinaryOperator::kNotEqual: return "!=";
    case BinaryOperator::kAnd: return "&&";
    case BinaryOperator::kOr: return "||";
    case BinaryOperator::kImplies: return "==>";
    case BinaryOperator::kIff: return "<==>";
  }
  return "";
}

}  // namespace ravel::p
