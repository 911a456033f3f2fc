// Boost.Lockfree 1.74 (Debian: libboost-dev).
// needs: boost/lockfree/queue.hpp
// compile: -std=c++17
// expect: pass -t queue_of_two_producers --preemptions 2
// expect: pass -t queue_keeps_order --preemptions 2
// expect: pass -t stack_of_two --preemptions 2
// expect: pass -t ring_of_one_each
// expect: bug assertion -t ring_of_two_producers
#include <boost/lockfree/queue.hpp>
#include <boost/lockfree/spsc_queue.hpp>
#include <boost/lockfree/stack.hpp>
#include <ravel/test.h>

#include <cassert>
#include <thread>

RAVEL_TEST(queue_of_two_producers) {
  boost::lockfree::queue<int> queue(4);
  std::thread other([&] { assert(queue.push(1)); });
  assert(queue.push(2));
  other.join();
  int one = 0, two = 0, three = 0;
  assert(queue.pop(one) && queue.pop(two) && !queue.pop(three));
  assert(one + two == 3);
}

RAVEL_TEST(queue_keeps_order) {
  boost::lockfree::queue<int> queue(4);
  std::thread producer([&] {
    queue.push(1);
    queue.push(2);
  });
  int last = 0;
  for (int i = 0, got = 0; i < 2; ++i) {
    if (!queue.pop(got)) continue;
    assert(got == last + 1);
    last = got;
  }
  producer.join();
}

RAVEL_TEST(stack_of_two) {
  boost::lockfree::stack<int> stack(4);
  std::thread other([&] {
    int got = 0;
    assert(stack.push(1) && stack.pop(got) && got != 0);
  });
  int got = 0;
  assert(stack.push(2) && stack.pop(got) && got != 0);
  other.join();
  assert(stack.empty());
}

RAVEL_TEST(ring_of_one_each) {
  boost::lockfree::spsc_queue<int, boost::lockfree::capacity<2>> ring;
  std::thread producer([&] {
    for (int i = 1; i <= 3; ++i) ring.push(i);
  });
  int last = 0;
  for (int i = 0, got = 0; i < 3; ++i) {
    if (!ring.pop(got)) continue;
    assert(got > last);
    last = got;
  }
  producer.join();
}

// What its documentation forbids.
RAVEL_TEST(ring_of_two_producers) {
  boost::lockfree::spsc_queue<int, boost::lockfree::capacity<4>> ring;
  std::thread other([&] { ring.push(1); });
  ring.push(2);
  other.join();
  int one = 0, two = 0;
  assert(ring.pop(one) && ring.pop(two));
}
