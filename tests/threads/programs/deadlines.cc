// Time that follows deadlines: what is due earlier gives up earlier, everything else may take as long as it likes.
// expect: bug assertion --time any -t in_order
// expect: pass -t in_order --strategy dpor
// expect: pass --time deadlines -t in_order
// expect: pass --time deadlines -t in_order --strategy dfs
// expect: pass --time deadlines -t in_order --strategy dpor
// expect: pass --time deadlines -t in_order --isolate
// expect: pass --time deadlines -t sleeps
// expect: pass --time deadlines -t sleeps --strategy dpor
// expect: pass --time deadlines -t counts_from_now --strategy dpor
// expect: bug assertion --time deadlines -t slow_setter
// expect: bug assertion --time deadlines -t slow_setter --strategy dpor
// expect: bug assertion --time deadlines -t slow_setter --isolate
// expect: bug assertion --time deadlines -t same_instant --strategy dpor
// expect: bug assertion --time deadlines -t slow_sender --strategy dpor
// expect: pass --time deadlines -t kept_by_others
// expect: pass --time deadlines -t kept_by_others --strategy dpor
// expect: pass --time deadlines -t holds_the_mutex
// expect: pass --time deadlines -t holds_the_mutex --strategy dpor
// expect: pass --time deadlines -t clocks_agree
// expect: pass --time deadlines -t clocks_agree --strategy dpor
// expect: bug assertion --time deadlines -t clock_is_read_late
// expect: bug assertion --time deadlines -t clock_is_read_late --strategy dpor
// expect: says "reads the clock, which shows 20 s" bug assertion --time deadlines -t clock_is_read_late --strategy dpor
// expect: pass --time deadlines -t alone
// expect: pass --time deadlines -t polls
// expect: pass --time deadlines -t polls --strategy dpor --preemptions 2
// expect: bug deadlock --time deadlines -t never
// expect: bug deadlock --time deadlines -t never_for_a_semaphore
// expect: pass --time deadlines -t only_tries
// expect: pass --time deadlines -t of_all_kinds --strategy dpor
// expect: pass --time deadlines -t of_all_kinds --preemptions 1
// compile: -std=c++20
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <ravel/test.h>
#include <semaphore.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <shared_mutex>
#include <thread>

using namespace std::chrono_literals;
using Steady = std::chrono::steady_clock;

static std::mutex mutex, other_mutex;
static std::condition_variable condition;
static std::atomic<int> order = 0;

static void wait_for(std::chrono::milliseconds time) {
  std::mutex own;
  std::condition_variable nobody_signals;
  std::unique_lock lock(own);
  nobody_signals.wait_for(lock, time);
}

static timespec after(int seconds) {
  timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  time.tv_sec += seconds;
  return time;
}

// Where both wait, the one for 10 s does not give up before the one for 1 s.
RAVEL_TEST(in_order) {
  bool waits = false, gave_up = false;
  std::thread thread([&] {
    std::unique_lock lock(mutex);
    waits = true;
    condition.notify_one();
    std::condition_variable nobody_signals;
    nobody_signals.wait_for(lock, 10s);
    gave_up = true;
  });
  {
    std::unique_lock lock(mutex);
    condition.wait(lock, [&] { return waits; });
    if (!gave_up) {
      std::condition_variable nobody_signals;
      nobody_signals.wait_for(lock, 1s);
      assert(!gave_up);
    }
  }
  thread.join();
}

RAVEL_TEST(sleeps) {
  std::thread thread([] { std::this_thread::sleep_for(10s); order = 10; });
  std::this_thread::sleep_for(1s);
  thread.join();
  assert(order == 10);
}

// The second sleep begins when the first one is over.
RAVEL_TEST(counts_from_now) {
  const auto start = Steady::now();
  std::this_thread::sleep_for(1s);
  std::this_thread::sleep_for(1s);
  assert(Steady::now() == start + 2s);
}

// The second line may come late.
RAVEL_TEST(slow_setter) {
  std::thread thread([] { wait_for(20ms); order = 20; });
  wait_for(10ms);
  assert(order == 0);
  thread.join();
}

RAVEL_TEST(same_instant) {
  const auto start = Steady::now();
  std::thread thread([start] { std::this_thread::sleep_until(start + 1s); order = 1; });
  std::this_thread::sleep_until(start + 1s);
  assert(order == 0);
  thread.join();
}

// A deadline waits for nobody.
RAVEL_TEST(slow_sender) {
  bool flag = false;
  std::thread thread([&flag] {
    std::lock_guard lock(mutex);
    flag = true;
    condition.notify_one();
  });
  {
    std::unique_lock lock(mutex);
    assert(condition.wait_for(lock, 1h, [&flag] { return flag; }));
  }
  thread.join();
}

