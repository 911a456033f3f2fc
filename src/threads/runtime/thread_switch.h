// Switching between whoever drives the threads and one of them (fiber.h).

#pragma once

#include <cstdint>

#include "threads/runtime/fiber.h"
#include "threads/runtime/thread.h"

namespace ravel::threads {

// Hot state, read by every instrumented access: apart from all classes, so that it costs one load each.
extern bool in_program;  // exactly while code of the program runs, of which the C library is a part
extern Thread* current;  // null before main() and between steps

class ThreadSwitch {
 public:
  // REQUIRES: called once, in the main thread.
  void take_over() { fs_ = fs_base(); }
  // Runs a thread until it leaves.
  [[gnu::always_inline]] void run(Thread& thread) {
    current = &thread;
    thread.state = ThreadState::kRunning;
    if (fs_ != thread.place.fs()) {
      fs_ = thread.place.fs();
      set_fs_base(fs_);
    }
    in_program = true;
    switch_stacks(&outside_, &thread.stack);
    in_program = false;
    current = nullptr;
  }
  // In the running thread: goes back to whoever has called run(), until that runs it again.
  [[gnu::always_inline]] void leave() { switch_stacks(&current->stack, &outside_); }
  // What a signal handler continues with to give up the running thread.
  void* outside() const { return outside_; }

 private:
  void* outside_ = nullptr;  // the stack of who drives
  std::uint64_t fs_ = 0;
};

}  // namespace ravel::threads
