// moodycamel::ReaderWriterQueue, for one producer and one consumer (Debian: libreaderwriterqueue-dev).
// needs: readerwriterqueue/readerwriterqueue.h
// expect: pass -t one_of_each --preemptions 2
// expect: bug assertion -t two_producers_are_one_too_many
#include <readerwriterqueue/readerwriterqueue.h>
#include <ravel/test.h>

#include <cassert>
#include <thread>

using Queue = moodycamel::ReaderWriterQueue<int>;

RAVEL_TEST(one_of_each) {
  Queue queue(2);
  std::thread producer([&] {
    queue.enqueue(1);
    queue.enqueue(2);
    queue.enqueue(3);
  });
  int last = 0;
  for (int i = 0, got = 0; i < 3; ++i) {
    if (!queue.try_dequeue(got)) continue;
    assert(got == last + 1);
    last = got;
  }
  producer.join();
}

// What its documentation forbids.
RAVEL_TEST(two_producers_are_one_too_many) {
  Queue queue(8);
  std::thread other([&] { queue.enqueue(1); });
  queue.enqueue(2);
  other.join();
  int one = 0, two = 0;
  assert(queue.try_dequeue(one) && queue.try_dequeue(two));
}
