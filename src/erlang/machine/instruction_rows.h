// Which instructions of files become one of the machine's each, made of nothing but their operands: a table.
//
// What is not in it is translated by functions of the loader: what depends on the kinds of operands or on the
// instructions around it, and what has a list.
#pragma once

#include <cstdint>

#include "erlang/beam/opcode.h"
#include "erlang/machine/instruction.h"

namespace ravel::erlang {

// What a part of the machine's instruction is made of. Kinds of the first group are halves of its head, the
// others words after it.
enum class PartKind : std::uint8_t {
  kNothing,
  kNumber,        // an operand's number, as that of an x, y or float register; also as a word
  kNumberAndOne,  // an operand's number plus 1, as the place of an element after a tuple's header
  kRegister,      // x or y, with kYBit
  // x or y without that bit: with y, the instruction is the next one. A constant is moved to x first.
  kTested,

  kSource,  // a constant or a register
  kConstant,
  kJump,         // to a label, relative
  kHandler,      // the place of a label in the code, for exceptions
  kHeapWords,    // how much heap is needed
  kTupleHeader,  // of a tuple of so many elements
  kTwoNumbers,   // of this operand and the next one
  kNil,          // [], whatever the operands
  // For the bit syntax. Two halves: a unit, and flags.
  kUnitAndFlags,     // of this operand and the next one
  kUnitOfContinued,  // 1, and as flags the unit of the binary that is continued: here a size counts bits
  kZeroAndFlags,     // of this operand
  kFlags,            // of this operand, as one number
};

struct Part {
  PartKind kind = PartKind::kNothing;
  std::uint8_t operand = 0;
};

struct InstructionRow {
  Opcode opcode;
  Op op;
  Part a = {}, b = {};
  Part words[4] = {};
};

// Null if it has no row.
const InstructionRow* find_instruction_row(Opcode opcode);

}  // namespace ravel::erlang
