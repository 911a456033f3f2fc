// Without --strategy, preemption bounding and reduction take turns: what one of them is soon done with is done soon.
// expect: executions=1 says "more executions by another strategy, in turns" pass -t each_on_its_own --budget 300000x
// expect: incomplete -t each_on_its_own --budget 30000x --strategy preemption
// expect: silent "in turns" pass -t two_on_one --isolate
// expect: silent "in turns" pass -t two_on_one
// expect: silent "in turns" bug assertion -t loses
// expect: says "1 preemption" bug assertion -t two_in_a_hundred
// expect: incomplete -t counts_its_rounds --budget 2s
// expect: incomplete -t both_are_long --budget 60000x

#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

#include <ravel/test.h>

namespace {

template <class Body>
void run(int threads, Body body) {
  std::vector<std::thread> all;
  for (int i = 0; i < threads; ++i) all.emplace_back(body, i);
  for (std::thread& thread : all) thread.join();
}

}  // namespace

// One trace, and more schedules than anybody can run.
RAVEL_TEST(each_on_its_own) {
  std::atomic<long> counts[6] = {};
  run(6, [&](int i) {
    for (int round = 0; round < 5; ++round) ++counts[i];
  });
  for (const auto& count : counts) assert(count == 5);
}

RAVEL_TEST(two_on_one) {
  std::atomic<int> count = 0;
  run(2, [&](int) { ++count; });
  assert(count == 2);
}

RAVEL_TEST(loses) {
  std::atomic<int> count = 0;
  run(2, [&](int) { count = count + 1; });
  assert(count == 2);
}

// Reduction sees the races of the first operations last.
RAVEL_TEST(two_in_a_hundred) {
  std::atomic<int> first = 0, noise = 0;
  run(3, [&](int) {
    first = first + 1;
    for (int round = 0; round < 30; ++round) ++noise;
  });
  assert(first == 3);
}

// What reduction compares after an execution as long as this ends with the budget.
RAVEL_TEST(counts_its_rounds) {
  std::atomic<bool> is_set = false;
  std::atomic<int> rounds = 0;
  run(2, [&](int i) {
    if (i == 0) is_set = true;
    else
      while (!is_set) ++rounds;
  });
}

RAVEL_TEST(both_are_long) {
  std::mutex mutex;
  int count = 0;
  run(6, [&](int) {
    for (int round = 0; round < 5; ++round) {
      const std::scoped_lock lock(mutex);
      ++count;
    }
  });
  assert(count == 30);
}
