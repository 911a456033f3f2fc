#include <algorithm>

#include "p/checker/expression_checker.h"

namespace ravel::p {

const Expression* ExpressionChecker::unary(const ExpressionSyntax& syntax) {
  const Expression* operand = expression(*syntax.parts[0]);
  const Type* type = operand->type;
  if (type->is(TypeKind::kError)) return wrong(syntax.place);
  if (syntax.form == ExpressionForm::kNot) {
    if (!fits(syntax.parts[0]->place, type, types().of(TypeKind::kBool))) return wrong(syntax.place);
    return make({.kind = ExpressionKind::kNot, .type = type, .place = syntax.place}, {operand});
  }
  if (!type->is(TypeKind::kInt) && !type->is(TypeKind::kFloat)) {
    context_.error(syntax.mark, "`-` needs an `int` or a `float`; this is " + quoted(type));
    return wrong(syntax.place);
  }
  return make({.kind = ExpressionKind::kNegate, .type = type, .place = syntax.place}, {operand});
}

const Expression* ExpressionChecker::binary(const ExpressionSyntax& syntax) {
  const Expression* left = expression(*syntax.parts[0]);
  const Expression* right = expression(*syntax.parts[1]);
  const Type* a = left->type;
  const Type* b = right->type;
  const Type* truth = types().of(TypeKind::kBool);
  if (a->is(TypeKind::kError) || b->is(TypeKind::kError)) return wrong(syntax.place);
  const auto both = [&](TypeKind kind) { return a->is(kind) && b->is(kind); };
  const bool are_numbers = both(TypeKind::kInt) || both(TypeKind::kFloat);
  const auto made = [&](const Type* type) {
    return make({.kind = ExpressionKind::kBinary, .op = syntax.op, .type = type, .place = syntax.place},
                {left, right});
  };
  const auto refused = [&](std::string_view needed) {
    context_.error(syntax.mark, quoted(to_string(syntax.op)) + " needs " + std::string(needed) +
                                    "; these are " + quoted(a) + " and " + quoted(b));
    return wrong(syntax.place);
  };
  switch (syntax.op) {
    case BinaryOperator::kPlus:
      if (are_numbers || both(TypeKind::kString)) return made(a);
      return refused("two `int`, two `float` or two `string`");
    case BinaryOperator::kMinus:
    case BinaryOperator::kTimes:
    case BinaryOperator::kDivide:
    case BinaryOperator::kModulo: return are_numbers ? made(a) : refused("two `int` or two `float`");
    case BinaryOperator::kLess:
    case BinaryOperator::kLessEqual:
    case BinaryOperator::kGreater:
    case BinaryOperator::kGreaterEqual:
      if (are_numbers || both(TypeKind::kString)) return made(truth);
      return refused("two `int`, two `float` or two `string`");
    case BinaryOperator::kIn: return membership(syntax, left, right);
    case BinaryOperator::kEqual:
    case BinaryOperator::kNotEqual:
      if (types().is_assignable(a, b) || types().is_assignable(b, a)) return made(truth);
      context_.error(syntax.mark,
                     quoted(a) + " and " + quoted(b) + " cannot be compared: no value is of both types");
      return wrong(syntax.place);
    case BinaryOperator::kAnd:
    case BinaryOperator::kOr:
    case BinaryOperator::kImplies:
    case BinaryOperator::kIff: {
      const bool left_fits = fits(syntax.parts[0]->place, a, truth);
      const bool right_fits = fits(syntax.parts[1]->place, b, truth);
      return left_fits && right_fits ? made(truth) : wrong(syntax.place);
    }
  }
  return wrong(syntax.place);
}

const Expression* ExpressionChecker::membership(const ExpressionSyntax& syntax, const Expression* item,
                                                const Expression* whole) {
  const Type* type = whole->type;
  if (!type->is(TypeKind::kSeq) && !type->is(TypeKind::kSet) && !type->is(TypeKind::kMap)) {
    context_.error(syntax.mark, "`in` needs a seq, a set or a map on its right; this is " + quoted(type));
    return wrong(syntax.place);
  }
  if (!fits(syntax.parts[0]->place, item->type, type->parts[0])) return wrong(syntax.place);
  return make({.kind = ExpressionKind::kBinary,
               .op = BinaryOperator::kIn,
               .type = types().of(TypeKind::kBool),
               .place = syntax.place},
              {item, whole});
}

const Expression* ExpressionChecker::cast(const ExpressionSyntax& syntax) {
  const Expression* operand = expression(*syntax.parts[0]);
  const Type* to = types_.resolve(syntax.type);
  if (operand->type->is(TypeKind::kError) || to->is(TypeKind::kError)) return wrong(syntax.place);
  if (!types().is_assignable(to, operand->type) && !types().is_assignable(operand->type, to)) {
    context_.error(syntax.mark, quoted(operand->type) + " is never " + quoted(to));
    return wrong(syntax.place);
  }
  return make({.kind = ExpressionKind::kCast, .type = to, .place = syntax.place}, {operand});
}

const Expression* ExpressionChecker::conversion(const ExpressionSyntax& syntax) {
  const Expression* operand = expression(*syntax.parts[0]);
  const Type* from = operand->type;
  const Type* to = types_.resolve(syntax.type);
  if (from->is(TypeKind::kError) || to->is(TypeKind::kError)) return wrong(syntax.place);
  const auto made = [&](ExpressionKind kind) {
    return make({.kind = kind, .type = to, .place = syntax.place}, {operand});
  };
  const bool is_reference = from->is(TypeKind::kMachine) || from->is(TypeKind::kPermission);
  if (to->is(TypeKind::kPermission) && is_reference) {
    if (from->is(TypeKind::kMachine)) return made(ExpressionKind::kToInterface);
    const auto missing = (*to->permissions - *from->permissions).first();
    if (!missing) return made(ExpressionKind::kToInterface);
    context_.error(syntax.mark, quoted(from) + " is no " + quoted(to) + ": it need not receive " +
                                    quoted(context_.program.event(*missing).name));
    return wrong(syntax.place);
  }
  const bool is_number = to->is(TypeKind::kInt) || to->is(TypeKind::kFloat);
  if (is_number && from == to) return operand;
  if (to->is(TypeKind::kFloat) && from->is(TypeKind::kInt)) return made(ExpressionKind::kIntToFloat);
  if (to->is(TypeKind::kInt) && from->is(TypeKind::kFloat)) return made(ExpressionKind::kFloatToInt);
  if (to->is(TypeKind::kInt) && from->is(TypeKind::kEnum)) return made(ExpressionKind::kEnumToInt);
  if (!is_number && !to->is(TypeKind::kPermission))
    context_.error(syntax.mark, "`to` converts to `int`, `float` or an interface, not to " + quoted(to));
  else
    context_.error(syntax.mark, quoted(from) + " cannot be converted to " + quoted(to));
  return wrong(syntax.place);
}

}  // namespace ravel::p
