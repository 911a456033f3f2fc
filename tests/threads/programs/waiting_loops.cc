// Threads that wait in loops, for which reduction needs no fairness: an iteration that has changed nothing is not repeated until what
// it has read is another value. Where an iteration changes something, fairness is needed after all.
// expect: silent "repeated" pass -t a_flag --strategy dpor
// expect: silent "repeated" pass -t a_flag --strategy dpor --accesses all
// expect: silent "repeated" pass -t a_flag_and_yields --strategy dpor
// expect: silent "repeated" pass -t a_flag_and_sleeps --strategy dpor
// expect: silent "repeated" pass -t a_volatile_flag --strategy dpor
// expect: silent "repeated" pass -t spin_locks --strategy dpor
// expect: silent "repeated" pass -t exchanging_locks --strategy dpor
// expect: silent "repeated" pass -t looking_before_exchanging --strategy dpor
// expect: silent "repeated" pass -t two_conditions --strategy dpor
// expect: bug assertion -t two_conditions_in_the_wrong_order --strategy dpor
// expect: bug assertion -t in_the_middle_of_an_iteration --strategy dpor
// expect: bug assertion -t there_and_back --strategy dpor
// expect: bug assertion -t a_bound_on_iterations --strategy dpor
// expect: says "more executions repeated" pass -t counts_its_iterations --strategy dpor
// expect: says "more executions repeated" pass -t writes_in_its_iterations --strategy dpor
// expect: says "more executions repeated" pass -t looks_at_the_clock --strategy dpor --time any
// expect: silent "repeated" pass -t trying_a_mutex --strategy dpor
// expect: silent "repeated" pass -t trying_for_some_time --strategy dpor
// expect: silent "repeated" pass -t trying_a_spin_lock --strategy dpor
// expect: silent "repeated" pass -t trying_a_read_write_lock --strategy dpor
// expect: silent "repeated" pass -t trying_a_semaphore --strategy dpor
// expect: bug assertion -t trying_twice --strategy dpor
// expect: says "waits in a loop for a change of a_mutex" bug deadlock -t trying_for_ever --strategy dpor
// expect: silent "repeated" pass -t locking_in_a_loop --strategy dpor
// expect: silent "repeated" pass -t locking_in_a_loop --strategy dpor --accesses all
// expect: silent "repeated" pass -t locking_and_yielding --strategy dpor
// expect: silent "repeated" pass -t two_who_lock_in_loops --strategy dpor
// expect: bug assertion -t one_who_locks_late --strategy dpor
// expect: bug assertion -t seen_while_it_holds --strategy dpor
// expect: says "more executions repeated" pass -t locking_two_in_turn --strategy dpor
// expect: says "more executions repeated" pass -t locking_two_at_once --strategy dpor
// expect: silent "repeated" pass -t locking_a_read_write_lock --strategy dpor
// expect: silent "repeated" pass -t locking_a_spin_lock --strategy dpor
// expect: silent "repeated" pass -t locking_a_recursive_mutex --strategy dpor
// expect: silent "repeated" pass -t by_a_unique_lock --strategy dpor
// expect: silent "repeated" pass -t trying_another_mutex --strategy dpor
// expect: says "more executions repeated" pass -t hand_over_hand --strategy dpor
// expect: says "more executions repeated" pass -t seen_on_its_stack --strategy dpor
// expect: says "more executions repeated" pass -t locks_in_a_loop_or_tries --strategy dpor
// expect: says "more executions repeated" pass -t locks_in_a_loop_or_tries --strategy dpor --isolate
// expect: says "more executions repeated" pass -t sleeps_in_a_loop_or_asks_for_the_time --strategy dpor --time any --isolate
// expect: silent "repeated" pass -t seen_by_nobody --strategy dpor
// expect: bug deadlock -t in_the_wrong_order --strategy dpor
// expect: says "waits in a loop for a change of a_mutex" bug deadlock -t locking_for_ever --strategy dpor
// expect: says "waits in a loop for a change of flag" bug deadlock -t for_ever --strategy dpor
// expect: bug event_bound -t for_ever
#include <pthread.h>
#include <ravel/test.h>
#include <semaphore.h>

#include <atomic>
#include <cassert>
#include <chrono>
#include <mutex>
#include <thread>

static std::atomic<int> flag, x, y, turn, wants[2];
static std::atomic<bool> locked;
static int counter;

static void set_flag() {
  counter = 1;
  flag = 1;
}

