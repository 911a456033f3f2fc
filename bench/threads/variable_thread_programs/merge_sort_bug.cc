// A merge sort with a thread for each part; how many values were merged is counted without a lock.
//
// expect: priority_changes=1 variables=1 threads=6 bug assertion --strategy vt --preemptions 2 --variables 2 --threads 3
#include <algorithm>
#include <cassert>
#include <thread>

static int values[16];
static int merged = 0;

static void sort(int low, int high) {
  if (high - low < 2) return;
  const int middle = (low + high) / 2;
  std::thread left(sort, low, middle), right(sort, middle, high);
  left.join();
  right.join();
  std::inplace_merge(values + low, values + middle, values + high);
  merged += high - low;
}

int main() {
  for (int i = 0; i < 15; ++i) values[i] = (i * 7) % 16;
  sort(0, 15);
  assert(std::is_sorted(values, values + 15));
  assert(merged == 59);
}
