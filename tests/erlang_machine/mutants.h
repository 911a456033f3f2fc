// Mutants of compiled modules: files that are well-formed, but whose code no compiler wrote.
//
// A module's code is read, changed at random (registers, numbers, labels, constants, whole instructions) and
// written again; its other chunks stay as they are.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/random.h"
#include "erlang/beam/beam_container.h"
#include "erlang/beam/beam_file.h"
#include "tests/erlang_beam/module_builder.h"

namespace ravel::erlang {

// Compact terms of any 64-bit number.
inline Bytes compact_number(Tag tag, std::int64_t value) {
  if (value >= 0 && value < 2048) return compact(tag, static_cast<std::uint32_t>(value));
  Bytes digits;
  for (int shift = 56; shift >= 0; shift -= 8) digits.push_back(static_cast<std::uint8_t>(value >> shift));
  return compact_digits(tag, digits);
}

inline Bytes encode_operand(const BeamFile& file, const Operand& operand) {
  const auto number = [&](Tag tag) { return compact_number(tag, operand.value); };
  switch (operand.kind) {
    case OperandKind::kNil: return atom(0);
    case OperandKind::kAtom: return number(Tag::kAtom);
    case OperandKind::kInteger: return number(Tag::kInteger);
    case OperandKind::kBigInteger: {
      Bytes digits = file.big_integers[static_cast<std::size_t>(operand.value)].magnitude;
      digits.insert(digits.begin(), 0);
      if (file.big_integers[static_cast<std::size_t>(operand.value)].negative) {
        unsigned carry = 1;
        for (std::size_t i = digits.size(); i-- > 0;) {
          const unsigned digit = (~digits[i] & 0xffu) + carry;
          digits[i] = static_cast<std::uint8_t>(digit);
          carry = digit >> 8;
        }
      }
      return compact_digits(Tag::kInteger, digits);
    }
    case OperandKind::kLiteral: return extended(4) + number(Tag::kUnsigned);
    case OperandKind::kX: return number(Tag::kX);
    case OperandKind::kY: return number(Tag::kY);
    case OperandKind::kFloatRegister: return extended(2) + number(Tag::kUnsigned);
    case OperandKind::kLabel:
    case OperandKind::kNoLabel: return number(Tag::kLabel);
    case OperandKind::kUnsigned: return number(Tag::kUnsigned);
    case OperandKind::kAllocList: {
      const AllocList& list = file.alloc_lists[static_cast<std::size_t>(operand.value)];
      const auto need = [](std::uint32_t kind, std::uint32_t n) {
        return u(kind) + compact_number(Tag::kUnsigned, n);
      };
      return extended(3) + u(3) + need(0, list.words) + need(1, list.floats) + need(2, list.funs);
    }
    case OperandKind::kList: return extended(1) + number(Tag::kUnsigned);
  }
  return {};
}

inline Bytes encode_code(const BeamFile& file) {
  Bytes code = be32(16) + be32(0) + be32(file.opcode_max) +
               be32(static_cast<std::uint32_t>(file.label_instructions.size())) +
               be32(static_cast<std::uint32_t>(file.functions.size()));
  for (const Instruction& instruction : file.instructions) {
    code.push_back(static_cast<std::uint8_t>(instruction.opcode));
    for (const Operand& operand : file.operands_of(instruction)) {
      const Bytes bytes = encode_operand(file, operand);
      code.insert(code.end(), bytes.begin(), bytes.end());
    }
  }
  return code;
}

class Mutator {
 public:
  explicit Mutator(const Bytes& original) {
    auto file = read_beam(original, "original.beam");
    CHECK(file.ok());
    original_ = std::move(*file);
    for (const char* name : {"AtU8", "ImpT", "ExpT", "LocT", "FunT", "StrT", "LitT", "Line"}) {
      auto chunk = read_beam_chunk(original, name, "original.beam");
      if (chunk.ok() && !chunk->empty()) chunks_.emplace_back(name, std::move(*chunk));
    }
  }

  // The file with its code as it is: what the encoder makes of it.
  Bytes unchanged() const { return with_code(original_); }

  // One to three changes.
  Bytes mutant(Random& random) const {
    BeamFile file = original_;
    for (std::uint64_t changes = 1 + random.below(3); changes > 0; --changes) change(file, random);
    return with_code(file);
  }

 private:
  Bytes with_code(const BeamFile& file) const {
    auto chunks = chunks_;
    chunks.emplace_back("Code", encode_code(file));
    return ModuleBuilder::container(chunks);
  }

  static void change(BeamFile& file, Random& random) {
    const std::size_t at = random.below(file.instructions.size() - 1);
    switch (random.below(10)) {
      case 0: file.instructions.erase(file.instructions.begin() + static_cast<std::ptrdiff_t>(at)); return;
      case 1: {
        const Instruction copy = file.instructions[random.below(file.instructions.size() - 1)];
        file.instructions.insert(file.instructions.begin() + static_cast<std::ptrdiff_t>(at), copy);
        return;
      }
      case 2:
        if (at + 2 < file.instructions.size()) std::swap(file.instructions[at], file.instructions[at + 1]);
        return;
      default: break;
    }
    const Instruction& instruction = file.instructions[at];
    if (instruction.operand_count == 0) return;
    Operand& operand = file.operands[instruction.first_operand + random.below(instruction.operand_count)];
    const auto nudge = [&](std::int64_t limit) {
      operand.value = random.chance(1, 4)
                          ? static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(limit)))
                          : std::max<std::int64_t>(0, operand.value + (random.chance(1, 2) ? 1 : -1));
    };
    const auto below = [&](std::size_t size) {
      return static_cast<std::int64_t>(random.below(std::max<std::size_t>(1, size)));
    };
    switch (operand.kind) {
      case OperandKind::kX:
      case OperandKind::kY:
        if (random.chance(1, 5))
          operand.kind = operand.kind == OperandKind::kX ? OperandKind::kY : OperandKind::kX;
        nudge(10);
        break;
      case OperandKind::kUnsigned:
      case OperandKind::kFloatRegister: nudge(12); break;
      case OperandKind::kLabel:
        operand.value = 1 + below(file.label_instructions.size() - 1);
        if (random.chance(1, 10)) operand = {0, OperandKind::kNoLabel};
        break;
      case OperandKind::kNoLabel:
        operand = {1 + below(file.label_instructions.size() - 1), OperandKind::kLabel};
        break;
      case OperandKind::kAtom: operand.value = 1 + below(file.atoms.size() - 1); break;
      case OperandKind::kLiteral: operand.value = below(file.literals.size()); break;
      case OperandKind::kInteger: operand.value = random.chance(1, 2) ? below(300) : operand.value + 1; break;
      case OperandKind::kNil: operand = {below(4), OperandKind::kX}; break;
      case OperandKind::kList: operand.value = std::max<std::int64_t>(0, operand.value - 1); break;
      case OperandKind::kBigInteger:
      case OperandKind::kAllocList: break;
    }
  }

  BeamFile original_;
  std::vector<std::pair<std::string, Bytes>> chunks_;
};

}  // namespace ravel::erlang
