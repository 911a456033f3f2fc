// The instructions of the BEAM by number: opcodes.def as an enumeration and as a table.

#pragma once

#include <cstdint>

namespace ravel::erlang {

enum class Opcode : std::uint8_t {
#define RAVEL_OPCODE(number, Name, name, arity, signature, sentence) k##Name = number,
#include "erlang/beam/opcodes.def"
};

// The last number that opcodes.def lists, and the release that introduced it.
inline constexpr std::uint32_t kOpcodeMax = 191;
inline constexpr std::uint32_t kNewestRelease = 29;

struct OpcodeInfo {
  const char* name;       // as Erlang's tools print it
  std::uint8_t arity;     // operands, where a list counts as one
  bool loadable;          // false: no longer emitted by any compiler whose files OTP 25 loads
  const char* signature;  // letters of opcodes.def; empty if not loadable
};

// REQUIRES: 1 <= number <= kOpcodeMax.
const OpcodeInfo& opcode_info(std::uint32_t number);

inline const OpcodeInfo& opcode_info(Opcode opcode) {
  return opcode_info(static_cast<std::uint32_t>(opcode));
}

}  // namespace ravel::erlang
