// moodycamel::ConcurrentQueue (Debian: libconcurrentqueue-dev).
// needs: concurrentqueue/concurrentqueue.h
// compile: -std=c++17
// expect: pass -t two_producers --preemptions 2
// expect: pass -t producer_and_consumer --preemptions 1
// expect: pass -t consumers_share --preemptions 1
// expect: pass -t two_producers --strategy pos --budget 2000x
#include <concurrentqueue/concurrentqueue.h>
#include <ravel/test.h>

#include <cassert>
#include <thread>

using Queue = moodycamel::ConcurrentQueue<int>;

RAVEL_TEST(two_producers) {
  Queue queue;
  std::thread other([&] { queue.enqueue(1); });
  queue.enqueue(2);
  other.join();
  int one = 0, two = 0, three = 0;
  assert(queue.try_dequeue(one) && queue.try_dequeue(two) && !queue.try_dequeue(three));
  assert(one + two == 3);
}

// What one producer puts in comes out in its order.
RAVEL_TEST(producer_and_consumer) {
  Queue queue;
  std::thread producer([&] {
    queue.enqueue(1);
    queue.enqueue(2);
  });
  int last = 0;
  for (int i = 0, got = 0; i < 2; ++i) {
    if (!queue.try_dequeue(got)) continue;
    assert(got == last + 1);
    last = got;
  }
  producer.join();
}

RAVEL_TEST(consumers_share) {
  Queue queue;
  queue.enqueue(7);
  int first = 0, second = 0;
  bool has_first = false, has_second = false;
  std::thread consumer([&] { has_first = queue.try_dequeue(first); });
  has_second = queue.try_dequeue(second);
  consumer.join();
  assert(has_first != has_second);
}
