// Stacks that take turns on one kernel thread, each with its own block of thread-local variables.
//
// The C library keeps a thread's errno, its thread_local variables and its exception state behind the FS register. So
// each slot has a real thread of the C library, which does nothing but exist: it is parked for ever, and the fiber runs
// on its stack with its FS base. Blocks and stacks lie where layout.h says.
//
// A switch saves the callee-saved registers and exchanges stack pointers: a few nanoseconds.

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ravel::threads {

// Saves the caller's registers and stack in *from and continues what was saved in `to`.
extern "C" void ravel_switch(void** from, void* to);
// Where a switch goes on once the stack pointer is that of the other side: for a signal handler that gives up a fiber.
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

  // A stack on which ravel_switch() enters `entry`.
  void* fresh_stack(void (*entry)()) const;

  // Puts back the thread-local variables, and zeros where stack was used.
  void restore();

 private:
  void note_thread_locals();

  std::uint64_t fs_ = 0;
  std::uint64_t low_ = 0, high_ = 0;
  std::uint64_t locals_low_ = 0;
  std::vector<std::uint64_t> locals_;  // [locals_low_, fs_) as a new thread finds it
  std::size_t stack_used_ = 0;         // bytes below high_ that some execution has used, in pages
};

}  // namespace ravel::threads
