// Objects of synchronisation that were freed, destroyed, or left by the function or thread whose variable they were, when another
// thread uses them: whoever touches them, the program or the C++ library. And how an object may be given up at once after its last use.
//
// compile: -std=c++20
// expect: bug use_after_free -t condition_of_the_library
// expect: bug use_after_free -t condition_of_the_library --strategy dpor
// expect: bug misuse -t destroyed_condition
// expect: bug use_after_free -t semaphore
// expect: bug use_after_free -t semaphore --strategy dpor
// expect: bug misuse -t destroyed_semaphore
// expect: bug misuse -t destroyed_semaphore --strategy dpor
// expect: bug use_after_free -t mutex_that_is_waited_for
// expect: bug use_after_free -t mutex_that_is_waited_for --strategy dpor
// expect: bug use_after_free -t mutex_that_is_held
// expect: bug use_after_free -t read_write_lock
// expect: bug misuse -t destroyed_read_write_lock
// expect: bug use_after_free -t spin_lock
// expect: bug misuse -t destroyed_spin_lock
// expect: bug use_after_free -t barrier
// expect: bug misuse -t destroyed_barrier
// expect: bug use_after_free -t once
// expect: bug use_after_free -t latch
// expect: bug use_after_free -t latch --strategy dpor
// expect: bug use_after_free -t cpp_barrier
// expect: bug use_after_free -t waits_for_an_atomic
// expect: bug use_after_free -t counting_semaphore
// expect: bug use_after_free -t c11_condition
// expect: bug use_after_free -t in_a_large_block --strategy dpor
// expect: says "on the stack of a function that has returned" bug use_after_free -t function_that_has_returned
// expect: says "on the stack of a function that has returned" bug use_after_free -t atomic_of_a_function
// expect: says "on the stack of a thread that has ended" bug use_after_free -t thread_that_has_ended
// expect: says "on the stack of a thread that has ended" bug use_after_free -t variable_of_a_thread
// expect: pass -t signal_under_the_mutex
// expect: pass -t signal_under_the_mutex --strategy dpor
// expect: pass -t woken_waiters
// expect: pass -t posted_for_the_last_time
// expect: pass -t unlocked_for_the_last_time
// expect: pass -t latch_of_a_function
// expect: pass -t destroyed_by_the_last_one
// expect: pass -t made_again

#include <pthread.h>
#include <ravel/test.h>
#include <semaphore.h>
#include <threads.h>

#include <atomic>
#include <barrier>
#include <cassert>
#include <condition_variable>
#include <latch>
#include <memory>
#include <mutex>
#include <new>
#include <semaphore>
#include <thread>

namespace {

struct Event {
  std::mutex mutex;
  std::condition_variable condition;
  bool is_set = false;

  void await() {
    std::unique_lock lock(mutex);
    condition.wait(lock, [&] { return is_set; });
  }
};

// Frees what another thread has said it is done with, one statement too early.
struct Handover {
  std::atomic<bool> is_done = false;
  void give() { is_done.store(true); }
  bool take() const { return is_done.load(); }
};

// The object is freed when the other thread has given it, if it has by then; and the other thread goes on to use it.
template <class Object, class Use>
void use_behind_handover(Object* object, Use use) {
  static Handover handover;
  std::thread user([object, use] {
    handover.give();
    use(*object);
  });
  if (handover.take()) {
    delete object;
    user.join();
  } else {
    user.join();
    delete object;
  }
}

// The same, destroyed by the function that is for that.
template <class Object, class Use, class Destroy>
void use_behind_destruction(Object& object, Use use, Destroy destroy) {
  static Handover handover;
  std::thread user([&object, use] {
    handover.give();
    use(object);
  });
  if (!handover.take()) user.join();
  destroy(object);
  if (user.joinable()) user.join();
}

}  // namespace

RAVEL_TEST(condition_of_the_library) {
  auto event = std::make_unique<Event>();
  std::thread setter([p = event.get()] {
    {
      std::lock_guard lock(p->mutex);
      p->is_set = true;
    }
    p->condition.notify_one();
  });
  event->await();
  event.reset();
  setter.join();
}

RAVEL_TEST(signal_under_the_mutex) {
  auto event = std::make_unique<Event>();
  std::thread setter([p = event.get()] {
    std::lock_guard lock(p->mutex);
    p->is_set = true;
    p->condition.notify_one();
  });
  event->await();
  event.reset();
  setter.join();
}

