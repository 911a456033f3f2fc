// Threads do the passes of a bubble sort; the main thread sleeps for some time instead of waiting for them.
//
// expect: priority_changes=0 variables=0 threads=2 bug assertion --strategy vt --preemptions 2 --variables 2 --threads 3
#include <atomic>
#include <cassert>
#include <chrono>
#include <mutex>
#include <thread>
#include <vector>

static constexpr int kSorters = 8;
static std::mutex mutex;
static std::atomic<int> started{0};
static int values[kSorters + 1] = {9, 8, 7, 6, 5, 4, 3, 2, 1};

static void pass() {
  ++started;
  for (int i = 0; i < kSorters; ++i) {
    const std::lock_guard<std::mutex> lock(mutex);
    if (values[i] > values[i + 1]) std::swap(values[i], values[i + 1]);
  }
}

int main() {
  std::vector<std::thread> sorters;
  for (int i = 0; i < kSorters; ++i) sorters.emplace_back(pass);
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  {
    const std::lock_guard<std::mutex> lock(mutex);
    for (int i = 0; i < kSorters; ++i) assert(values[i] <= values[i + 1]);
  }
  for (std::thread& sorter : sorters) sorter.join();
}