// Who waits for a minute keeps the hour from passing until the semaphore is posted.
RAVEL_TEST(kept_by_others) {
  static sem_t semaphore;
  sem_init(&semaphore, 0, 0);
  const auto start = Steady::now();
  std::thread poster([] { sem_post(&semaphore); });
  std::thread sleeper([] { std::this_thread::sleep_for(1h); });
  const timespec deadline = after(60);
  if (sem_timedwait(&semaphore, &deadline) != 0) assert(Steady::now() >= start + 60s);
  poster.join();
  sleeper.join();
  assert(Steady::now() >= start + 1h);
}

// Who gives up waiting needs the mutex, which the other one holds for longer: that is no deadlock.
RAVEL_TEST(holds_the_mutex) {
  const auto start = Steady::now();
  std::thread thread([] {
    std::lock_guard lock(mutex);
    std::this_thread::sleep_for(10s);
  });
  {
    std::unique_lock lock(mutex);
    condition.wait_for(lock, 1s);
    assert(Steady::now() >= start + 1s);
  }
  thread.join();
}

RAVEL_TEST(clocks_agree) {
  const auto start = Steady::now();
  const auto date = std::chrono::system_clock::now();
  std::thread thread([start] {
    wait_for(1000ms);
    assert(Steady::now() >= start + 1s);
  });
  std::this_thread::sleep_for(3s);
  assert(Steady::now() >= start + 3s && std::chrono::system_clock::now() >= date + 3s);
  thread.join();
}

// Time may pass before it.
RAVEL_TEST(clock_is_read_late) {
  const auto start = Steady::now();
  std::thread thread([start] { std::this_thread::sleep_until(start + 20s); });
  std::this_thread::sleep_until(start + 10s);
  assert(Steady::now() == start + 10s);
  thread.join();
}

RAVEL_TEST(alone) {
  const auto start = Steady::now();
  wait_for(10s * 360);
  assert(Steady::now() == start + 1h);
}

// A thread that asks again and again lets time pass for the one that it waits for.
RAVEL_TEST(polls) {
  std::atomic<bool> done = false;
  std::thread thread([&done] { std::this_thread::sleep_for(1h); done = true; });
  while (!done) std::this_thread::sleep_for(1us);
  thread.join();
}

// There is no such date.
RAVEL_TEST(never) {
  std::mutex own;
  std::unique_lock lock(own);
  const timespec last{.tv_sec = INT64_MAX, .tv_nsec = 999'999'999};
  std::condition_variable nobody_signals;
  pthread_cond_timedwait(nobody_signals.native_handle(), own.native_handle(), &last);
}
RAVEL_TEST(never_for_a_semaphore) {
  sem_t semaphore;
  sem_init(&semaphore, 0, 0);
  const timespec last{.tv_sec = INT64_MAX, .tv_nsec = 0};
  sem_timedwait(&semaphore, &last);
}

// This does not wait, and takes no time.
RAVEL_TEST(only_tries) {
  const auto start = Steady::now();
  pthread_t id;
  pthread_create(&id, nullptr, [](void*) -> void* { return nullptr; }, nullptr);
  if (pthread_tryjoin_np(id, nullptr) != 0) pthread_join(id, nullptr);
  assert(Steady::now() == start);
}

RAVEL_TEST(of_all_kinds) {
  std::timed_mutex timed;
  std::shared_timed_mutex shared;
  sem_t semaphore;
  sem_init(&semaphore, 0, 0);
  timed.lock();
  shared.lock();
  int pipes[2];
  assert(pipe(pipes) == 0);
  const std::function<void()> waits[] = {
      [&] { assert(!timed.try_lock_for(10s)); },
      [&] { assert(!shared.try_lock_shared_for(10s)); },
      [&] { assert(!shared.try_lock_for(10s)); },
      [&] {
        const timespec deadline = after(10);
        assert(sem_timedwait(&semaphore, &deadline) != 0);
      },
      [&] {
        int value = 0;
        const timespec duration{.tv_sec = 10, .tv_nsec = 0};
        assert(syscall(SYS_futex, &value, FUTEX_WAIT, 0, &duration, nullptr, 0) == -1);
      },
      [&] {
        pollfd file{.fd = pipes[0], .events = POLLIN, .revents = 0};
        assert(poll(&file, 1, 10'000) == 0);
      },
      [] { sleep(10); },
      [] { usleep(10'000'000); },
      [] {
        const timespec deadline = after(10);
        assert(clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &deadline, nullptr) == 0);
      },
  };
  std::thread thread([&] {
    for (const auto& wait : waits) {
      const auto start = Steady::now();
      wait();
      assert(Steady::now() == start + 10s);
    }
    const auto start = Steady::now();
    const timespec deadline = after(10);
    pthread_t id;
    pthread_create(&id, nullptr, [](void*) -> void* { std::this_thread::sleep_for(1h); return nullptr; }, nullptr);
    const int status = pthread_timedjoin_np(id, nullptr, &deadline);
    assert(Steady::now() >= start + (status == 0 ? 3600s : 10s));
    if (status != 0) pthread_join(id, nullptr);
    assert(Steady::now() == start + 1h);
  });
  thread.join();
}
