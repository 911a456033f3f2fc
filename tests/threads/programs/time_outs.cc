// Who has waited until some time finds that it has come: otherwise it would wait again and again.
// expect: pass -t with_predicate
// expect: pass -t with_predicate --strategy dpor
// expect: pass -t until_a_time
// expect: pass -t until_a_time --strategy dpor
// expect: pass -t of_the_calendar
// expect: pass -t others
// expect: pass -t sleeps
// expect: pass --time any -t sleeps
// expect: pass --time any -t with_predicate --strategy dpor
// expect: pass --time any -t until_a_time --strategy dpor
// expect: pass -t comes_too_late --strategy dpor
// expect: says "needs 1 early timeout, " bug assertion --time any -t comes_too_late
// expect: bug assertion --time any -t comes_too_late --strategy dpor
// compile: -std=c++20
#include <linux/futex.h>
#include <ravel/test.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <semaphore>
#include <shared_mutex>
#include <thread>

using namespace std::chrono_literals;
using Steady = std::chrono::steady_clock;

static std::mutex mutex;
static std::condition_variable condition;
static bool flag = false;

RAVEL_TEST(with_predicate) {
  std::unique_lock lock(mutex);
  assert(!condition.wait_for(lock, 10s, [] { return flag; }));
}

RAVEL_TEST(until_a_time) {
  std::thread thread([] { std::lock_guard lock(mutex); });
  const auto deadline = Steady::now() + 10s;
  std::unique_lock lock(mutex);
  while (Steady::now() < deadline) condition.wait_until(lock, deadline);
  lock.unlock();
  thread.join();
}

RAVEL_TEST(of_the_calendar) {
  const auto deadline = std::chrono::system_clock::now() + 10s;
  std::unique_lock lock(mutex);
  while (std::chrono::system_clock::now() < deadline) condition.wait_until(lock, deadline);
}

template <class Wait>
static void check_time(Wait wait) {
  const auto start = Steady::now();
  wait();
  assert(Steady::now() >= start + 10s);
}

RAVEL_TEST(others) {
  std::timed_mutex timed;
  std::shared_timed_mutex shared;
  std::counting_semaphore<2> semaphore(0);
  timed.lock();
  shared.lock();
  std::thread thread([&] {
    check_time([&] { assert(!timed.try_lock_for(10s)); });
    check_time([&] { assert(!shared.try_lock_shared_for(10s)); });
    check_time([&] { assert(!semaphore.try_acquire_for(10s)); });
    check_time([&] {
      int value = 0;
      const timespec duration{.tv_sec = 10, .tv_nsec = 0};
      assert(syscall(SYS_futex, &value, FUTEX_WAIT, 0, &duration, nullptr, 0) == -1);
    });
  });
  thread.join();
}

RAVEL_TEST(sleeps) {
  check_time([] { std::this_thread::sleep_for(10s); });
  check_time([] { sleep(10); });
  check_time([] { usleep(10'000'000); });
  const timespec duration{.tv_sec = 10, .tv_nsec = 0};
  check_time([&] { assert(clock_nanosleep(CLOCK_MONOTONIC, 0, &duration, nullptr) == 0); });
  timespec date;
  clock_gettime(CLOCK_MONOTONIC, &date);
  date.tv_sec += 10;
  check_time([&] { assert(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &date, nullptr) == 0); });
}

// Time that one thread waits passes for the others, too.
RAVEL_TEST(comes_too_late) {
  std::thread thread([] {
    std::unique_lock lock(mutex);
    condition.wait_for(lock, 10s);
  });
  const auto start = Steady::now();
  mutex.lock();
  mutex.unlock();
  assert(Steady::now() < start + 5s);
  thread.join();
}
