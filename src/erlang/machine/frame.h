// The header word of a stack frame (process.h): where the caller goes on, and the number of y slots.
#pragma once

#include "erlang/machine/code.h"
#include "erlang/term/term.h"

namespace ravel::erlang {

inline Term frame_header(const CodeWord* caller, std::uint64_t slots) {
  return Term(reinterpret_cast<Word>(caller) << 16 | slots);
}
inline const CodeWord* frame_caller(Term header) {
  return reinterpret_cast<const CodeWord*>(header.bits() >> 16);
}
inline std::uint64_t frame_slots(Term header) { return header.bits() & 0xFFFF; }

}  // namespace ravel::erlang