RAVEL_TEST(destroyed_condition) {
  static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
  use_behind_destruction(condition, [](pthread_cond_t& c) { pthread_cond_broadcast(&c); },
                         [](pthread_cond_t& c) { pthread_cond_destroy(&c); });
}

RAVEL_TEST(semaphore) {
  auto* const semaphore = new sem_t;
  sem_init(semaphore, 0, 0);
  use_behind_handover(semaphore, [](sem_t& s) { sem_post(&s); });
}

RAVEL_TEST(destroyed_semaphore) {
  static sem_t semaphore;
  sem_init(&semaphore, 0, 0);
  use_behind_destruction(semaphore, [](sem_t& s) { sem_post(&s); }, [](sem_t& s) { sem_destroy(&s); });
}

// Who locks waits, and the owner frees it meanwhile.
RAVEL_TEST(mutex_that_is_waited_for) {
  use_behind_handover(new std::mutex, [](std::mutex& m) { std::lock_guard lock(m); });
}

RAVEL_TEST(mutex_that_is_held) {
  auto* const mutex = new std::mutex;
  mutex->lock();
  delete mutex;
  mutex->unlock();
}

RAVEL_TEST(read_write_lock) {
  auto* const lock = new pthread_rwlock_t;
  pthread_rwlock_init(lock, nullptr);
  use_behind_handover(lock, [](pthread_rwlock_t& l) {
    pthread_rwlock_rdlock(&l);
    pthread_rwlock_unlock(&l);
  });
}

RAVEL_TEST(destroyed_read_write_lock) {
  static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
  use_behind_destruction(
      lock,
      [](pthread_rwlock_t& l) {
        pthread_rwlock_wrlock(&l);
        pthread_rwlock_unlock(&l);
      },
      [](pthread_rwlock_t& l) { pthread_rwlock_destroy(&l); });
}

RAVEL_TEST(spin_lock) {
  auto* const lock = new pthread_spinlock_t[1];
  pthread_spin_init(lock, PTHREAD_PROCESS_PRIVATE);
  pthread_spin_lock(lock);
  delete[] lock;
  pthread_spin_unlock(lock);
}

RAVEL_TEST(destroyed_spin_lock) {
  static pthread_spinlock_t lock;
  pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
  use_behind_destruction(
      lock,
      [](pthread_spinlock_t& l) {
        pthread_spin_lock(&l);
        pthread_spin_unlock(&l);
      },
      [](pthread_spinlock_t& l) { pthread_spin_destroy(&l); });
}

RAVEL_TEST(barrier) {
  auto* const barrier = new pthread_barrier_t;
  pthread_barrier_init(barrier, nullptr, 1);
  use_behind_handover(barrier, [](pthread_barrier_t& b) { pthread_barrier_wait(&b); });
}

RAVEL_TEST(destroyed_barrier) {
  static pthread_barrier_t barrier;
  pthread_barrier_init(&barrier, nullptr, 1);
  use_behind_destruction(barrier, [](pthread_barrier_t& b) { pthread_barrier_wait(&b); },
                         [](pthread_barrier_t& b) { pthread_barrier_destroy(&b); });
}

RAVEL_TEST(once) {
  use_behind_handover(new std::once_flag, [](std::once_flag& f) { std::call_once(f, [] {}); });
}

RAVEL_TEST(latch) {
  use_behind_handover(new std::latch(1), [](std::latch& l) { l.count_down(); });
}

RAVEL_TEST(cpp_barrier) {
  use_behind_handover(new std::barrier<>(1), [](std::barrier<>& b) { b.arrive_and_wait(); });
}

RAVEL_TEST(waits_for_an_atomic) {
  use_behind_handover(new std::atomic<int>(1), [](std::atomic<int>& a) { a.wait(0); });
}

RAVEL_TEST(counting_semaphore) {
  use_behind_handover(new std::counting_semaphore<4>(0), [](std::counting_semaphore<4>& s) { s.release(); });
}

RAVEL_TEST(c11_condition) {
  auto* const condition = new cnd_t;
  cnd_init(condition);
  use_behind_handover(condition, [](cnd_t& c) { cnd_signal(&c); });
}

