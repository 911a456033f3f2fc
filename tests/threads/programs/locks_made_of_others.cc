// A lock made of a mutex, a flag and a condition variable, and a thread that takes it again and again until
// another one, which needs it too, has done something. Fairness lets the other one have it: there is no livelock.
//
// expect: pass --preemptions 1 -t polled_under_a_lock
// expect: pass --strategy random --budget 200x -t polled_under_a_lock
// expect: pass --preemptions 0 -t polled_under_two_locks
// expect: bug deadlock -t forgets_to_wake

#include <ravel/test.h>

#include <condition_variable>
#include <mutex>
#include <thread>

namespace {

template <bool wakes = true>
class Lock {
 public:
  void lock() {
    std::unique_lock guard(mutex_);
    while (is_held_) gate_.wait(guard);
    is_held_ = true;
  }
  void unlock() {
    {
      std::lock_guard guard(mutex_);
      is_held_ = false;
    }
    if (wakes) gate_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable gate_;
  bool is_held_ = false;
};

bool is_done = false;

template <class L>
void poll_under(L& lock) {
  std::thread other([&] {
    lock.lock();
    is_done = true;
    lock.unlock();
  });
  for (bool has_seen = false; !has_seen;) {
    lock.lock();
    has_seen = is_done;
    lock.unlock();
  }
  other.join();
}

}  // namespace

RAVEL_TEST(polled_under_a_lock) {
  static Lock<> lock;
  poll_under(lock);
}

RAVEL_TEST(polled_under_two_locks) {
  struct Both {
    Lock<> outer, inner;
    void lock() { outer.lock(), inner.lock(); }
    void unlock() { inner.unlock(), outer.unlock(); }
  };
  static Both both;
  poll_under(both);
}

RAVEL_TEST(forgets_to_wake) {
  static Lock<false> lock;
  std::thread other([] {
    lock.lock();
    lock.unlock();
  });
  lock.lock();
  lock.unlock();
  other.join();
}
