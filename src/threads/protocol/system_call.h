// System calls without the C library: inside the program under test, errno belongs to whichever thread was
// stopped, and functions such as read() and syscall() are the program's to call.

#pragma once

namespace ravel::threads {

// The result is what the kernel returns: below 0 for an error.
inline long system_call(long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0, long f = 0) {
  register long r10 __asm__("r10") = d;
  register long r8 __asm__("r8") = e;
  register long r9 __asm__("r9") = f;
  long result;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
  return result;
}

}  // namespace ravel::threads
