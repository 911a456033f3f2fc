// Three threads, each of which three times adds under a lock and to an atomic.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

static std::mutex mutex;
static int plain = 0;
static std::atomic<int> atomic{0};

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([] {
      for (int round = 0; round < 3; ++round) {
        {
          std::lock_guard<std::mutex> lock(mutex);
          ++plain;
        }
        atomic.fetch_add(1);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  assert(plain == 9 && atomic == 9);
}