template <class Wait>
static void wait_for_flag(Wait wait) {
  std::thread thread(set_flag);
  while (flag.load() == 0) wait();
  assert(counter == 1);
  thread.join();
}

template <class Function>
static void three_times(Function function) {
  std::thread one(function), two(function);
  function();
  one.join();
  two.join();
  assert(counter == 3);
}

RAVEL_TEST(a_flag) {
  wait_for_flag([] {});
}
RAVEL_TEST(a_flag_and_yields) {
  wait_for_flag([] { std::this_thread::yield(); });
}
RAVEL_TEST(a_flag_and_sleeps) {
  wait_for_flag([] { std::this_thread::sleep_for(std::chrono::milliseconds(1)); });
}
RAVEL_TEST(looks_at_the_clock) {
  wait_for_flag([] { std::this_thread::sleep_until(std::chrono::steady_clock::now() + std::chrono::milliseconds(1)); });
}

RAVEL_TEST(a_volatile_flag) {
  static volatile int ready = 0;
  std::thread thread([] { ready = 1; });
  while (ready == 0) {
  }
  thread.join();
}

RAVEL_TEST(spin_locks) {
  three_times([] {
    while (locked.exchange(true)) {
    }
    ++counter;
    locked = false;
  });
}

RAVEL_TEST(exchanging_locks) {
  three_times([] {
    bool expected = false;
    while (!locked.compare_exchange_strong(expected, true)) expected = false;
    ++counter;
    locked = false;
  });
}

RAVEL_TEST(looking_before_exchanging) {
  const auto function = [] {
    do {
      while (locked.load()) std::this_thread::yield();
    } while (locked.exchange(true));
    ++counter;
    locked = false;
  };
  std::thread thread(function);
  function();
  thread.join();
  assert(counter == 2);
}

static std::mutex a_mutex;
static std::timed_mutex timed_mutex;

template <class Take, class Give>
static void three_times_in_turn(Take take, Give give) {
  three_times([=] {
    while (!take()) {
    }
    ++counter;
    give();
  });
}

RAVEL_TEST(trying_a_mutex) {
  three_times_in_turn([] { return a_mutex.try_lock(); }, [] { a_mutex.unlock(); });
}
RAVEL_TEST(trying_for_some_time) {
  const auto take = [] {
    timespec soon{.tv_sec = 1, .tv_nsec = 0};
    return pthread_mutex_timedlock(timed_mutex.native_handle(), &soon) == 0;
  };
  three_times_in_turn(take, [] { timed_mutex.unlock(); });
}
RAVEL_TEST(trying_a_spin_lock) {
  static pthread_spinlock_t lock;
  pthread_spin_init(&lock, 0);
  three_times_in_turn([] { return pthread_spin_trylock(&lock) == 0; }, [] { pthread_spin_unlock(&lock); });
}
RAVEL_TEST(trying_a_semaphore) {
  static sem_t semaphore;
  sem_init(&semaphore, 0, 1);
  three_times_in_turn([] { return sem_trywait(&semaphore) == 0; }, [] { sem_post(&semaphore); });
}
RAVEL_TEST(trying_a_read_write_lock) {
  static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
  std::thread reader([] {
    while (pthread_rwlock_tryrdlock(&lock) != 0) std::this_thread::yield();
    assert(counter == 0 || counter == 1);
    pthread_rwlock_unlock(&lock);
  });
  while (pthread_rwlock_trywrlock(&lock) != 0) {
  }
  ++counter;
  pthread_rwlock_unlock(&lock);
  reader.join();
}

// That it fails is seen outside of a loop, too.
RAVEL_TEST(trying_twice) {
  std::thread thread([] {
    std::lock_guard hold(a_mutex);
    x = 1;
  });
  bool fails = !a_mutex.try_lock();
  if (!fails) a_mutex.unlock();
  while (!a_mutex.try_lock()) {
  }
  assert(!fails || x.load() == 0);
  a_mutex.unlock();
  thread.join();
}

RAVEL_TEST(trying_for_ever) {
  std::thread thread([] { a_mutex.lock(); });
  thread.join();
  while (!a_mutex.try_lock()) std::this_thread::yield();
}

static int is_set;
static void set_under_mutex() {
  counter = 1;
  const std::lock_guard hold(a_mutex);
  is_set = 1;
}
template <class Wait>
static void lock_until_set(Wait wait) {
  while (true) {
    {
      const std::lock_guard hold(a_mutex);
      if (is_set != 0) return;
    }
    wait();
  }
}

