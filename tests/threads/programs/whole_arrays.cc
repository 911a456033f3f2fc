// A bug at two words of an array, and of a block of the heap: two variables, or one.
//
// expect: pass -t array --strategy vt --preemptions 2 --variables 1
// expect: variables=2 bug assertion -t array --strategy vt --preemptions 2 --variables 2
// expect: variables=1 bug assertion -t array --strategy vt --preemptions 2 --variables 1 --arrays whole
// expect: variables=1 bug assertion -t block --strategy vt --preemptions 2 --variables 1 --arrays whole
// expect: pass -t block --strategy vt --preemptions 2 --variables 1
// expect: pass -t array --strategy preemption --preemptions 2 --variables 1
// expect: bug assertion -t array --strategy preemption --preemptions 2 --variables 1 --arrays whole
// expect: bug assertion -t array --strategy pct --variables 1 --arrays whole
// expect: error -t array --strategy random --arrays whole
// expect: variables=1 bug assertion -t array --strategy vt --preemptions 2 --variables 1 --arrays whole --isolate
// expect: variables=1 bug assertion -t block --strategy vt --preemptions 2 --variables 1 --arrays whole --isolate
// expect: variables=2 bug assertion -t block --strategy vt --preemptions 2 --variables 2 --isolate
// expect: pass -t block --strategy preemption --preemptions 2 --variables 1 --isolate
#include <ravel/test.h>

#include <atomic>
#include <cassert>
#include <memory>
#include <mutex>
#include <thread>

namespace {

struct Pair {
  alignas(8) std::atomic<int> a{0};
  alignas(8) std::atomic<int> b{0};
};

Pair global;

// As figure 4 of examples/threads/variable_thread_numbers.cc.
void run(Pair& pair) {
  std::mutex gate;
  gate.lock();
  std::thread reader([&] {
    gate.lock();
    gate.unlock();
    const int first = pair.a;
    const int second = pair.a;
    const int third = pair.b;
    assert(first == second || third != 1);
  });
  std::thread writer([&] {
    gate.lock();
    gate.unlock();
    pair.a = 1;
    pair.b = 1;
    pair.b = 0;
  });
  gate.unlock();
  reader.join();
  writer.join();
}

}  // namespace

RAVEL_TEST(array) { run(global); }

RAVEL_TEST(block) {
  const auto pair = std::make_unique<Pair>();
  run(*pair);
}
