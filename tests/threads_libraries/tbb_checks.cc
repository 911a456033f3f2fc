// Containers and locks of oneTBB 2021.8 (Debian: libtbb-dev). Its own libraries are not instrumented; the containers are headers. libtbbmalloc is
// linked, because the library would load it in the middle of an execution.
// needs: oneapi/tbb/concurrent_queue.h
// compile: -std=c++17 -Wl,--no-as-needed -ltbb -ltbbmalloc
// expect: pass -t queue_of_two_producers --preemptions 2
// expect: pass -t map_has_one_winner --preemptions 1
// expect: pass -t vector_grows --preemptions 1
// expect: pass -t spin_lock
// expect: pass -t map_has_one_winner --preemptions 2
#include <oneapi/tbb/concurrent_hash_map.h>
#include <oneapi/tbb/concurrent_queue.h>
#include <oneapi/tbb/concurrent_vector.h>
#include <oneapi/tbb/spin_mutex.h>
#include <ravel/test.h>

#include <cassert>
#include <thread>

RAVEL_TEST(queue_of_two_producers) {
  tbb::concurrent_queue<int> queue;
  std::thread other([&] { queue.push(1); });
  queue.push(2);
  other.join();
  int one = 0, two = 0, three = 0;
  assert(queue.try_pop(one) && queue.try_pop(two) && !queue.try_pop(three));
  assert(one + two == 3);
}

RAVEL_TEST(map_has_one_winner) {
  tbb::concurrent_hash_map<int, int> map;
  bool first = false, second = false;
  std::thread other([&] { first = map.insert({1, 1}); });
  second = map.insert({1, 2});
  other.join();
  assert(first != second && map.size() == 1);
}

RAVEL_TEST(vector_grows) {
  tbb::concurrent_vector<int> vector;
  std::thread other([&] { vector.push_back(1); });
  vector.push_back(2);
  other.join();
  assert(vector.size() == 2 && vector[0] + vector[1] == 3);
}

RAVEL_TEST(spin_lock) {
  tbb::spin_mutex mutex;
  int value = 0;
  const auto add = [&] {
    tbb::spin_mutex::scoped_lock lock(mutex);
    value = value + 1;
  };
  std::thread other(add);
  add();
  other.join();
  assert(value == 2);
}
