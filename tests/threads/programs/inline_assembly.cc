// Inline assembly that locks memory is told by name: what it does is not seen, and a thread that waits by it looks as if it went on without end.
// Assembly that does not touch memory is nobody's business.
//
// expect: says "locks memory at inline_assembly.cc:21" refused -t waits_by_it
// expect: says "inline assembly" pass -t counts_by_it

#include <ravel/test.h>

#include <cassert>
#include <thread>

namespace {

int number = 0;

int read_by_adding(int* where, int more) {
  int before = more;
  // The compiler knows nothing of what this does to others.
  asm volatile("nop" : : : "memory");
  asm volatile("pause");
  asm volatile(
      "lock; xaddl %0, %1" : "+r"(before), "+m"(*where) : : "memory");
  return before;
}

}  // namespace

RAVEL_TEST(waits_by_it) {
  std::thread other([] { read_by_adding(&number, 1); });
  while (read_by_adding(&number, 0) == 0) {
  }
  other.join();
}

RAVEL_TEST(counts_by_it) {
  std::thread other([] { read_by_adding(&number, 1); });
  other.join();
  assert(read_by_adding(&number, 1) == 1);
}
