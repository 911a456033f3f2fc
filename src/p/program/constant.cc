#include "p/program/constant.h"

#include <cmath>
#include <limits>
#include <optional>
#include <string>

namespace ravel::p {
namespace {

std::uint64_t bits(std::int64_t value) { return static_cast<std::uint64_t>(value); }
std::int64_t number(std::uint64_t value) { return static_cast<std::int64_t>(value); }

template <typename T>
std::optional<bool> compared(BinaryOperator op, const T& a, const T& b) {
  switch (op) {
    case BinaryOperator::kLess: return a < b;
    case BinaryOperator::kGreater: return a > b;
    case BinaryOperator::kGreaterEqual: return a >= b;
    case BinaryOperator::kLessEqual: return a <= b;
    case BinaryOperator::kEqual: return a == b;
    case BinaryOperator::kNotEqual: return a != b;
    default: return std::nullopt;
  }
}

std::optional<bool> of_bools(BinaryOperator op, bool a, bool b) {
  switch (op) {
    case BinaryOperator::kAnd: return a && b;
    case BinaryOperator::kOr: return a || b;
    case BinaryOperator::kImplies: return !a || b;
    case BinaryOperator::kIff:
    case BinaryOperator::kEqual: return a == b;
    case BinaryOperator::kNotEqual: return a != b;
    default: return std::nullopt;
  }
}

std::optional<std::int64_t> of_ints(BinaryOperator op, std::int64_t a, std::int64_t b) {
  const bool overflows = a == std::numeric_limits<std::int64_t>::min() && b == -1;
  switch (op) {
    case BinaryOperator::kPlus: return number(bits(a) + bits(b));
    case BinaryOperator::kMinus: return number(bits(a) - bits(b));
    case BinaryOperator::kTimes: return number(bits(a) * bits(b));
    case BinaryOperator::kDivide: return b == 0 || overflows ? std::nullopt : std::optional(a / b);
    case BinaryOperator::kModulo: return b == 0 || overflows ? std::nullopt : std::optional(a % b);
    default: return std::nullopt;
  }
}

std::optional<double> of_floats(BinaryOperator op, double a, double b) {
  switch (op) {
    case BinaryOperator::kPlus: return a + b;
    case BinaryOperator::kMinus: return a - b;
    case BinaryOperator::kTimes: return a * b;
    case BinaryOperator::kDivide: return a / b;
    default: return std::nullopt;
  }
}

Expression constant(const Expression& of, ExpressionKind kind) {
  return {.kind = kind, .type = of.type, .place = of.place};
}

Expression constant_bool(const Expression& of, bool value) {
  Expression result = constant(of, ExpressionKind::kBool);
  result.integer = value;
  return result;
}

Expression folded_binary(Expression expression, Arena& arena) {
  const Expression& a = *expression.parts[0];
  const Expression& b = *expression.parts[1];
  if (a.kind != b.kind) return expression;
  if (a.kind == ExpressionKind::kBool) {
    const auto value = of_bools(expression.op, a.integer != 0, b.integer != 0);
    return value ? constant_bool(expression, *value) : expression;
  }
  if (a.kind == ExpressionKind::kInt) {
    if (const auto value = compared(expression.op, a.integer, b.integer))
      return constant_bool(expression, *value);
    const auto value = of_ints(expression.op, a.integer, b.integer);
    if (!value) return expression;
    Expression result = constant(expression, ExpressionKind::kInt);
    result.integer = *value;
    return result;
  }
  if (a.kind == ExpressionKind::kFloat) {
    // What is not a number equals itself in P, unlike here.
    if (std::isnan(a.real) || std::isnan(b.real)) return expression;
    if (const auto value = compared(expression.op, a.real, b.real)) return constant_bool(expression, *value);
    const auto value = of_floats(expression.op, a.real, b.real);
    if (!value) return expression;
    Expression result = constant(expression, ExpressionKind::kFloat);
    result.real = *value;
    return result;
  }
  if (a.kind == ExpressionKind::kText && expression.op == BinaryOperator::kPlus) {
    Expression result = constant(expression, ExpressionKind::kText);
    result.text = arena.copy(std::string_view(std::string(a.text) + std::string(b.text)));
    return result;
  }
  if (a.kind == ExpressionKind::kText &&
      (expression.op == BinaryOperator::kEqual || expression.op == BinaryOperator::kNotEqual))
    return constant_bool(expression, (a.text == b.text) == (expression.op == BinaryOperator::kEqual));
  return expression;
}

}  // namespace

Expression folded(Expression expression, Arena& arena) {
  if (expression.kind == ExpressionKind::kBinary) return folded_binary(expression, arena);
  if (expression.parts.size() != 1 || !expression.parts[0]->is_constant()) return expression;
  const Expression& operand = *expression.parts[0];
  if (expression.kind == ExpressionKind::kNot && operand.kind == ExpressionKind::kBool)
    return constant_bool(expression, operand.integer == 0);
  if (expression.kind == ExpressionKind::kNegate && operand.kind == ExpressionKind::kInt) {
    Expression result = constant(expression, ExpressionKind::kInt);
    result.integer = number(0 - bits(operand.integer));
    return result;
  }
  if (expression.kind == ExpressionKind::kNegate && operand.kind == ExpressionKind::kFloat) {
    Expression result = constant(expression, ExpressionKind::kFloat);
    result.real = -operand.real;
    return result;
  }
  if (expression.kind == ExpressionKind::kEnumToInt && operand.kind == ExpressionKind::kEnumElement) {
    Expression result = constant(expression, ExpressionKind::kInt);
    result.integer = operand.integer;
    return result;
  }
  if (expression.kind == ExpressionKind::kIntToFloat && operand.kind == ExpressionKind::kInt) {
    Expression result = constant(expression, ExpressionKind::kFloat);
    result.real = static_cast<double>(operand.integer);
    return result;
  }
  return expression;
}

}  // namespace ravel::p
