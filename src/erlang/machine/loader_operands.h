// What the loader asks of operands.
#pragma once

#include <cstdint>

#include "erlang/beam/beam_file.h"
#include "erlang/term/term.h"

namespace ravel::erlang {

inline bool is_x(const Operand& operand) { return operand.kind == OperandKind::kX; }
inline bool is_y(const Operand& operand) { return operand.kind == OperandKind::kY; }
inline bool is_register(const Operand& operand) { return is_x(operand) || is_y(operand); }
inline bool is_small_integer(const Operand& operand) {
  return operand.kind == OperandKind::kInteger && fits_small(operand.value);
}
inline std::uint64_t number(const Operand& operand) { return static_cast<std::uint64_t>(operand.value); }

}  // namespace ravel::erlang
