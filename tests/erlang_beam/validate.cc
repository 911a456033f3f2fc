#include "tests/erlang_beam/validate.h"

#include <map>
#include <set>
#include <string_view>

namespace ravel::erlang {
namespace {

std::string broken(const char* what, std::size_t at) {
  return std::string(what) + " at " + std::to_string(at);
}

bool is_register(const Operand& operand) {
  return operand.kind == OperandKind::kX || operand.kind == OperandKind::kY;
}

bool is_constant(const Operand& operand) {
  return operand.kind == OperandKind::kNil || operand.kind == OperandKind::kAtom ||
         operand.kind == OperandKind::kInteger || operand.kind == OperandKind::kBigInteger ||
         operand.kind == OperandKind::kLiteral;
}

bool is_source(const Operand& operand) { return is_register(operand) || is_constant(operand); }

bool in(std::int64_t index, std::size_t size) { return index >= 0 && static_cast<std::size_t>(index) < size; }

// Does the operand fit the letter of a signature? Written from the list of letters in opcodes.def.
bool fits(const BeamFile& beam, char letter, const Operand& operand) {
  const bool number = operand.kind == OperandKind::kUnsigned && operand.value >= 0;
  const bool small = number && operand.value < std::int64_t{1} << 31;
  switch (letter) {
    case 'L': return number && operand.value > 0 && in(operand.value, beam.label_instructions.size());
    case 'f': return operand.kind == OperandKind::kLabel;
    case 'j': return operand.kind == OperandKind::kLabel || operand.kind == OperandKind::kNoLabel;
    case 'g': return operand.kind == OperandKind::kLabel || operand.kind == OperandKind::kAtom;
    case 's': return is_source(operand);
    case 'r':
    case 'd': return is_register(operand);
    case 'y': return operand.kind == OperandKind::kY;
    case 'l': return operand.kind == OperandKind::kFloatRegister;
    case 'm': return operand.kind == OperandKind::kFloatRegister || is_source(operand);
    case 'c': return is_constant(operand);
    case 'a': return operand.kind == OperandKind::kAtom;
    case 'p':
    case 'u': return small;
    case 'w': return number;
    case 'Z':
    case 'z': return number || is_source(operand);
    case 'n': return number && operand.value <= 255;
    case 'v':
    case 'k': return number && operand.value <= 1024;
    case 'h': return small || operand.kind == OperandKind::kAllocList;
    case 'I': return number && in(operand.value, beam.imports.size());
    case 'F': return number && in(operand.value, beam.lambdas.size());
    case 'T': return operand.kind == OperandKind::kAtom || (number && in(operand.value, beam.lambdas.size()));
    case 'N': return number && in(operand.value, beam.lines.items.size());
    case 'S': return number && in(operand.value, beam.strings.size() + 1);
    case '?': return operand.kind != OperandKind::kList;
    default: return false;
  }
}

bool index_is_right(const BeamFile& beam, const Operand& operand) {
  switch (operand.kind) {
    case OperandKind::kAtom: return operand.value > 0 && in(operand.value, beam.atoms.size());
    case OperandKind::kBigInteger: return in(operand.value, beam.big_integers.size());
    case OperandKind::kLiteral: return in(operand.value, beam.literals.size());
    case OperandKind::kAllocList: return in(operand.value, beam.alloc_lists.size());
    case OperandKind::kX:
    case OperandKind::kY:
    case OperandKind::kFloatRegister: return in(operand.value, 1024);
    case OperandKind::kLabel: {
      if (!in(operand.value, beam.label_instructions.size())) return false;
      const std::uint32_t place = beam.label_instructions[static_cast<std::size_t>(operand.value)];
      return in(place, beam.instructions.size()) && beam.instructions[place].opcode == Opcode::kLabel &&
             beam.operands_of(beam.instructions[place])[0].value == operand.value;
    }
    default: return true;
  }
}

bool operands_fit(const BeamFile& beam, const Instruction& instruction) {
  const std::string_view signature = opcode_info(instruction.opcode).signature;
  const std::span<const Operand> operands = beam.operands_of(instruction);
  std::size_t at = 0;
  for (std::size_t i = 0; i < signature.size(); ++i) {
    if (at >= operands.size()) return false;
    std::string_view elements;
    if (signature[i] == '[') elements = signature.substr(i + 1, signature.size() - i - 2);
    if (signature[i] == 'B') elements = "auucZs";
    if (signature[i] == 'M') elements = "?";
    if (elements.empty()) {
      if (!fits(beam, signature[i], operands[at])) return false;
      ++at;
      continue;
    }
    const Operand& list = operands[at];
    if (list.kind != OperandKind::kList || list.value != static_cast<std::int64_t>(operands.size() - at - 1))
      return false;
    if (static_cast<std::size_t>(list.value) % elements.size() != 0) return false;
    for (std::size_t k = at + 1; k < operands.size(); ++k) {
      if (operands[k].kind == OperandKind::kList) return false;
      if (!fits(beam, elements[(k - at - 1) % elements.size()], operands[k])) return false;
    }
    return true;
  }
  return at == operands.size();
}

std::string validate_tables(const BeamFile& beam) {
  if (beam.atoms.size() < 2 || beam.atoms[1].empty()) return "no module name";
  const auto atom = [&](std::uint32_t index) { return index > 0 && index < beam.atoms.size(); };
  for (const Import& import : beam.imports) {
    if (!atom(import.module_atom) || !atom(import.function_atom) || import.arity > 255) return "import";
  }
  std::set<std::uint32_t> entries;
  for (const Function& function : beam.functions) entries.insert(function.entry_label);
  for (const auto* table : {&beam.exports, &beam.locals}) {
    for (const NamedEntry& entry : *table) {
      if (!atom(entry.function_atom) || entry.arity > 255 || !entries.contains(entry.label))
        return "named entry";
    }
  }
  for (const Lambda& lambda : beam.lambdas) {
    if (!atom(lambda.function_atom) || lambda.arity > 255 || lambda.free_count > lambda.arity)
      return "lambda";
    if (!entries.contains(lambda.label)) return "lambda's label";
  }
  for (std::size_t i = 0; i < beam.literals.size(); ++i) {
    const EncodedLiteral& range = beam.literals[i];
    if (std::size_t{range.offset} + range.size > beam.literal_bytes.size()) return broken("literal", i);
    if (beam.literal(i).size() < 2 || beam.literal(i)[0] != 131) return broken("literal's bytes", i);
  }
  if (beam.lines.files.empty() || beam.lines.items.empty()) return "line table without item 0";
  for (const LineItem& item : beam.lines.items) {
    if (item.file >= beam.lines.files.size()) return "line item's file";
  }
  for (const BigInteger& integer : beam.big_integers) {
    if (integer.magnitude.size() < 8 || integer.magnitude[0] == 0) return "big integer";
  }
  return "";
}

std::string validate_functions(const BeamFile& beam) {
  std::uint32_t at = 0;
  for (const Function& function : beam.functions) {
    if (function.first_instruction != at) return broken("gap before function", at);
    if (function.end_instruction <= function.entry_instruction) return broken("empty function", at);
    if (function.end_instruction >= beam.instructions.size()) return broken("function beyond the end", at);
    const Instruction& info = beam.instructions[function.entry_instruction - 1];
    if (info.opcode != Opcode::kFuncInfo) return broken("function without func_info", at);
    const std::span<const Operand> mfa = beam.operands_of(info);
    if (mfa[0].value != 1 || mfa[1].value != function.function_atom || mfa[2].value != function.arity) {
      return broken("func_info of another function", at);
    }
    if (beam.label_instructions[function.info_label] != at) return broken("info label", at);
    if (beam.label_instructions[function.entry_label] != function.entry_instruction)
      return broken("entry label", at);
    for (std::uint32_t k = function.entry_instruction; k < function.end_instruction; ++k) {
      if (beam.instructions[k].opcode == Opcode::kFuncInfo ||
          beam.instructions[k].opcode == Opcode::kIntCodeEnd) {
        return broken("function's end inside it", k);
      }
    }
    at = function.end_instruction;
  }
  return at + 1 == beam.instructions.size() ? "" : "instructions after the last function";
}

using ArityByEntry = std::map<std::int64_t, std::int64_t>;

std::string validate_calls(const BeamFile& beam, const ArityByEntry& arities,
                           const Instruction& instruction) {
  const std::span<const Operand> operands = beam.operands_of(instruction);
  const auto import_has_arity = [&](std::size_t import_at, std::int64_t arity) {
    return beam.imports[static_cast<std::size_t>(operands[import_at].value)].arity == arity;
  };
  switch (instruction.opcode) {
    case Opcode::kCall:
    case Opcode::kCallLast:
    case Opcode::kCallOnly:
      if (!arities.contains(operands[1].value)) return "call's target";
      return arities.at(operands[1].value) == operands[0].value ? "" : "call's arity";
    case Opcode::kCallExt:
    case Opcode::kCallExtLast:
    case Opcode::kCallExtOnly: return import_has_arity(1, operands[0].value) ? "" : "call_ext's arity";
    case Opcode::kBif0: return import_has_arity(0, 0) ? "" : "bif's arity";
    case Opcode::kBif1: return import_has_arity(1, 1) ? "" : "bif's arity";
    case Opcode::kBif2: return import_has_arity(1, 2) ? "" : "bif's arity";
    case Opcode::kGcBif1: return import_has_arity(2, 1) ? "" : "gc_bif's arity";
    case Opcode::kGcBif2: return import_has_arity(2, 2) ? "" : "gc_bif's arity";
    case Opcode::kGcBif3: return import_has_arity(2, 3) ? "" : "gc_bif's arity";
    case Opcode::kMakeFun3:
      return beam.lambdas[static_cast<std::size_t>(operands[0].value)].free_count == operands[2].value
                 ? ""
                 : "make_fun3's free variables";
    case Opcode::kBsPutString:
      return operands[0].value + operands[1].value <= static_cast<std::int64_t>(beam.strings.size())
                 ? ""
                 : "string";
    case Opcode::kBsMatchString:
      return (operands[2].value + 7) / 8 + operands[3].value <= static_cast<std::int64_t>(beam.strings.size())
                 ? ""
                 : "string";
    default: return "";
  }
}

}  // namespace

std::string validate(const BeamFile& beam) {
  if (std::string problem = validate_tables(beam); !problem.empty()) return problem;
  ArityByEntry arities;
  for (const Function& function : beam.functions) arities[function.entry_label] = function.arity;
  std::uint32_t next_operand = 0;
  for (std::size_t at = 0; at < beam.instructions.size(); ++at) {
    const Instruction& instruction = beam.instructions[at];
    if (instruction.first_operand != next_operand) return broken("operands out of order", at);
    next_operand += instruction.operand_count;
    if (next_operand > beam.operands.size()) return broken("operands beyond the end", at);
    for (const Operand& operand : beam.operands_of(instruction)) {
      if (!index_is_right(beam, operand)) return broken("operand's index", at);
    }
    if (!operands_fit(beam, instruction)) return broken(opcode_info(instruction.opcode).name, at);
    if (std::string problem = validate_calls(beam, arities, instruction); !problem.empty())
      return broken(problem.c_str(), at);
  }
  if (next_operand != beam.operands.size()) return "operands of no instruction";
  return validate_functions(beam);
}

}  // namespace ravel::erlang
