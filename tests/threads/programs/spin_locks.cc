// expect: pass --preemptions 1
// expect: executions=2000 pass --strategy pct --budget 2000x
// expect: executions=2000 pass --strategy surw --budget 2000x
// Locks that are waited for by exchanging a flag, by an exchange that fails, and by looking at many things in turn: a thread that
// waits so gives way to others, under strategies that would let it go on for ever, too.
#include <array>
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic_flag flag = ATOMIC_FLAG_INIT;
static std::atomic<int> word{0};
static std::array<std::atomic<bool>, 30> all{};
static int first = 0, second = 0;

static bool all_are_set() {
  bool result = true;
  for (const std::atomic<bool>& one : all) result = one && result;
  return result;
}

static void count() {
  while (flag.test_and_set(std::memory_order_acquire)) {
  }
  ++first;
  flag.clear(std::memory_order_release);
  for (int expected = 0; !word.compare_exchange_weak(expected, 1, std::memory_order_acquire); expected = 0) {
  }
  ++second;
  word.store(0, std::memory_order_release);
}

int main() {
  std::thread one([] {
    count();
    for (std::atomic<bool>& each : all) each = true;
  });
  std::thread other([] {
    count();
    while (!all_are_set()) {
    }
  });
  one.join();
  other.join();
  assert(first == 2 && second == 2);
}
