// Threads that poll under locks, and neither yield nor sleep: they give way as those do that look at an atomic variable again and again, under every
// search. What others can see changed is no polling, however often it happens; and who polls in vain for ever does so without end.
// expect: pass -t a_mutex --preemptions 1
// expect: pass -t a_mutex --strategy pct --budget 50x
// expect: pass -t a_mutex --strategy random --budget 50x
// expect: pass -t a_mutex --strategy surw --budget 50x
// expect: pass -t a_mutex --strategy pos --budget 50x
// expect: pass -t a_mutex --strategy delay --delays 1
// expect: pass -t a_mutex --strategy vt --variables 1
// expect: pass -t a_mutex --accesses sync --preemptions 1
// expect: pass -t a_unique_lock --preemptions 1
// expect: pass -t a_tried_mutex --preemptions 1
// expect: pass -t a_read_write_lock --preemptions 1
// expect: pass -t a_spin_lock --preemptions 1
// expect: pass -t a_semaphore --preemptions 1
// expect: pass -t a_tried_semaphore --preemptions 1
// expect: pass -t a_recursive_mutex --preemptions 1
// expect: pass -t two_mutexes_in_turn --preemptions 1
// expect: pass -t nested_mutexes --preemptions 1
// expect: pass -t hand_over_hand --preemptions 1
// expect: pass -t counts_its_iterations --preemptions 1
// expect: pass -t two_who_poll --preemptions 0
// expect: bug assertion -t too_late --preemptions 1
// expect: bug assertion -t many_changes --preemptions 0
// expect: bug assertion -t many_changes_of_a_local_variable --preemptions 0
// expect: bug assertion -t many_posts --preemptions 0
// expect: bug event_bound -t for_ever
// expect: bug event_bound -t for_ever_both
// expect: bug event_bound -t counting_for_ever
#include <pthread.h>
#include <ravel/test.h>
#include <semaphore.h>

#include <cassert>
#include <mutex>
#include <shared_mutex>
#include <thread>

static std::mutex a_mutex, other_mutex;
static std::recursive_mutex recursive_mutex;
static std::shared_mutex shared_mutex;
static pthread_spinlock_t spin_lock;
static sem_t semaphore;
static bool is_ready;
static int counter;

// `try_once` says what it has seen; `set` makes it true.
template <class Try, class Set>
static void poll(Try try_once, Set set) {
  std::thread thread([=] {
    counter = 1;
    set();
  });
  while (!try_once()) {
  }
  assert(counter == 1);
  thread.join();
}

template <class Mutex>
static bool look_under(Mutex& mutex) {
  const std::lock_guard hold(mutex);
  return is_ready;
}
template <class Mutex>
static void set_under(Mutex& mutex) {
  const std::lock_guard hold(mutex);
  is_ready = true;
}
static void set_ready() { set_under(a_mutex); }

