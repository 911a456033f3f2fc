// Stacks that take turns on one kernel thread, each with its own block of thread-local variables.
//
// The C library keeps a thread's errno, its thread_local variables and its exception state behind the FS
// register. So each slot has a real thread of the C library, which does nothing but exist: it is parked for
// ever, and the fiber runs on its stack with its FS base. Blocks and stacks lie where layout.h says.
//
// A switch is inlined where it happens: it exchanges stack pointers and jumps, and the compiler saves what it
// still needs. A function of its own would return on a stack other than the one it was called on, and so
// would its callers: each such return is predicted wrongly by the processor, which costs more than all else
// in a switch.

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ravel::threads {

// Saves the caller's stack in *from and continues what was saved in *to, whose value comes to lie on no
// stack. REQUIRES: nothing is in registers that the C ABI does not know, and both sides want the same
// floating-point environment.
[[gnu::always_inline]] inline void switch_stacks(void** from, void* const* to) {
  __asm__ volatile(
      "leaq -128(%%rsp), %%rsp\n\t"  // what a function that calls nothing may keep below its stack
      "pushq %%rbp\n\t"
      "leaq 1f(%%rip), %%rax\n\t"
      "pushq %%rax\n\t"
      "movq %%rsp, (%%rdi)\n\t"
      "movq (%%rsi), %%rsp\n\t"
      "popq %%rax\n\t"
      "xorl %%ebx, %%ebx\n\t"  // what the other side has left there, functions would save on this stack
      "xorl %%r12d, %%r12d\n\t"
      "xorl %%r13d, %%r13d\n\t"
      "xorl %%r14d, %%r14d\n\t"
      "xorl %%r15d, %%r15d\n\t"
      "jmpq *%%rax\n"
      "1:\n\t"
      "popq %%rbp\n\t"
      "leaq 128(%%rsp), %%rsp"
      : "+D"(from), "+S"(to)
      :
      : "rax", "rbx", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "xmm0", "xmm1",
        "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13",
        "xmm14", "xmm15", "memory", "cc");
}
// Where a switch goes on once the stack pointer is that of the other side: for a signal handler that gives up
// a fiber.
extern "C" void ravel_switch_resume();

std::uint64_t fs_base();
void set_fs_base(std::uint64_t base);

// Where a thread of the program lives.
class Slot {
 public:
  // REQUIRES: not called for a thread of the program while it runs.
  void make_parked(std::uint32_t number);
  // The slot of the main thread: its own thread-local block, and a stack of ours.
  void make_main();

  bool exists() const { return fs_ != 0; }
  std::uint64_t fs() const { return fs_; }
  std::uint64_t stack_low() const { return low_; }
  std::uint64_t stack_high() const { return high_; }

  // A stack on which switch_stacks() enters `entry`.
  void* fresh_stack(void (*entry)()) const;

  // Where the thread-local variables are, and how a new thread finds them.
  std::uint64_t locals_low() const { return locals_low_; }
  const std::vector<std::uint64_t>& initial_locals() const { return locals_; }

  // Puts back the thread-local variables, and zeros where stack was used.
  void restore();

 private:
  void note_thread_locals();
  void note_deepest_page();

  std::uint64_t fs_ = 0;
  std::uint64_t low_ = 0, high_ = 0;
  std::uint64_t locals_low_ = 0;
  std::vector<std::uint64_t> locals_;  // [locals_low_, fs_) as a new thread finds it
  std::uint64_t restores_ = 0;
  std::size_t stack_used_ = 0;  // bytes below high_ that some execution has used, a multiple of 64
};

}  // namespace ravel::threads
