#include <algorithm>
#include <utility>

#include "base/check.h"
#include "p/code/function_compiler.h"

namespace ravel::p {

std::uint32_t FunctionCompiler::emit(Place place, Opcode op, std::uint32_t a, std::uint32_t b) {
  code_.instructions.push_back({.op = op, .a = a, .b = b});
  code_.places.push_back(place);
  return here() - 1;
}

void FunctionCompiler::lead_here(const Jumps& jumps) {
  for (const std::uint32_t jump : jumps) code_.instructions[jump].a = here();
}

void FunctionCompiler::push(Place place, Value value) {
  const auto known = std::ranges::find(code_.constants, value);
  const auto number = static_cast<std::uint32_t>(known - code_.constants.begin());
  if (known == code_.constants.end()) code_.constants.push_back(value);
  emit(place, Opcode::kPush, number);
}

void FunctionCompiler::refuse(Place place, std::string text) {
  code_.refusals.push_back(std::move(text));
  emit(place, Opcode::kRefuse, static_cast<std::uint32_t>(code_.refusals.size() - 1));
}

std::uint32_t FunctionCompiler::compile() {
  const std::uint32_t begin = here();
  if (function_.body != nullptr) statement(*function_.body);
  push(function_.place, default_value(*code_.program, function_.result, store_));
  emit(function_.place, Opcode::kReturn);
  return begin;
}

void FunctionCompiler::statement(const Statement& node) {
  const auto optional_payload = [&] {
    expressions(node.expressions);
    return node.expressions.empty() ? 0u : 1u;
  };
  switch (node.kind) {
    case StatementKind::kBlock:
      for (const Statement* const one : node.statements) statement(*one);
      return;
    case StatementKind::kAssert: return assertion(node);
    case StatementKind::kPrint:
      expressions(node.expressions);
      emit(node.place, Opcode::kPrint);
      return;
    case StatementKind::kReturn:
      if (node.expressions.empty()) push(node.place, Value::null());
      expressions(node.expressions);
      emit(node.place, Opcode::kReturn);
      return;
    case StatementKind::kBreak: return jump_to(loops_.back().breaks, node.place);
    case StatementKind::kContinue: return jump_to(loops_.back().continues, node.place);
    case StatementKind::kLeaveCase: return jump_to(cases_.back(), node.place);
    case StatementKind::kAssign: return change(node, Path::Change::kAssign);
    case StatementKind::kInsert: return change(node, Path::Change::kInsert);
    case StatementKind::kAdd: return change(node, Path::Change::kAdd);
    case StatementKind::kRemove: return change(node, Path::Change::kRemove);
    case StatementKind::kWhile: return while_loop(node);
    case StatementKind::kForeach: return foreach_loop(node);
    case StatementKind::kIf: return branch(node);
    case StatementKind::kNew:
      emit(node.place, Opcode::kNew, node.index, optional_payload());
      emit(node.place, Opcode::kPop);
      return;
    case StatementKind::kCall:
      expressions(node.expressions);
      call(node.place, node.index);
      emit(node.place, Opcode::kPop);
      return;
    case StatementKind::kRaise: return event_and_payload(node, 0, Opcode::kRaise);
    case StatementKind::kSend: return event_and_payload(node, 1, Opcode::kSend);
    case StatementKind::kAnnounce: return event_and_payload(node, 0, Opcode::kAnnounce);
    case StatementKind::kGoto: emit(node.place, Opcode::kGoto, node.index, optional_payload()); return;
    case StatementKind::kReceive: return receive(node);
  }
  CHECK(false);
}

// `event`: its place among the expressions.
void FunctionCompiler::event_and_payload(const Statement& node, std::size_t event, Opcode op) {
  expressions(node.expressions);
  emit(node.place, op, node.expressions.size() > event + 1 ? 1 : 0);
}

// The message is evaluated when it is needed, as P's compiler has it.
void FunctionCompiler::assertion(const Statement& node) {
  expression(*node.expressions[0]);
  Jumps holds;
  jump_to(holds, node.place, Opcode::kJumpIfTrue);
  if (node.expressions.size() > 1)
    expression(*node.expressions[1]);
  else
    push(node.place, store_.string(""));
  emit(node.place, Opcode::kFail);
  lead_here(holds);
}

// Indices are evaluated from the outermost inwards.
void FunctionCompiler::locate(const Expression& location, Path& path) {
  if (location.kind == ExpressionKind::kLocal || location.kind == ExpressionKind::kField) {
    path.is_field = location.kind == ExpressionKind::kField;
    path.variable = location.index;
    return;
  }
  locate(*location.parts[0], path);
  const bool is_element = location.kind == ExpressionKind::kElement;
  path.steps.push_back({.is_element = is_element, .element = location.index});
  if (is_element) return;
  ++path.indices;
  expression(*location.parts[1]);
}

void FunctionCompiler::assign_variable(Place place, bool is_field, std::uint32_t variable) {
  emit(place, is_field ? Opcode::kSetField : Opcode::kSetLocal, variable);
}

void FunctionCompiler::change(const Statement& node, Path::Change how) {
  Path path{.change = how};
  locate(*node.expressions[0], path);
  expressions(node.expressions.subspan(1));
  if (how == Path::Change::kAssign && path.steps.empty())
    return assign_variable(node.place, path.is_field, path.variable);
  code_.paths.push_back(std::move(path));
  emit(node.place, Opcode::kStore, static_cast<std::uint32_t>(code_.paths.size() - 1));
}

void FunctionCompiler::while_loop(const Statement& node) {
  const std::uint32_t begin = here();
  loops_.emplace_back();
  expression(*node.expressions[0]);
  jump_to(loops_.back().breaks, node.place, Opcode::kJumpIfFalse);
  statement(*node.statements[0]);
  for (const std::uint32_t jump : loops_.back().continues) code_.instructions[jump].a = begin;
  emit(node.place, Opcode::kJump, begin);
  lead_here(loops_.back().breaks);
  loops_.pop_back();
}

void FunctionCompiler::foreach_loop(const Statement& node) {
  expression(*node.expressions[0]);
  push(node.place, Value::small(0));
  const std::uint32_t begin = here();
  loops_.emplace_back();
  jump_to(loops_.back().breaks, node.place, Opcode::kNext);
  assign_variable(node.place, node.is_field, node.index);
  statement(*node.statements[0]);
  for (const std::uint32_t jump : loops_.back().continues) code_.instructions[jump].a = begin;
  emit(node.place, Opcode::kJump, begin);
  lead_here(loops_.back().breaks);
  loops_.pop_back();
  emit(node.place, Opcode::kPop);
  emit(node.place, Opcode::kPop);
}

void FunctionCompiler::branch(const Statement& node) {
  Jumps otherwise, end;
  expression(*node.expressions[0]);
  jump_to(otherwise, node.place, Opcode::kJumpIfFalse);
  statement(*node.statements[0]);
  if (node.statements.size() > 1) jump_to(end, node.place);
  lead_here(otherwise);
  if (node.statements.size() > 1) statement(*node.statements[1]);
  lead_here(end);
}

void FunctionCompiler::receive(const Statement& node) {
  const auto number = static_cast<std::uint32_t>(code_.receives.size());
  code_.receives.emplace_back();
  emit(node.place, Opcode::kReceive, number);
  cases_.emplace_back();
  std::vector<ReceiveTable::Case> cases;
  for (const ReceiveCase& one : node.cases) {
    cases.push_back({.event = one.event,
                     .code = here(),
                     .unwraps_payload = one.unwraps_payload,
                     .parameter = one.has_parameter ? function_.slots[one.first_slot].type : nullptr});
    if (one.has_parameter)
      emit(node.place, Opcode::kSetLocal, one.first_slot);
    else
      emit(node.place, Opcode::kPop);
    for (std::uint32_t i = one.has_parameter ? 1 : 0; i < one.slots; ++i) {
      const std::uint32_t slot = one.first_slot + i;
      push(node.place, default_value(*code_.program, function_.slots[slot].type, store_));
      emit(node.place, Opcode::kSetLocal, slot);
    }
    statement(*one.body);
    jump_to(cases_.back(), node.place);
  }
  lead_here(cases_.back());
  cases_.pop_back();
  code_.receives[number].cases = std::move(cases);
}

}  // namespace ravel::p
