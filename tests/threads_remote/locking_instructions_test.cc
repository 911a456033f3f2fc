#include "threads/remote/locking_instructions.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace ravel::threads {
namespace {

using Code = std::vector<unsigned char>;

std::size_t length_of(const Code& code) {
  const Instruction instruction = decode(code);
  EXPECT_FALSE(instruction.locks);
  return instruction.length;
}

// What a compiler makes, as the assembler has it.
TEST(LockingInstructionsTest, LengthsOfInstructions) {
  for (const Code& code : std::vector<Code>{
           {0xC3},                                      // ret
           {0x55},                                      // push %rbp
           {0x48, 0x89, 0xE5},                          // mov %rsp,%rbp
           {0x48, 0x83, 0xEC, 0x18},                    // sub $0x18,%rsp
           {0x48, 0x8B, 0x15, 1, 2, 3, 4},              // mov 0x4030201(%rip),%rdx
           {0xC7, 0x44, 0x24, 0x0C, 0, 0, 0, 0},        // movl $0,0xc(%rsp)
           {0x66, 0xC7, 0x04, 0x24, 1, 0},              // movw $1,(%rsp)
           {0x48, 0xB8, 1, 2, 3, 4, 5, 6, 7, 8},        // movabs
           {0xE8, 1, 2, 3, 4},                          // call
           {0x0F, 0x84, 1, 2, 3, 4},                    // je
           {0x74, 5},                                   // je
           {0xF6, 0x05, 1, 2, 3, 4, 1},                 // testb $1,(%rip)
           {0xF7, 0xD8},                                // neg %eax
           {0x0F, 0xB6, 0x44, 0x24, 0x0F},              // movzbl 0xf(%rsp),%eax
           {0x66, 0x0F, 0x1F, 0x84, 0, 0, 0, 0, 0},     // nopw
           {0xF3, 0x0F, 0x1E, 0xFA},                    // endbr64
           {0xF2, 0x0F, 0x10, 0x05, 1, 2, 3, 4},        // movsd (%rip),%xmm0
           {0xC5, 0xF8, 0x77},                          // vzeroupper
           {0xC4, 0xE2, 0x7D, 0x18, 0x05, 1, 2, 3, 4},  // vbroadcastss (%rip),%ymm0
           {0x62, 0xF1, 0x7C, 0x48, 0x28, 0xC1},        // vmovaps %zmm1,%zmm0
           {0x66, 0x0F, 0x3A, 0x0F, 0xC1, 8},           // palignr
           {0x48, 0x87, 0xC8},                          // xchg %rcx,%rax
           {0x90},                                      // nop
           {0xF3, 0x90},                                // pause
           {0x69, 0xC0, 1, 2, 3, 4},                    // imul $..,%eax,%eax
       }) {
    Code longer = code;
    longer.insert(longer.end(), 16, 0x90);
    EXPECT_EQ(length_of(longer), code.size()) << std::hex << static_cast<int>(code[0]);
  }
}

TEST(LockingInstructionsTest, LocksAndExchangesWithMemory) {
  const Code locked_exchange = {0xF0, 0x0F, 0xB1, 0x0F};       // lock cmpxchg %ecx,(%rdi)
  const Code exchange = {0x87, 0x07};                          // xchg %eax,(%rdi)
  const Code addition = {0xF0, 0x48, 0xFF, 0x05, 1, 2, 3, 4};  // lock incq (%rip)
  for (const Code& code : {locked_exchange, exchange, addition}) {
    EXPECT_EQ(decode(code).length, code.size());
    EXPECT_TRUE(decode(code).locks);
  }
}

TEST(LockingInstructionsTest, FindsThemInAFunctionAndNotInNumbers) {
  const Code function = {0xB8, 0xF0, 0x0F, 0xB1, 0x0F,  // mov $0xfb10ff0,%eax
                         0xF0, 0x0F, 0xC1, 0x07,        // lock xadd %eax,(%rdi)
                         0xC3};
  EXPECT_EQ(locking_instructions(function), std::vector<std::size_t>{5});
}

TEST(LockingInstructionsTest, WhatIsCutOffIsNotKnown) {
  EXPECT_EQ(decode(Code{0xE8, 1, 2}).length, 0u);
  EXPECT_EQ(decode(Code{0x48}).length, 0u);
  EXPECT_EQ(decode(Code{}).length, 0u);
}

}  // namespace
}  // namespace ravel::threads
