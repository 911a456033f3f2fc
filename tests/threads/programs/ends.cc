// One program for each way to end badly, chosen by its argument.
//
// compile: -std=c++20
// expect: pass
// expect: bug assertion -- assertion
// expect: bug abort -- abort
// expect: bug uncaught_exception -- exception
// expect: bug uncaught_exception -- exception_in_thread
// expect: bug terminate -- joinable
// expect: bug exit_status -- status
// expect: bug exit_status -- exit_in_thread
// expect: bug crash -- null
// expect: pass --ignore crash -- null
// expect: error --ignore crashes -- null
// expect: bug crash -- division
// expect: bug stack_overflow -- overflow
// expect: says "stack of the thread overflows" bug stack_overflow -- overflow_with_operations
// expect: bug deadlock -- self_deadlock
// expect: bug deadlock -- lost_wakeup
// expect: bug misuse -- foreign_unlock
// expect: bug misuse -- destroy_locked
// expect: bug misuse -- join_twice
// expect: bug use_after_free -- use_after_free
// expect: bug double_free -- double_free
// expect: bug invalid_free -- invalid_free
// expect: bug event_bound --events 500 -- livelock
// expect: refused -- cancel
// expect: refused -- fork
// expect: says "has not come back" refused -- wait_in_system
#include <fcntl.h>
#include <pthread.h>
#include <sys/file.h>
#include <unistd.h>

#include <atomic>
#include <cassert>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>

namespace {

volatile int zero = 0;

int deep(volatile int depth) {
  volatile char space[4096];
  space[0] = static_cast<char>(depth);
  return deep(depth + 1) + space[0];
}

// The end of the stack is reached where the runtime is at work.
std::atomic<int> operations{0};
int deep_with_operations(volatile int depth) {
  volatile char space[1024];
  space[0] = static_cast<char>(depth);
  ++operations;
  return deep_with_operations(depth + 1) + space[0];
}

void use_after_free() {
  int* const value = new int(1);
  std::atomic<bool> freed{false};
  std::thread other([&] {
    delete value;
    freed = true;
  });
  while (!freed) std::this_thread::yield();
  *value = 2;
  other.join();
}

void lost_wakeup() {
  static std::mutex mutex;
  static std::condition_variable condition;
  std::thread other([] {
    std::unique_lock lock(mutex);
    condition.wait(lock);
  });
  condition.notify_one();
  other.join();
}

void livelock() {
  static std::atomic<bool> one{false}, two{false};
  std::thread other([] {
    while (!one) {
    }
    two = true;
  });
  while (!two) {
  }
  one = true;
  other.join();
}

// Another open file has the lock, of which nothing is known.
void wait_in_system() {
  const int file = fileno(std::tmpfile());
  const int again = open(("/proc/self/fd/" + std::to_string(file)).c_str(), O_RDWR);
  struct flock lock {};
  lock.l_type = F_WRLCK;
  fcntl(file, F_OFD_SETLKW, &lock);
  fcntl(again, F_OFD_SETLKW, &lock);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string how = argc > 1 ? argv[1] : "";
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  if (how == "assertion") assert(zero == 1);
  if (how == "abort") std::abort();
  if (how == "exception") throw std::runtime_error("nobody catches this");
  if (how == "exception_in_thread") std::thread([] { throw std::string("nobody catches this either, it is long"); }).join();
  if (how == "joinable") std::thread([] {});
  if (how == "status") return 3;
  if (how == "exit_in_thread") std::thread([] { std::exit(4); }).join();
  if (how == "null") *reinterpret_cast<volatile int*>(static_cast<long>(zero)) = 1;
  if (how == "division") return 10 / zero;
  if (how == "overflow") return deep(0);
  if (how == "overflow_with_operations") return deep_with_operations(0);
  if (how == "self_deadlock") pthread_mutex_lock(&mutex), pthread_mutex_lock(&mutex);
  if (how == "lost_wakeup") lost_wakeup();
  if (how == "foreign_unlock") {
    pthread_mutex_lock(&mutex);
    std::thread([&] { pthread_mutex_unlock(&mutex); }).join();
  }
  if (how == "destroy_locked") pthread_mutex_lock(&mutex), pthread_mutex_destroy(&mutex);
  if (how == "join_twice") {
    pthread_t thread;
    pthread_create(&thread, nullptr, [](void* p) { return p; }, nullptr);
    pthread_join(thread, nullptr);
    pthread_join(thread, nullptr);
  }
  if (how == "use_after_free") use_after_free();
  if (how == "double_free") {
    void* volatile block = std::malloc(8);
    std::free(block);
    std::free(block);
  }
  if (how == "invalid_free") std::free(const_cast<int*>(&zero));
  if (how == "livelock") livelock();
  if (how == "cancel") pthread_cancel(pthread_self());
  if (how == "wait_in_system") wait_in_system();
  if (how == "fork") return fork() == 0;
}
