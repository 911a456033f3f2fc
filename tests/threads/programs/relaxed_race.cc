// The same with a store that does not release: by the rules of C++ a data race.
//
// compile: -std=c++20
// expect: race payload pass --strategy dfs
// expect: bug data_race --races bug
#include <atomic>
#include <cassert>
#include <thread>

static int payload = 0;
static std::atomic<int> flag{0};

int main() {
  std::thread writer([] {
    payload = 42;
    flag.store(1, std::memory_order_relaxed);
  });
  if (flag.load(std::memory_order_relaxed) == 1) assert(payload == 42);
  writer.join();
}
