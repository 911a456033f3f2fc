// Threads that go round and round and do things that have no effect: to signal nobody, or to write what they wrote the last time. They give
// way as well, and where they look at the clock time passes.
// expect: pass -t signals_nobody --preemptions 1
// expect: pass -t signals_nobody --strategy random --budget 50x
// expect: pass -t posts_again --preemptions 1
// expect: pass -t posts_again --strategy pct --budget 50x
// expect: pass -t posts_again --strategy dpor
// expect: pass -t posts_again --accesses all --preemptions 0
// expect: pass -t posts_a_semaphore --preemptions 1
// expect: pass -t posts_a_semaphore --strategy pct --budget 50x
// expect: pass -t posts_a_semaphore --strategy surw --budget 50x
// expect: pass -t looks_at_many --preemptions 1
// expect: pass -t looks_at_many --strategy pct --budget 50x --events 400
// expect: pass -t waits_for_a_time --preemptions 1
// expect: pass -t waits_for_a_time --strategy random --budget 50x
// expect: pass -t gives_up --preemptions 0
// expect: bug assertion -t too_many_writes --preemptions 0
// expect: bug event_bound -t for_ever
#include <ravel/test.h>
#include <semaphore.h>

#include <array>
#include <atomic>
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

using namespace std::chrono_literals;
using Steady = std::chrono::steady_clock;

static std::mutex mutex;
static std::condition_variable condition;
static std::atomic<int> threads_left;
static bool posted;

// Posts it until all have seen that, as a pool does that stops. Those that come after the first one add nothing.
RAVEL_TEST(posts_a_semaphore) {
  static sem_t wanted;
  sem_init(&wanted, 0, 0);
  threads_left = 1;
  std::thread thread([] {
    sem_wait(&wanted);
    --threads_left;
  });
  while (threads_left.load() > 0) sem_post(&wanted);
  thread.join();
}

// As who looks for work that it could take from others; what it writes is there already.
RAVEL_TEST(looks_at_many) {
  static std::array<std::atomic<int>, 12> queues{}, hints{};
  threads_left = 1;
  std::thread thread([] { --threads_left; });
  while (threads_left.load() > 0) {
    for (std::size_t i = 0; i < queues.size(); ++i) {
      assert(queues[i].load() == 0);
      hints[i].store(0);
    }
  }
  thread.join();
}

RAVEL_TEST(signals_nobody) {
  threads_left = 1;
  std::thread thread([] { --threads_left; });
  while (threads_left.load() > 0) {
    condition.notify_one();
    condition.notify_all();
  }
  thread.join();
}

// As a pool of threads ends that wakes them up until all have gone, for a second at most.
static void post_until_all_have_gone(std::chrono::nanoseconds at_most) {
  const auto start = Steady::now();
  while (Steady::now() - start < at_most && threads_left.load() > 0) {
    std::lock_guard lock(mutex);
    posted = true;
    condition.notify_all();
  }
}

RAVEL_TEST(posts_again) {
  threads_left = 1;
  std::thread thread([] {
    std::unique_lock lock(mutex);
    condition.wait(lock, [] { return posted; });
    --threads_left;
  });
  post_until_all_have_gone(24h);
  assert(threads_left.load() == 0);
  thread.join();
}

RAVEL_TEST(waits_for_a_time) {
  std::thread thread([] { std::lock_guard lock(mutex); });
  const auto start = Steady::now();
  while (Steady::now() - start < 5s) std::lock_guard lock(mutex);
  thread.join();
}

RAVEL_TEST(gives_up) {
  threads_left = 1;
  post_until_all_have_gone(1s);
  assert(posted);
}

// Far more than what is remembered of writes: a change, whatever they write, so that nobody comes in between.
RAVEL_TEST(too_many_writes) {
  static volatile int places[20];
  static int rounds;
  std::thread thread([] {
    std::lock_guard lock(mutex);
    assert(rounds == 0);
  });
  for (int i = 0; i < 300; ++i) {
    std::lock_guard lock(mutex);
    for (volatile int& place : places) place = 1;
    if (i == 299) rounds = 300;
  }
  thread.join();
}

RAVEL_TEST(for_ever) {
  threads_left = 1;
  std::thread thread([] {
    std::unique_lock lock(mutex);
    condition.wait(lock, [] { return posted && threads_left.load() == 2; });
  });
  while (threads_left.load() > 0) {
    std::lock_guard lock(mutex);
    posted = true;
    condition.notify_all();
  }
  thread.join();
}
