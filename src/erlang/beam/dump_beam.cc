#include "erlang/beam/dump_beam.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace ravel::erlang {
namespace {

constexpr auto kReservedWords = std::to_array<std::string_view>(
    {"after", "and",   "andalso", "band",   "begin",   "bnot", "bor", "bsl",  "bsr", "bxor",
     "case",  "catch", "cond",    "div",    "else",    "end",  "fun", "if",   "let", "maybe",
     "not",   "of",    "or",      "orelse", "receive", "rem",  "try", "when", "xor"});

std::string function_text(const BeamFile& beam, std::uint32_t function_atom, std::uint32_t arity) {
  return atom_text(beam.atoms[function_atom]) + "/" + std::to_string(arity);
}

std::string number_text(std::int64_t number) { return std::to_string(number); }

std::string big_integer_text(const BigInteger& integer) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string text = integer.negative ? "-16#" : "16#";
  for (const std::uint8_t byte : integer.magnitude) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

std::string alloc_list_text(const AllocList& list) {
  return "{words," + number_text(list.words) + ",floats," + number_text(list.floats) + ",funs," +
         number_text(list.funs) + "}";
}

std::string operand_text(const BeamFile& beam, const Operand& operand) {
  const auto index = static_cast<std::size_t>(operand.value);
  switch (operand.kind) {
    case OperandKind::kNil: return "[]";
    case OperandKind::kAtom: return atom_text(beam.atoms[index]);
    case OperandKind::kInteger: return number_text(operand.value);
    case OperandKind::kBigInteger: return big_integer_text(beam.big_integers[index]);
    case OperandKind::kLiteral: return "literal:" + number_text(operand.value);
    case OperandKind::kX: return "x" + number_text(operand.value);
    case OperandKind::kY: return "y" + number_text(operand.value);
    case OperandKind::kFloatRegister: return "fr" + number_text(operand.value);
    case OperandKind::kLabel: return "L" + number_text(operand.value);
    case OperandKind::kNoLabel: return "L0";
    case OperandKind::kUnsigned: return "#" + number_text(operand.value);
    case OperandKind::kAllocList: return alloc_list_text(beam.alloc_lists[index]);
    case OperandKind::kList: break;
  }
  return "list:" + number_text(operand.value);
}

// An operand of which the signature says more than its kind.
std::string named_operand_text(const BeamFile& beam, char letter, const Operand& operand) {
  if (operand.kind != OperandKind::kUnsigned) return operand_text(beam, operand);
  const auto index = static_cast<std::size_t>(operand.value);
  switch (letter) {
    case 'L': return "L" + number_text(operand.value);
    case 'I': {
      const Import& import = beam.imports[index];
      return atom_text(beam.atoms[import.module_atom]) + ":" +
             function_text(beam, import.function_atom, import.arity);
    }
    case 'F':
    case 'T':
      return "fun " + function_text(beam, beam.lambdas[index].function_atom, beam.lambdas[index].arity);
    case 'N': {
      const LineItem& item = beam.lines.items[index];
      return beam.lines.files[item.file] + ":" + number_text(item.line);
    }
    default: return operand_text(beam, operand);
  }
}

void add_tables(const BeamFile& beam, std::string& text) {
  text += "module " + atom_text(beam.module_name()) + "\n";
  for (const Import& import : beam.imports) {
    text += "import " + atom_text(beam.atoms[import.module_atom]) + ":" +
            function_text(beam, import.function_atom, import.arity) + "\n";
  }
  for (const NamedEntry& entry : beam.exports) {
    text += "export " + function_text(beam, entry.function_atom, entry.arity) + "\n";
  }
  for (const Lambda& lambda : beam.lambdas) {
    text += "lambda " + function_text(beam, lambda.function_atom, lambda.arity) + " with " +
            number_text(lambda.free_count) + " free variables\n";
  }
  text += "literals " + std::to_string(beam.literals.size()) + "\n";
  text += "strings " + std::to_string(beam.strings.size()) + " bytes\n";
}

}  // namespace

std::string atom_text(const std::string& atom) {
  const auto is_lower = [](char c) { return c >= 'a' && c <= 'z'; };
  const auto is_word = [&](char c) {
    return is_lower(c) || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '@';
  };
  const bool plain = !atom.empty() && is_lower(atom[0]) && std::ranges::all_of(atom, is_word) &&
                     std::ranges::find(kReservedWords, atom) == kReservedWords.end();
  if (plain) return atom;
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string text = "'";
  for (const char c : atom) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\'' || c == '\\') text += '\\';
    if (byte >= 0x20 && byte != 0x7f) {
      text += c;
    } else {
      text += {'\\', 'x', '{', kHex[byte >> 4], kHex[byte & 15], '}'};
    }
  }
  return text + "'";
}

std::string instruction_text(const BeamFile& beam, const Instruction& instruction) {
  const OpcodeInfo& info = opcode_info(instruction.opcode);
  std::string text = info.name;
  const char* letter = info.signature;
  bool in_list = false;
  for (const Operand& operand : beam.operands_of(instruction)) {
    text += ' ';
    if (operand.kind == OperandKind::kList) {
      text += '[';
      in_list = true;
    } else {
      text += in_list ? operand_text(beam, operand) : named_operand_text(beam, *letter, operand);
    }
    if (!in_list) ++letter;
  }
  return in_list ? text + " ]" : text;
}

std::string dump_beam(const BeamFile& beam) {
  std::string text;
  add_tables(beam, text);
  for (const Function& function : beam.functions) {
    text += "\nfunction " + function_text(beam, function.function_atom, function.arity) + " entry L" +
            std::to_string(function.entry_label) + "\n";
    for (std::uint32_t at = function.first_instruction; at < function.end_instruction; ++at) {
      const Instruction& instruction = beam.instructions[at];
      text +=
          (instruction.opcode == Opcode::kLabel ? "  " : "    ") + instruction_text(beam, instruction) + "\n";
    }
  }
  return text;
}

}  // namespace ravel::erlang
