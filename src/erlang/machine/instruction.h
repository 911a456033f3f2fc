// The machine's own instructions as an enumeration; instructions.def says what each does.
#pragma once

#include <cstdint>

namespace ravel::erlang {

enum class Op : std::uint16_t {
#define INSTRUCTION(name, sentence) name,
#include "erlang/machine/instructions.def"
#undef INSTRUCTION
};

inline constexpr std::size_t kOpCount = 0
#define INSTRUCTION(name, sentence) +1
#include "erlang/machine/instructions.def"
#undef INSTRUCTION
    ;

const char* op_name(Op op);

// A destination register in 16 bits.
inline constexpr std::uint16_t kYBit = 0x8000;

// x registers: those of the program, and scratch ones for the loader.
inline constexpr std::uint16_t kProgramRegisters = 1024;
inline constexpr std::uint16_t kScratchRegisters = 8;

// How a function is called: from a frame that stays, in the place of the function with its frame, or in the
// place of a function that has none.
enum class CallKind : std::uint16_t { kInner, kLast, kOnly };

// What a segment of bs_create_bin is; its words are {type, number, unit, flags}, value, size.
enum class Segment : std::uint16_t {
  kInteger,
  kFloat,
  kBinary,
  kString,
  kUtf8,
  kUtf16,
  kUtf32,
  kAppend,
  kPrivateAppend,
};
inline constexpr std::size_t kSegmentWords = 3;

}  // namespace ravel::erlang
