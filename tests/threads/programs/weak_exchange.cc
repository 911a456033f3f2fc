// An exchange that is allowed to fail is tried once, as if it could not.
//
// expect: pass
// expect: says "needs 1 spurious wake-up, " bug assertion --spurious
#include <atomic>
#include <cassert>
#include <thread>

int main() {
  std::atomic<int> value{0};
  std::thread other([&] {
    int expected = 1;
    while (!value.compare_exchange_weak(expected, 2)) {
      if (expected == 2) return;
      expected = 1;
      std::this_thread::yield();
    }
  });
  int expected = 0;
  const bool done = value.compare_exchange_weak(expected, 1);
  assert(done);
  value.store(2);
  other.join();
}