RAVEL_TEST(locking_in_a_loop) {
  std::thread thread(set_under_mutex);
  lock_until_set([] {});
  assert(counter == 1);
  thread.join();
}
RAVEL_TEST(locking_and_yielding) {
  std::thread thread(set_under_mutex);
  lock_until_set([] { std::this_thread::yield(); });
  assert(counter == 1);
  thread.join();
}
RAVEL_TEST(two_who_lock_in_loops) {
  const auto wait = [] { lock_until_set([] { std::this_thread::yield(); }); };
  std::thread one(wait), two(wait);
  set_under_mutex();
  one.join();
  two.join();
}
// What one thread has written the other one learns of by an iteration of a third one that waits.
RAVEL_TEST(one_who_locks_late) {
  std::thread one([] {
    lock_until_set([] {});
    assert(x.load() == 1);
  });
  std::thread two([] {
    {
      const std::lock_guard hold(a_mutex);
    }
    is_set = 1;
    {
      const std::lock_guard hold(a_mutex);
    }
    x = 1;
  });
  one.join();
  two.join();
}
// Who tries the mutex sees iterations that change nothing else: with that, fairness is needed.
RAVEL_TEST(seen_while_it_holds) {
  std::thread thread([] { lock_until_set([] { std::this_thread::yield(); }); });
  const bool fails = !a_mutex.try_lock();
  if (!fails) a_mutex.unlock();
  set_under_mutex();
  thread.join();
  assert(!fails);
}
RAVEL_TEST(locking_for_ever) {
  lock_until_set([] {});
}

static std::mutex other_mutex;
template <class Mutex>
static bool is_set_under(Mutex& mutex) {
  const std::lock_guard hold(mutex);
  return is_set != 0;
}
// Both in one iteration.
static bool is_set_in_turn() {
  {
    const std::lock_guard hold(other_mutex);
  }
  return is_set_under(a_mutex);
}
static bool is_set_at_once() {
  const std::lock_guard hold(other_mutex);
  return is_set_under(a_mutex);
}
template <class Look, class Set>
static void lock_until(Look look, Set set) {
  std::thread thread(set);
  while (!look()) {
  }
  assert(counter == 1);
  thread.join();
}
RAVEL_TEST(locking_two_in_turn) {
  lock_until(is_set_in_turn, set_under_mutex);
}
RAVEL_TEST(locking_two_at_once) {
  lock_until(is_set_at_once, set_under_mutex);
}
template <class Lock, class Unlock>
static void lock_until_set_by(Lock lock, Unlock unlock) {
  const auto look = [=] {
    lock();
    const bool result = is_set != 0;
    unlock();
    return result;
  };
  const auto set = [=] {
    counter = 1;
    lock();
    is_set = 1;
    unlock();
  };
  lock_until(look, set);
}
RAVEL_TEST(locking_a_spin_lock) {
  static pthread_spinlock_t lock;
  pthread_spin_init(&lock, 0);
  lock_until_set_by([] { pthread_spin_lock(&lock); }, [] { pthread_spin_unlock(&lock); });
}
RAVEL_TEST(locking_a_read_write_lock) {
  static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
  const auto look = [] {
    pthread_rwlock_rdlock(&lock);
    const bool result = is_set != 0;
    pthread_rwlock_unlock(&lock);
    return result;
  };
  const auto set = [] {
    counter = 1;
    pthread_rwlock_wrlock(&lock);
    is_set = 1;
    pthread_rwlock_unlock(&lock);
  };
  lock_until(look, set);
}
RAVEL_TEST(locking_a_recursive_mutex) {
  static std::recursive_mutex recursive_mutex;
  const auto twice = [](auto what) {
    recursive_mutex.lock();
    (recursive_mutex.*what)();
  };
  lock_until_set_by([=] { twice(&std::recursive_mutex::lock); }, [] {
    recursive_mutex.unlock();
    recursive_mutex.unlock();
  });
}
[[gnu::noinline]] static bool is_set_under_lock(std::unique_lock<std::mutex>& lock) {
  lock.lock();
  const bool result = is_set != 0;
  lock.unlock();
  return result;
}
RAVEL_TEST(by_a_unique_lock) {
  std::unique_lock lock(a_mutex, std::defer_lock);
  lock_until([&] { return is_set_under_lock(lock); }, set_under_mutex);
}
RAVEL_TEST(trying_another_mutex) {
  if (other_mutex.try_lock()) other_mutex.unlock();
  lock_until([] { return is_set_under(a_mutex); }, set_under_mutex);
}
// No execution has both halves of what needs fairness.
RAVEL_TEST(locks_in_a_loop_or_tries) {
  static std::atomic<int> claimed;
  std::thread other([] {
    if (claimed.exchange(1) != 0)
      set_under_mutex();
    else if (a_mutex.try_lock())
      a_mutex.unlock();
  });
  if (claimed.exchange(1) == 0)
    while (!is_set_under(a_mutex)) {
    }
  other.join();
}
RAVEL_TEST(sleeps_in_a_loop_or_asks_for_the_time) {
  static std::atomic<int> claimed;
  std::thread asks([] {
    if (claimed.exchange(1) == 0) (void)std::chrono::steady_clock::now();
  });
  if (claimed.exchange(1) == 0) wait_for_flag([] { std::this_thread::sleep_for(std::chrono::milliseconds(1)); });
  asks.join();
}
// It always holds one, so there is no place where it could wait.
RAVEL_TEST(hand_over_hand) {
  a_mutex.lock();
  const auto look = [] {
    other_mutex.lock();
    a_mutex.unlock();
    const bool result = is_set != 0;
    a_mutex.lock();
    other_mutex.unlock();
    return result;
  };
  const auto set = [] {
    counter = 1;
    const std::lock_guard hold(other_mutex);
    is_set = 1;
  };
  lock_until(look, set);
  a_mutex.unlock();
}
// What an iteration changes on its stack, and changes back, others may see.
[[gnu::noinline]] static bool change_and_look(int& on_stack) {
  a_mutex.lock();
  on_stack = 1;
  a_mutex.unlock();
  const std::lock_guard hold(a_mutex);
  on_stack = 0;
  return is_set != 0;
}
RAVEL_TEST(seen_on_its_stack) {
  int on_stack = 0;
  std::thread thread([&] {
    const std::lock_guard hold(a_mutex);
    assert(on_stack == 0 || on_stack == 1);
    is_set = 1;
  });
  while (!change_and_look(on_stack)) std::this_thread::yield();
  thread.join();
}
RAVEL_TEST(seen_by_nobody) {
  int on_stack = 0;
  lock_until([&] { return change_and_look(on_stack); }, set_under_mutex);
}
RAVEL_TEST(in_the_wrong_order) {
  std::thread thread([] {
    const std::lock_guard hold(a_mutex);
    const std::lock_guard hold_other(other_mutex);
    is_set = 1;
  });
  while (!is_set_at_once()) {
  }
  thread.join();
}