RAVEL_TEST(a_mutex) {
  poll([] { return look_under(a_mutex); }, set_ready);
}
[[gnu::noinline]] static bool look_by(std::unique_lock<std::mutex>& lock) {
  lock.lock();
  const bool result = is_ready;
  lock.unlock();
  return result;
}
RAVEL_TEST(a_unique_lock) {
  std::unique_lock lock(a_mutex, std::defer_lock);
  poll([&] { return look_by(lock); }, set_ready);
}
RAVEL_TEST(a_tried_mutex) {
  const auto look = [] {
    const std::unique_lock lock(a_mutex, std::try_to_lock);
    return lock.owns_lock() && is_ready;
  };
  poll(look, set_ready);
}
RAVEL_TEST(a_read_write_lock) {
  const auto look = [] {
    const std::shared_lock hold(shared_mutex);
    return is_ready;
  };
  poll(look, [] { set_under(shared_mutex); });
}
RAVEL_TEST(a_spin_lock) {
  pthread_spin_init(&spin_lock, 0);
  const auto with = [](auto function) {
    pthread_spin_lock(&spin_lock);
    function();
    pthread_spin_unlock(&spin_lock);
  };
  const auto look = [=] {
    bool result = false;
    with([&] { result = is_ready; });
    return result;
  };
  poll(look, [=] { with([] { is_ready = true; }); });
}
template <class Take>
static void poll_by_semaphore(Take take) {
  sem_init(&semaphore, 0, 1);
  const auto look = [=] {
    if (take() != 0) return false;
    const bool result = is_ready;
    sem_post(&semaphore);
    return result;
  };
  const auto set = [] {
    sem_wait(&semaphore);
    is_ready = true;
    sem_post(&semaphore);
  };
  poll(look, set);
}
RAVEL_TEST(a_semaphore) {
  poll_by_semaphore([] { return sem_wait(&semaphore); });
}
RAVEL_TEST(a_tried_semaphore) {
  poll_by_semaphore([] { return sem_trywait(&semaphore); });
}
RAVEL_TEST(a_recursive_mutex) {
  const auto look = [] {
    const std::lock_guard hold(recursive_mutex);
    return look_under(recursive_mutex);
  };
  poll(look, [] { set_under(recursive_mutex); });
}
RAVEL_TEST(two_mutexes_in_turn) {
  poll([] { return look_under(other_mutex) && look_under(a_mutex); }, [] {
    set_under(a_mutex);
    set_under(other_mutex);
  });
}
RAVEL_TEST(nested_mutexes) {
  const auto look = [] {
    const std::lock_guard hold(other_mutex);
    return look_under(a_mutex);
  };
  poll(look, set_ready);
}
RAVEL_TEST(hand_over_hand) {
  a_mutex.lock();
  const auto look = [] {
    other_mutex.lock();
    a_mutex.unlock();
    const bool result = is_ready;
    a_mutex.lock();
    other_mutex.unlock();
    return result;
  };
  poll(look, [] { set_under(other_mutex); });
  a_mutex.unlock();
}
RAVEL_TEST(counts_its_iterations) {
  int iterations = 0;
  poll([&iterations] { return ++iterations, look_under(a_mutex); }, set_ready);
  assert(iterations > 0);
}
RAVEL_TEST(two_who_poll) {
  const auto wait = [] {
    while (!look_under(a_mutex)) {
    }
  };
  std::thread one(wait), two(wait), setter(set_ready);
  one.join();
  two.join();
  setter.join();
}

// What only an interrupted iteration shows.
RAVEL_TEST(too_late) {
  std::thread thread([] {
    set_ready();
    counter = 1;
  });
  while (!look_under(a_mutex)) {
  }
  assert(counter == 1);
  thread.join();
}

// Who changes something goes on, in the first execution, until it is done.
constexpr int kMany = 300;
static void see_many(const int& value) {
  const std::lock_guard hold(a_mutex);
  assert(value != kMany);
}
RAVEL_TEST(many_changes) {
  std::thread thread([] { see_many(counter); });
  for (int i = 0; i < kMany; ++i) {
    const std::lock_guard hold(a_mutex);
    counter = i % 2;
  }
  {
    const std::lock_guard hold(a_mutex);
    counter = kMany;
  }
  thread.join();
}
RAVEL_TEST(many_changes_of_a_local_variable) {
  int local = 0;
  std::thread thread([&local] { see_many(local); });
  for (int i = 0; i < kMany; ++i) {
    const std::lock_guard hold(a_mutex);
    local = i % 2;
  }
  {
    const std::lock_guard hold(a_mutex);
    local = kMany;
  }
  thread.join();
}
RAVEL_TEST(many_posts) {
  sem_init(&semaphore, 0, 0);
  std::thread thread([] { see_many(counter); });
  for (int i = 0; i < kMany; ++i) sem_post(&semaphore);
  {
    const std::lock_guard hold(a_mutex);
    counter = kMany;
  }
  thread.join();
}

RAVEL_TEST(for_ever) {
  std::thread thread([] { look_under(a_mutex); });
  while (!look_under(a_mutex)) {
  }
  thread.join();
}
RAVEL_TEST(for_ever_both) {
  const auto wait = [] {
    while (!look_under(a_mutex)) {
    }
  };
  std::thread thread(wait);
  wait();
  thread.join();
}
RAVEL_TEST(counting_for_ever) {
  while (true) {
    const std::lock_guard hold(a_mutex);
    ++counter;
  }
}
