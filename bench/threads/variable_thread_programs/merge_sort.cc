// A merge sort whose halves are sorted by threads of their own as long as there may be more: whether there may, and that there
// are, are two critical sections.
//
// expect: priority_changes=1 variables=1 threads=49 bug assertion --strategy vt --preemptions 2 --variables 2 --threads 3
#include <algorithm>
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

static constexpr int kThreadsMax = 98;  // besides the main thread and the first sorter
static std::mutex mutex;
static int available = kThreadsMax;
static int values[128];

static int threads_available() {
  const std::lock_guard<std::mutex> lock(mutex);
  return available;
}

static void take_two() {
  const std::lock_guard<std::mutex> lock(mutex);
  available -= 2;
  assert(available >= 0);
}

static void sort(int low, int high) {
  if (high - low < 2) return;
  const int middle = (low + high) / 2;
  if (threads_available() >= 2) {
    take_two();
    std::thread left(sort, low, middle), right(sort, middle, high);
    left.join();
    right.join();
  } else {
    sort(low, middle);
    sort(middle, high);
  }
  std::inplace_merge(values + low, values + middle, values + high);
}

int main() {
  for (int i = 0; i < 128; ++i) values[i] = (i * 37) % 128;
  std::thread sorter(sort, 0, 128);
  sorter.join();
  assert(std::is_sorted(values, values + 128));
}