// Peterson's algorithm; it is wrong to say who may go first before one wants to.
static void enter_alone(int self, bool says_first) {
  if (says_first) turn = 1 - self;
  wants[self] = 1;
  if (!says_first) turn = 1 - self;
  while (wants[1 - self].load() && turn.load() == 1 - self) {
  }
  const int before = counter;
  x.load();
  counter = before + 1;
  wants[self] = 0;
}

RAVEL_TEST(two_conditions) {
  std::thread thread([] { enter_alone(1, false); });
  enter_alone(0, false);
  thread.join();
  assert(counter == 2);
}
RAVEL_TEST(two_conditions_in_the_wrong_order) {
  std::thread thread([] { enter_alone(1, true); });
  enter_alone(0, true);
  thread.join();
  assert(counter == 2);
}

RAVEL_TEST(in_the_middle_of_an_iteration) {
  std::thread thread([] {
    x = 1;
    y = 1;
  });
  int first = 0, second = 0;
  do {
    first = x;
    second = y;
  } while (second == 0);
  assert(first == 1);
  thread.join();
}

RAVEL_TEST(there_and_back) {
  std::thread thread([] {
    x = 1;
    x = 0;
    x = 1;
  });
  while (x.load() != 1) {
  }
  assert(x.load() == 1);
  thread.join();
}

RAVEL_TEST(a_bound_on_iterations) {
  std::thread thread(set_flag);
  int iterations = 0;
  while (flag.load() == 0 && iterations < 5) ++iterations;
  assert(iterations != 5);
  thread.join();
}

RAVEL_TEST(counts_its_iterations) {
  std::thread thread(set_flag);
  long iterations = 0;
  while (flag.load() == 0) ++iterations;
  assert(iterations >= 0 && iterations < 1'000'000);
  thread.join();
}

RAVEL_TEST(writes_in_its_iterations) {
  static long written = 0;
  std::thread thread(set_flag);
  while (flag.load() == 0) ++written;
  thread.join();
}

RAVEL_TEST(for_ever) {
  std::thread thread([] { x = 1; });
  while (flag.load() == 0) {
  }
  thread.join();
}
