// Each consumer takes what its producer has put somewhere, and believes it to be there.
//
// expect: priority_changes=0 variables=0 threads=2 bug assertion --strategy vt --preemptions 2 --variables 2 --threads 3
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

static constexpr int kPairs = 3;
static std::mutex mutex;
static bool is_there[kPairs];

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < kPairs; ++i) {
    threads.emplace_back([i] {
      const std::lock_guard<std::mutex> lock(mutex);
      is_there[i] = true;
    });
    threads.emplace_back([i] {
      const std::lock_guard<std::mutex> lock(mutex);
      assert(is_there[i]);
    });
  }
  for (std::thread& thread : threads) thread.join();
}
