// Operations that ask for less than sequential consistency are told where that could make a difference: where threads that nothing orders
// meet at two words. Nowhere else is anything said of memory.
//
// compile: -std=c++20
// expect: says "weak_orders.cc:44)" pass -t store_buffer
// expect: says "what weaker orders allow was not tried" pass -t store_buffer --strategy dpor
// expect: says "Threads met at atomic operations" pass -t store_buffer --isolate --budget 40x --strategy random
// expect: says "Threads met at atomic operations" pass -t two_counters
// expect: says "weak_orders.cc:54;" pass -t one_side_is_weak
// expect: silent "consisten" pass -t store_buffer_in_one_order
// expect: silent "consisten" pass -t flag
// expect: silent "consisten" pass -t one_counter
// expect: silent "consisten" pass -t counters_of_one_thread
// expect: silent "consisten" pass -t no_atomics
// expect: silent "consisten" pass -t behind_a_mutex

#include <ravel/test.h>

#include <atomic>
#include <mutex>
#include <thread>

namespace {

std::atomic<int> x, y;

template <class First, class Second>
void together(First first, Second second) {
  std::thread other(first);
  second();
  other.join();
}

template <std::memory_order store, std::memory_order load>
void buffer(std::atomic<int>& own, std::atomic<int>& others) {
  own.store(1, store);
  static_cast<void>(others.load(load));
}

}  // namespace

RAVEL_TEST(store_buffer) {
  together([] { x.store(1, std::memory_order_release), static_cast<void>(y.load(std::memory_order_acquire)); },
           [] { y.store(1, std::memory_order_release), static_cast<void>(x.load(std::memory_order_acquire)); });
}

RAVEL_TEST(two_counters) {
  together([] { x.fetch_add(1, std::memory_order_relaxed), y.fetch_add(1, std::memory_order_relaxed); },
           [] { y.fetch_add(1, std::memory_order_relaxed), x.fetch_add(1, std::memory_order_relaxed); });
}

RAVEL_TEST(one_side_is_weak) {
  together([] { x.store(1), static_cast<void>(y.load()); },
           [] { y.store(1), static_cast<void>(x.load(std::memory_order_relaxed)); });
}

RAVEL_TEST(store_buffer_in_one_order) {
  constexpr auto kOrder = std::memory_order_seq_cst;
  together([] { buffer<kOrder, kOrder>(x, y); }, [] { buffer<kOrder, kOrder>(y, x); });
}

// One word, and what is ordered by it.
RAVEL_TEST(flag) {
  static int value;
  together([] { value = 1, x.store(1, std::memory_order_release); },
           [] {
             if (x.load(std::memory_order_acquire) == 1) ++value;
           });
}

RAVEL_TEST(one_counter) {
  together([] { x.fetch_add(1, std::memory_order_relaxed); }, [] { x.fetch_add(1, std::memory_order_relaxed); });
}

RAVEL_TEST(counters_of_one_thread) {
  together([] { x.fetch_add(1, std::memory_order_relaxed); }, [] { y.fetch_add(1, std::memory_order_relaxed); });
}

RAVEL_TEST(no_atomics) {
  static std::mutex mutex;
  together([] { std::lock_guard lock(mutex); }, [] { std::lock_guard lock(mutex); });
}

RAVEL_TEST(behind_a_mutex) {
  static std::mutex mutex;
  const auto both = [] {
    std::lock_guard lock(mutex);
    x.fetch_add(1, std::memory_order_relaxed), y.fetch_add(1, std::memory_order_relaxed);
  };
  together(both, both);
}
