// An object where another one was destroyed is another one, whoever makes it: a constructor that writes zeros and calls nothing, a static
// initialiser, an initialising function. One that nobody has made is still the destroyed one.
// expect: pass -t condition_variables --preemptions 1
// expect: pass -t condition_variables --strategy random --seed 1 --budget 200x
// expect: pass -t any_condition_variables --preemptions 1
// expect: pass -t static_initialisers --preemptions 1
// expect: pass -t initialising_functions --preemptions 1
// expect: pass -t globals --preemptions 1
// expect: bug misuse -t signals_a_destroyed_one
// expect: bug misuse -t broadcasts_to_a_destroyed_one
// expect: bug misuse -t locks_a_destroyed_one
// expect: bug misuse -t destroys_twice
#include <pthread.h>
#include <ravel/test.h>

#include <condition_variable>
#include <mutex>
#include <new>
#include <thread>

namespace {

template <class ConditionVariable>
[[gnu::noinline]] void wait_once() {
  std::mutex mutex;
  ConditionVariable changed;
  bool is_done = false;
  std::thread thread([&] {
    const std::scoped_lock lock(mutex);
    is_done = true;
    changed.notify_all();
  });
  {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return is_done; });
  }
  thread.join();
}

[[gnu::noinline]] void use_static_initialisers() {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
  pthread_mutex_lock(&mutex);
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
  pthread_cond_destroy(&changed);
  pthread_mutex_destroy(&mutex);
}

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
alignas(std::condition_variable) char storage[sizeof(std::condition_variable)];

}  // namespace

RAVEL_TEST(condition_variables) {
  wait_once<std::condition_variable>();
  wait_once<std::condition_variable>();
}

RAVEL_TEST(any_condition_variables) {
  wait_once<std::condition_variable_any>();
  wait_once<std::condition_variable_any>();
}

RAVEL_TEST(static_initialisers) {
  use_static_initialisers();
  use_static_initialisers();
}

RAVEL_TEST(initialising_functions) {
  pthread_mutex_destroy(&mutex);
  pthread_mutex_init(&mutex, nullptr);
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  pthread_cond_destroy(&changed);
  pthread_cond_init(&changed, nullptr);
  pthread_cond_broadcast(&changed);
}

RAVEL_TEST(globals) {
  for (int i = 0; i < 2; ++i) {
    auto* const made = new (storage) std::condition_variable;
    made->notify_all();
    made->~condition_variable();
  }
}

RAVEL_TEST(signals_a_destroyed_one) {
  pthread_cond_destroy(&changed);
  pthread_cond_signal(&changed);
}

RAVEL_TEST(broadcasts_to_a_destroyed_one) {
  pthread_cond_destroy(&changed);
  pthread_cond_broadcast(&changed);
}

RAVEL_TEST(locks_a_destroyed_one) {
  pthread_mutex_destroy(&mutex);
  pthread_mutex_lock(&mutex);
}

RAVEL_TEST(destroys_twice) {
  pthread_mutex_destroy(&mutex);
  pthread_mutex_destroy(&mutex);
}
