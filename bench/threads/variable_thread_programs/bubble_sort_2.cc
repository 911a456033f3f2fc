// Each thread moves one value to its place among those before it, which is right only in the order in which they are started.
//
// expect: priority_changes=0 variables=0 threads=2 bug assertion --strategy vt --preemptions 2 --variables 2 --threads 3
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

static constexpr int kSorters = 100;
static std::mutex mutex;
static int values[kSorters + 1];

static void move_down(int place) {
  const std::lock_guard<std::mutex> lock(mutex);
  for (; place > 0 && values[place - 1] > values[place]; --place) std::swap(values[place - 1], values[place]);
}

int main() {
  for (int i = 0; i <= kSorters; ++i) values[i] = kSorters - i;
  std::vector<std::thread> sorters;
  for (int i = 1; i <= kSorters; ++i) sorters.emplace_back(move_down, i);
  for (std::thread& sorter : sorters) sorter.join();
  for (int i = 0; i < kSorters; ++i) assert(values[i] <= values[i + 1]);
}
