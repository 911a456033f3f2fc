// Threads that make no race by the rules of C++, in ways that need atomics of all kinds.
//
// compile: -std=c++20
// expect: pass --strategy dfs
// expect: pass --races bug
#include <atomic>
#include <cassert>
#include <thread>

static int payload = 0;
static std::atomic<int> flag{0};

int main() {
  std::thread writer([] {
    payload = 42;
    flag.store(1, std::memory_order_release);
  });
  if (flag.load(std::memory_order_acquire) == 1) assert(payload == 42);
  writer.join();
  assert(payload == 42);
}
