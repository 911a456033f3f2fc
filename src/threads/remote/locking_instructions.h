// Instructions of a program that lock memory by themselves: inline assembly, mostly. The compiler's
// instrumentation makes calls of all atomic operations, so code that was compiled by the wrapper has no
// others.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ravel::threads {

struct Instruction {
  std::size_t length = 0;  // 0: it is not known
  bool locks = false;      // by a lock prefix, or as an exchange with memory does
};

// The first instruction of this code of x86-64.
Instruction decode(std::span<const unsigned char> code);

// Where locking instructions begin in the code of one function, in bytes. What follows an instruction that is
// not known is left out.
std::vector<std::size_t> locking_instructions(std::span<const unsigned char> function);

}  // namespace ravel::threads
