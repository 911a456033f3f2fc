// Three threads that count without a lock, five times each: 240,985 states.
#include <atomic>
#include <thread>

static std::atomic<int> shared;

static void count() {
  for (int i = 0; i < 5; ++i) shared.store(shared.load() + 1);
}

int main() {
  std::thread one(count), two(count), three(count);
  one.join();
  two.join();
  three.join();
  return shared.load() > 1 ? 0 : 1;
}