RAVEL_TEST(in_a_large_block) {
  struct Large {
    char bytes[100'000];
    Event event;
  };
  auto* const large = new Large;
  use_behind_handover(large, [](Large& l) { l.event.condition.notify_all(); });
}

namespace {

std::atomic<pthread_cond_t*> announced;
std::atomic<std::atomic<int>*> shared_number;
std::atomic<bool> is_left;

[[gnu::noinline]] void announce_condition() {
  pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
  announced.store(&condition);
}

[[gnu::noinline]] void share_number() {
  std::atomic<int> number = 0;
  shared_number.store(&number);
}

// What is called afterwards does not lie over what the function had.
[[gnu::noinline]] void call_deep_down(void (*function)()) {
  volatile char bytes[1000];
  bytes[0] = 1;
  function();
  bytes[1] = bytes[0];
}

}  // namespace

RAVEL_TEST(function_that_has_returned) {
  std::thread signaller([] {
    if (pthread_cond_t* const condition = announced.load()) pthread_cond_signal(condition);
  });
  call_deep_down(announce_condition);
  is_left.store(true);
  signaller.join();
}

RAVEL_TEST(atomic_of_a_function) {
  std::thread changer([] {
    if (std::atomic<int>* const number = shared_number.load()) number->fetch_add(1);
  });
  call_deep_down(share_number);
  is_left.store(true);
  changer.join();
}

RAVEL_TEST(thread_that_has_ended) {
  static std::mutex* mutex = nullptr;
  std::thread([] {
    std::mutex own;
    mutex = &own;
  }).join();
  mutex->lock();
}

RAVEL_TEST(variable_of_a_thread) {
  static int* number = nullptr;
  std::thread([] {
    int own = 1;
    number = &own;
    std::this_thread::yield();
  }).join();
  *number = 2;
}

// Who was woken needs the condition variable no more.
RAVEL_TEST(woken_waiters) {
  struct Gate {
    std::condition_variable condition;
    bool is_waiting = false;
  };
  static std::mutex mutex;
  auto* const gate = new Gate;
  static bool is_open = false;
  std::thread waiter([gate] {
    std::unique_lock lock(mutex);
    gate->is_waiting = true;
    if (!is_open) gate->condition.wait(lock);
  });
  while (true) {
    std::unique_lock lock(mutex);
    if (!gate->is_waiting) continue;
    is_open = true;
    gate->condition.notify_all();
    delete gate;
    break;
  }
  waiter.join();
}

RAVEL_TEST(posted_for_the_last_time) {
  auto* const semaphore = new sem_t;
  sem_init(semaphore, 0, 0);
  std::thread poster([semaphore] { sem_post(semaphore); });
  sem_wait(semaphore);
  sem_destroy(semaphore);
  delete semaphore;
  poster.join();
}

// The last one to have it deletes it.
RAVEL_TEST(unlocked_for_the_last_time) {
  struct Shared {
    std::mutex mutex;
    int users = 2;
  };
  auto* const shared = new Shared;
  const auto leave = [shared] {
    shared->mutex.lock();
    const bool is_last = --shared->users == 0;
    shared->mutex.unlock();
    if (is_last) delete shared;
  };
  std::thread other(leave);
  leave();
  other.join();
}

namespace {

[[gnu::noinline]] void await_latch(std::thread& worker) {
  std::latch latch(1);
  worker = std::thread([&] { latch.count_down(); });
  latch.wait();
}

}  // namespace

// It wakes those who wait behind its change of the latch, when it may be no more.
RAVEL_TEST(latch_of_a_function) {
  std::thread worker;
  await_latch(worker);
  is_left.store(true);
  worker.join();
}

RAVEL_TEST(destroyed_by_the_last_one) {
  auto* const barrier = new pthread_barrier_t;
  pthread_barrier_init(barrier, nullptr, 2);
  const auto meet = [barrier] {
    if (pthread_barrier_wait(barrier) != PTHREAD_BARRIER_SERIAL_THREAD) return;
    pthread_barrier_destroy(barrier);
    delete barrier;
  };
  std::thread other(meet);
  meet();
  other.join();
}

RAVEL_TEST(made_again) {
  sem_t semaphore;
  pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
  for (int i = 0; i < 2; ++i) {
    sem_init(&semaphore, 0, 1);
    sem_wait(&semaphore);
    sem_destroy(&semaphore);
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_destroy(&lock);
    lock = PTHREAD_RWLOCK_INITIALIZER;
  }
}
