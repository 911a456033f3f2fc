// max0x7ba's atomic_queue (Debian: libatomic-queue-dev).
// needs: atomic_queue/atomic_queue.h
// compile: -std=c++17
// expect: pass -t two_producers --preemptions 2
// expect: pass -t keeps_order --preemptions 2
// expect: pass -t waits_for_room --preemptions 2
#include <atomic_queue/atomic_queue.h>
#include <ravel/test.h>

#include <cassert>
#include <thread>

RAVEL_TEST(two_producers) {
  atomic_queue::AtomicQueue<int, 4> queue;
  std::thread other([&] { assert(queue.try_push(1)); });
  assert(queue.try_push(2));
  other.join();
  int one = 0, two = 0, three = 0;
  assert(queue.try_pop(one) && queue.try_pop(two) && !queue.try_pop(three));
  assert(one + two == 3);
}

RAVEL_TEST(keeps_order) {
  atomic_queue::AtomicQueue<int, 2> queue;
  std::thread producer([&] {
    queue.try_push(1);
    queue.try_push(2);
  });
  int last = 0;
  for (int i = 0, got = 0; i < 2; ++i) {
    if (!queue.try_pop(got)) continue;
    assert(got == last + 1);
    last = got;
  }
  producer.join();
}

// push() and pop() spin until there is room or an element.
RAVEL_TEST(waits_for_room) {
  atomic_queue::AtomicQueueB2<int> queue(2);
  std::thread producer([&] {
    for (int i = 1; i <= 3; ++i) queue.push(i);
  });
  for (int i = 1; i <= 3; ++i) assert(queue.pop() == i);
  producer.join();
}
