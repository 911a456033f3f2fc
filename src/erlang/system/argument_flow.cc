#include "erlang/system/argument_flow.h"

#include <algorithm>

#include "erlang/beam/opcode.h"

namespace ravel::erlang {

namespace {

constexpr std::size_t kRegistersFollowed = 32;  // x registers; arguments are in the first ones

bool goes_on_after(Opcode opcode) {
  switch (opcode) {
    case Opcode::kFuncInfo:
    case Opcode::kJump:
    case Opcode::kSelectVal:
    case Opcode::kSelectTupleArity:
    case Opcode::kReturn:
    case Opcode::kCallLast:
    case Opcode::kCallExtLast:
    case Opcode::kApplyLast:
    case Opcode::kCallOnly:
    case Opcode::kCallExtOnly:
    case Opcode::kBadmatch:
    case Opcode::kCaseEnd:
    case Opcode::kTryCaseEnd:
    case Opcode::kIfEnd:
    case Opcode::kWait:
    case Opcode::kLoopRecEnd: return false;
    default: return true;
  }
}

bool is_call(Opcode opcode) {
  switch (opcode) {
    case Opcode::kCall:
    case Opcode::kCallExt:
    case Opcode::kCallFun:
    case Opcode::kCallFun2:
    case Opcode::kApply:
    case Opcode::kCallLast:
    case Opcode::kCallExtLast:
    case Opcode::kApplyLast:
    case Opcode::kCallOnly:
    case Opcode::kCallExtOnly: return true;
    default: return false;
  }
}

std::uint16_t held_by(const HeldArguments& held, const Operand& source) {
  const auto number = static_cast<std::size_t>(source.value);
  if (source.kind == OperandKind::kX && number < held.x.size()) return held.x[number];
  if (source.kind == OperandKind::kY && number < held.y.size()) return held.y[number];
  return kNoArgument;
}

void set(HeldArguments& held, const Operand& destination, std::uint16_t argument) {
  const auto number = static_cast<std::size_t>(destination.value);
  if (destination.kind == OperandKind::kX && number < held.x.size()) held.x[number] = argument;
  if (destination.kind == OperandKind::kY && number < held.y.size()) held.y[number] = argument;
}

void forget(std::vector<std::uint16_t>& registers) { std::ranges::fill(registers, kNoArgument); }

// Returns whether something is known no more.
bool join(std::vector<std::uint16_t>& here, const std::vector<std::uint16_t>& other) {
  bool changed = here.size() > other.size();
  if (changed) here.resize(other.size());
  for (std::size_t i = 0; i < here.size(); ++i) {
    if (here[i] == other[i] || here[i] == kNoArgument) continue;
    here[i] = kNoArgument;
    changed = true;
  }
  return changed;
}

}  // namespace

std::optional<std::size_t> HeldArguments::slot_of(std::uint16_t argument) const {
  const auto found = std::ranges::find(y, argument);
  if (argument == kNoArgument || found == y.end()) return std::nullopt;
  return static_cast<std::size_t>(found - y.begin());
}

ArgumentFlow::ArgumentFlow(const BeamFile& file, const Function& function)
    : file_(file), function_(function), before_(function.end_instruction - function.first_instruction) {
  HeldArguments held{.x = std::vector<std::uint16_t>(kRegistersFollowed, kNoArgument), .y = {}};
  for (std::uint16_t i = 0; i < function.arity && i < kRegistersFollowed; ++i) held.x[i] = i;
  lead_to(function.entry_instruction, held);
  while (!changed_.empty()) {
    const std::uint32_t at = changed_.back();
    changed_.pop_back();
    step(at);
  }
}

void ArgumentFlow::lead_to(std::uint32_t instruction, const HeldArguments& held) {
  if (instruction < function_.first_instruction || instruction >= function_.end_instruction) return;
  auto& known = before_[instruction - function_.first_instruction];
  bool changed = !known;
  if (!known) {
    known = held;
  } else {
    const bool fewer = join(known->x, held.x);
    changed = join(known->y, held.y) || fewer;
  }
  if (changed) changed_.push_back(instruction);
}

void ArgumentFlow::lead_to_label(const Operand& label, const HeldArguments& held) {
  if (label.kind == OperandKind::kLabel)
    lead_to(file_.label_instructions[static_cast<std::size_t>(label.value)], held);
}

void ArgumentFlow::step(std::uint32_t at) {
  const Instruction& instruction = file_.instructions[at];
  const auto operands = file_.operands_of(instruction);
  HeldArguments held = *before_[at - function_.first_instruction];
  switch (instruction.opcode) {
    case Opcode::kMove: set(held, operands[1], held_by(held, operands[0])); break;
    case Opcode::kAllocate:
    case Opcode::kAllocateZero:
    case Opcode::kAllocateHeap:
    case Opcode::kAllocateHeapZero:
      held.y.assign(static_cast<std::size_t>(operands[0].value), kNoArgument);
      break;
    case Opcode::kDeallocate: held.y.clear(); break;
    case Opcode::kTrim:
      held.y.erase(held.y.begin(),
                   held.y.begin() + std::min(operands[0].value, static_cast<std::int64_t>(held.y.size())));
      break;
    case Opcode::kTry:
    case Opcode::kCatch: {
      // The handler may be reached from wherever an exception is raised.
      set(held, operands[0], kNoArgument);
      HeldArguments raised = held;
      forget(raised.x);
      forget(raised.y);
      lead_to_label(operands[1], raised);
      break;
    }
    case Opcode::kLabel:
    case Opcode::kLine:
    case Opcode::kRecvMark:
    case Opcode::kRecvSet: break;
    default:
      if (is_call(instruction.opcode)) {
        forget(held.x);
        break;
      }
      for (const Operand& operand : operands) set(held, operand, kNoArgument);
      for (const Operand& operand : operands) lead_to_label(operand, held);
      break;
  }
  if (goes_on_after(instruction.opcode)) lead_to(at + 1, held);
}

}  // namespace ravel::erlang
