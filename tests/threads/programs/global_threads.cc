// A global object whose constructor makes a thread, and whose destructor waits for it. Both belong to each execution, and so do
// the constructors that name the tests.
// expect: bug assertion -t main
// expect: bug assertion -t does_not_wait
// expect: bug assertion -t does_not_wait --isolate
// expect: bug assertion -t does_not_wait --strategy random --seed 1
// expect: pass -t waits --preemptions 1
// expect: pass -t is_made_anew --preemptions 1
// expect: error -t nothing

#define RAVEL_TEST_WITHOUT_MAIN
#include <ravel/test.h>

#include <cassert>
#include <condition_variable>
#include <iostream>
#include <mutex>
#include <thread>

namespace {

class Worker {
 public:
  Worker() : thread_([this] { run(); }) {}
  ~Worker() {
    {
      const std::scoped_lock lock(mutex_);
      stops_ = true;
    }
    changed_.notify_all();
    thread_.join();
    assert(waiting_ == 0);
  }
  void post() {
    {
      const std::scoped_lock lock(mutex_);
      ++waiting_;
    }
    changed_.notify_all();
  }
  void wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return waiting_ == 0; });
  }
  int done() {
    const std::scoped_lock lock(mutex_);
    return done_;
  }

 private:
  void run() {
    std::unique_lock lock(mutex_);
    while (true) {
      changed_.wait(lock, [this] { return waiting_ > 0 || stops_; });
      if (waiting_ == 0) return;
      --waiting_;
      ++done_;
      changed_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  int waiting_ = 0, done_ = 0;
  bool stops_ = false;
  std::thread thread_;
};

Worker worker;

}  // namespace

RAVEL_TEST(waits) {
  worker.post();
  worker.wait();
  std::cout << "done" << std::endl;
  assert(worker.done() == 1);
}

RAVEL_TEST(does_not_wait) {
  worker.post();
  assert(worker.done() == 1);
}

RAVEL_TEST(is_made_anew) { assert(worker.done() == 0); }

int main() {
  worker.post();
  assert(worker.done() == 1);
}
