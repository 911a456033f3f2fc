#include "erlang/machine/loop_check.h"

#include <string>
#include <vector>

namespace ravel::erlang {

namespace {

// Whether a way through this instruction is counted by the machine, or bounded by a mailbox.
bool is_counted(Opcode opcode) {
  switch (opcode) {
    case Opcode::kCall:
    case Opcode::kCallLast:
    case Opcode::kCallOnly:
    case Opcode::kCallExt:
    case Opcode::kCallExtLast:
    case Opcode::kCallExtOnly:
    case Opcode::kCallFun:
    case Opcode::kCallFun2:
    case Opcode::kApply:
    case Opcode::kApplyLast:
    case Opcode::kLoopRecEnd:
    case Opcode::kWait:
    case Opcode::kWaitTimeout: return true;
    default: return false;
  }
}

bool goes_on(Opcode opcode) {
  switch (opcode) {
    case Opcode::kJump:
    case Opcode::kReturn:
    case Opcode::kSelectVal:
    case Opcode::kSelectTupleArity:
    case Opcode::kFuncInfo:
    case Opcode::kBadmatch:
    case Opcode::kCaseEnd:
    case Opcode::kIfEnd:
    case Opcode::kTryCaseEnd:
    case Opcode::kBadrecord:
    case Opcode::kRaise: return false;
    default: return true;
  }
}

template <typename Visit>
void for_each_target(const BeamFile& file, const Instruction& instruction, Visit visit) {
  if (instruction.opcode == Opcode::kLabel) return;
  for (const Operand& operand : file.operands_of(instruction))
    if (operand.kind == OperandKind::kLabel)
      visit(file.label_instructions[static_cast<std::size_t>(operand.value)]);
}

bool jumps_back(const BeamFile& file, const Function& function) {
  bool found = false;
  for (std::uint32_t at = function.entry_instruction; at < function.end_instruction && !found; ++at) {
    const Instruction& instruction = file.instructions[at];
    if (is_counted(instruction.opcode)) continue;
    for_each_target(file, instruction, [&](std::uint32_t target) {
      found |= target <= at && target >= function.entry_instruction;
    });
  }
  return found;
}

bool has_loop(const BeamFile& file, const Function& function) {
  enum class Mark : std::uint8_t { kNew, kOpen, kDone };
  const std::uint32_t first = function.entry_instruction;
  std::vector<Mark> marks(function.end_instruction - first, Mark::kNew);
  struct Visit {
    std::uint32_t at;
    bool is_leaving;
  };
  std::vector<Visit> pending;
  for (std::uint32_t start = first; start < function.end_instruction; ++start) {
    pending.push_back({start, false});
    while (!pending.empty()) {
      const Visit visit = pending.back();
      pending.pop_back();
      Mark& mark = marks[visit.at - first];
      if (visit.is_leaving) {
        mark = Mark::kDone;
        continue;
      }
      if (mark != Mark::kNew) continue;
      const Instruction& instruction = file.instructions[visit.at];
      if (is_counted(instruction.opcode)) {
        mark = Mark::kDone;
        continue;
      }
      mark = Mark::kOpen;
      pending.push_back({visit.at, true});
      bool closes = false;
      const auto follow = [&](std::uint32_t to) {
        if (to < first || to >= function.end_instruction) return;
        closes |= marks[to - first] == Mark::kOpen;
        pending.push_back({to, false});
      };
      for_each_target(file, instruction, follow);
      if (goes_on(instruction.opcode)) follow(visit.at + 1);
      if (closes) return true;
    }
  }
  return false;
}

}  // namespace

Status check_loops(const BeamFile& file, std::string_view name_for_messages) {
  for (const Function& function : file.functions) {
    if (!jumps_back(file, function) || !has_loop(file, function)) continue;
    return Error{std::string(name_for_messages) + ": the function " + file.atoms[function.function_atom] +
                 "/" + std::to_string(function.arity) +
                 " has a loop without a call, which no compiler writes; the file is damaged. Compile the "
                 "module again."};
  }
  return Success{};
}

}  // namespace ravel::erlang
