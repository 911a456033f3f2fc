// What makes the difference: the nearest execution that passes, and where the failing one departs from it.
// expect: changes=1 bug assertion -t a_value_comes_late --strategy dfs
// expect: says "P reads value = 0 (explanations.cc:38)," bug assertion -t a_value_comes_late
// expect: says "before P.1 writes value = 1 (explanations.cc:36);" bug assertion -t a_value_comes_late
// expect: says "in the other order, the test passes." bug assertion -t a_value_comes_late
// expect: changes=1 bug deadlock -t two_locks
// expect: says "P.1 locks mutex second (explanations.cc:43)," bug deadlock -t two_locks
// expect: says "before P locks mutex second (explanations.cc:44);" bug deadlock -t two_locks
// expect: changes=0 bug assertion -t always_wrong
// expect: says "no race decides about this bug" bug assertion -t always_wrong
// expect: changes=0 bug assertion -t wrong_in_both_orders
// expect: says "other executions to which its races lead fails as well" bug assertion -t wrong_in_both_orders
// expect: silent "What makes the difference" bug assertion -t a_value_comes_late --isolate
// expect: changes=1 bug assertion -t in_another_thread --strategy dfs
// expect: says "before P stores shared = 1" bug assertion -t in_another_thread --strategy dfs
// expect: silent "What makes the difference" bug event_bound -t without_end --events 50
#include <ravel/test.h>

#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

static int value;
static std::atomic<int> shared;
static std::mutex first, second;

template <class Function>
static void beside(Function function, void (*other)()) {
  std::thread thread(function);
  other();
  thread.join();
}

RAVEL_TEST(a_value_comes_late) {
  beside([] { value = 1; }, [] {
    shared.load();
    assert(value == 1);
  });
}

static void lock_both(std::mutex& one, std::mutex& other) {
  one.lock();
  other.lock();
  other.unlock();
  one.unlock();
}

RAVEL_TEST(two_locks) {
  beside([] { lock_both(second, first); }, [] { lock_both(first, second); });
}

RAVEL_TEST(always_wrong) {
  beside([] {}, [] {});
  assert(value == 1);
}

RAVEL_TEST(wrong_in_both_orders) {
  beside([] { shared.store(1); }, [] { shared.store(2); });
  assert(shared == 0);
}

RAVEL_TEST(without_end) {
  beside([] {}, [] {
    for (int i = 0; i < 1000; ++i) shared.fetch_add(1);
  });
}

RAVEL_TEST(in_another_thread) {
  std::thread thread([] { assert(shared == 1); });
  shared = 1;
  thread.join();
}
