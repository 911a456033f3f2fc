#include <algorithm>

#include "base/check.h"
#include "p/code/foreign_functions.h"
#include "p/code/function_compiler.h"

namespace ravel::p {
namespace {

// Whether evaluating it may change a field of the machine.
bool calls(const Expression& node) {
  return node.kind == ExpressionKind::kCall ||
         std::ranges::any_of(node.parts, [](const Expression* part) { return calls(*part); });
}

}  // namespace

void FunctionCompiler::expressions(std::span<const Expression* const> nodes) {
  for (const Expression* const node : nodes) expression(*node);
}

// A field that is an operand is read when the operator is applied, after what the other operand calls.
void FunctionCompiler::two_operands(const Expression& node) {
  const Expression &left = *node.parts[0], &right = *node.parts[1];
  const bool is_late = left.kind == ExpressionKind::kField && calls(right);
  expression(is_late ? right : left);
  expression(is_late ? left : right);
  if (is_late) emit(node.place, Opcode::kSwap);
}

// The right operand is evaluated only if the left one leaves the answer open.
void FunctionCompiler::short_cut(const Expression& node) {
  const bool is_or = node.op == BinaryOperator::kOr;
  Jumps decided, end;
  expression(*node.parts[0]);
  jump_to(decided, node.place, is_or ? Opcode::kJumpIfTrue : Opcode::kJumpIfFalse);
  expression(*node.parts[1]);
  jump_to(end, node.place);
  lead_here(decided);
  push(node.place, Value::boolean(node.op != BinaryOperator::kAnd));
  lead_here(end);
}

void FunctionCompiler::binary(const Expression& node) {
  switch (node.op) {
    case BinaryOperator::kAnd:
    case BinaryOperator::kOr:
    case BinaryOperator::kImplies: return short_cut(node);
    default: break;
  }
  two_operands(node);
  emit(node.place, Opcode::kBinary, static_cast<std::uint32_t>(node.op));
}

// The arguments are on the stack. A foreign function that chooses is called again with what was chosen.
void FunctionCompiler::call(Place place, std::uint32_t function) {
  const Program& program = *code_.program;
  const Function& called = program.functions[function];
  if (!called.is_foreign) {
    emit(place, Opcode::kCall, function);
    return;
  }
  if (program.foreign == nullptr || !program.foreign->has(FunctionId{function}))
    return refuse(place, "the function `" + std::string(called.name) +
                             "` is written in another language, and no library has it; name one that has it "
                             "with --foreign FILE.so, or choose tests that do not call it (-t)");
  push(place, store_.empty_seq());
  const std::uint32_t again = emit(place, Opcode::kForeign, function);
  emit(place, Opcode::kChooseInt);
  emit(place, Opcode::kAnswer, again);
  code_.instructions[again].b = here();
}

void FunctionCompiler::expression(const Expression& node) {
  const auto unary = [&](Opcode op) {
    expression(*node.parts[0]);
    emit(node.place, op);
  };
  switch (node.kind) {
    case ExpressionKind::kBool: return push(node.place, Value::boolean(node.integer != 0));
    case ExpressionKind::kInt:
    case ExpressionKind::kEnumElement: return push(node.place, store_.integer(node.integer));
    case ExpressionKind::kFloat: return push(node.place, store_.real(node.real));
    case ExpressionKind::kText: return push(node.place, store_.string(node.text));
    case ExpressionKind::kNull: return push(node.place, Value::null());
    case ExpressionKind::kEvent:
      return push(node.place, node.index == index(kNullEvent) ? Value::null() : Value::event(node.index));
    case ExpressionKind::kLocal: emit(node.place, Opcode::kLocal, node.index); return;
    case ExpressionKind::kField: emit(node.place, Opcode::kField, node.index); return;
    case ExpressionKind::kParameter: {
      const std::optional<std::int64_t> given = code_.test->parameters[node.index];
      const Type* const type = code_.program->parameters[node.index].type;
      if (!given) return push(node.place, default_value(*code_.program, type, store_));
      return push(node.place,
                  type->is(TypeKind::kBool) ? Value::boolean(*given != 0) : store_.integer(*given));
    }
    case ExpressionKind::kThis: emit(node.place, Opcode::kThis); return;
    case ExpressionKind::kTuple:
      expressions(node.parts);
      emit(node.place, Opcode::kTuple, static_cast<std::uint32_t>(node.parts.size()),
           node.type->is(TypeKind::kNamedTuple) ? node.type->shape + 1 : 0);
      return;
    case ExpressionKind::kElement:
      expression(*node.parts[0]);
      emit(node.place, Opcode::kElement, node.index);
      return;
    case ExpressionKind::kSeqElement:
    case ExpressionKind::kSetElement:
    case ExpressionKind::kMapValue:
      two_operands(node);
      emit(node.place, Opcode::kAt);
      return;
    case ExpressionKind::kKeys: return unary(Opcode::kKeys);
    case ExpressionKind::kValues: return unary(Opcode::kValues);
    case ExpressionKind::kSizeof: return unary(Opcode::kSizeof);
    case ExpressionKind::kDefault: return push(node.place, default_value(*code_.program, node.type, store_));
    case ExpressionKind::kNegate: return unary(Opcode::kNegate);
    case ExpressionKind::kNot: return unary(Opcode::kNot);
    case ExpressionKind::kBinary: return binary(node);
    case ExpressionKind::kCast:
      expression(*node.parts[0]);
      emit(node.place, Opcode::kCast, node.type->number);
      return;
    case ExpressionKind::kIntToFloat: return unary(Opcode::kIntToFloat);
    case ExpressionKind::kFloatToInt: return unary(Opcode::kFloatToInt);
    case ExpressionKind::kEnumToInt: return expression(*node.parts[0]);
    case ExpressionKind::kToInterface:
      expression(*node.parts[0]);
      emit(node.place, Opcode::kToInterface, node.type->number);
      return;
    case ExpressionKind::kNew:
      expressions(node.parts);
      emit(node.place, Opcode::kNew, node.index, node.parts.empty() ? 0 : 1);
      return;
    case ExpressionKind::kCall: expressions(node.parts); return call(node.place, node.index);
    case ExpressionKind::kChooseBool:
      if (node.index != 0) code_.fair_choices.push_back(node.place);
      emit(node.place, Opcode::kChooseBool,
           node.index == 0 ? 0 : static_cast<std::uint32_t>(code_.fair_choices.size()));
      return;
    case ExpressionKind::kChooseInt: return unary(Opcode::kChooseInt);
    case ExpressionKind::kChooseFrom: return unary(Opcode::kChooseFrom);
    case ExpressionKind::kFormat:
      expressions(node.parts);
      code_.formats.push_back(&node);
      emit(node.place, Opcode::kFormat, static_cast<std::uint32_t>(code_.formats.size() - 1));
      return;
  }
  CHECK(false);
}

}  // namespace ravel::p
