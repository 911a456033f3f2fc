// What makes the difference: the nearest execution that passes, and where the failing one departs from it.
// expect: changes=1 bug assertion -t a_value_comes_late --strategy dfs
// expect: says "P reads value = 0 (explanations.cc:49)," bug assertion -t a_value_comes_late
// expect: says "before P.1 writes value = 1 (explanations.cc:47);" bug assertion -t a_value_comes_late
// expect: says "in the other order, the test passes." bug assertion -t a_value_comes_late
// expect: changes=1 bug deadlock -t two_locks
// expect: says "P.1 locks mutex second (explanations.cc:54)," bug deadlock -t two_locks
// expect: says "before P locks mutex second (explanations.cc:55);" bug deadlock -t two_locks
// expect: changes=0 bug assertion -t always_wrong
// expect: says "no race decides about this bug" bug assertion -t always_wrong
// expect: changes=0 bug assertion -t wrong_in_both_orders
// expect: says "other executions to which its races lead fails as well" bug assertion -t wrong_in_both_orders
// expect: changes=1 bug assertion -t a_value_comes_late --isolate
// expect: says "before P.1 writes value = 1 (explanations.cc:47);" bug assertion -t a_value_comes_late --isolate
// expect: says "before P.1 stores shared = 1 (explanations.cc:87);" bug crash -t dies --isolate
// expect: changes=1 bug assertion -t lost_early --strategy random
// expect: says "loads shared = " bug assertion -t lost_early --strategy random
// expect: changes=1 bug assertion -t late_in_a_long_one
// expect: says "before P.1 writes value = 1 (explanations.cc:108);" bug assertion -t late_in_a_long_one
// expect: changes=1 bug assertion -t early_in_a_long_one
// expect: says "before P.1 locks mutex first" bug assertion -t early_in_a_long_one
// expect: changes=1 bug assertion -t in_another_thread --strategy dfs
// expect: says "before P stores shared = 1" bug assertion -t in_another_thread --strategy dfs
// expect: silent "What makes the difference" bug event_bound -t without_end --events 50
#include <ravel/test.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

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

RAVEL_TEST(dies) {
  beside([] { shared.store(1); }, [] {
    if (shared.load() == 0) syscall(SYS_kill, getpid(), SIGKILL);
  });
}

static void count_on(int times) {
  for (int i = 0; i < times; ++i) shared.fetch_add(1);
}

// What is lost is lost long before it is missed.
RAVEL_TEST(lost_early) {
  const auto add = [] {
    count_on(20);
    shared.store(shared.load() + 1);
    count_on(300);
  };
  beside(add, [] { count_on(20), shared.store(shared.load() + 1), count_on(300); });
  assert(shared == 642);
}

RAVEL_TEST(late_in_a_long_one) {
  beside([] { value = 1; }, [] {
    count_on(1000);
    assert(value == 1);
  });
}

static void count_under_lock(int times) {
  for (int i = 0; i < times; ++i) {
    std::lock_guard lock(first);
    ++value;
  }
}

// Without a preemption, and with all that follows behind it.
RAVEL_TEST(early_in_a_long_one) {
  std::thread thread([] { count_under_lock(150); });
  first.lock();
  const bool is_first = value == 0;
  first.unlock();
  count_under_lock(150);
  thread.join();
  assert(!is_first);
}
