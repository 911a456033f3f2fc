// What C++20 brings, in one correct program.
//
// compile: -std=c++20
// expect: pass --strategy random --budget 300x
// expect: pass --preemptions 0
#include <atomic>
#include <barrier>
#include <cassert>
#include <condition_variable>
#include <future>
#include <iostream>
#include <latch>
#include <memory>
#include <mutex>
#include <semaphore>
#include <shared_mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

struct Counted {
  static inline std::atomic<int> alive{0};
  Counted() { ++alive; }
  ~Counted() { --alive; }
};

struct Noisy {
  std::string text = "a text that does not fit into the string itself";
  static inline std::atomic<int> destroyed{0};
  ~Noisy() { ++destroyed; }
};

thread_local Noisy noisy;

const std::string& once() {
  static const std::string text = "made once, in whichever thread comes first, and long";
  return text;
}

void throws(int depth) {
  const std::string guard = "destroyed while the stack is unwound, deep down";
  if (depth == 0) throw std::runtime_error("thrown");
  throws(depth - 1);
}

int main() {
  std::atomic<int> gate{0};
  std::latch latch(2);
  std::barrier barrier(2);
  std::counting_semaphore<4> semaphore(0);
  std::shared_mutex shared;
  std::once_flag flag;
  int calls = 0;
  auto counted = std::make_shared<Counted>();
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 2; ++i) {
      threads.emplace_back([&, counted] {
        gate.wait(0);
        assert(noisy.text.size() > 20 && once().size() > 20);
        std::call_once(flag, [&] { ++calls; });
        try {
          throws(3);
          assert(false);
        } catch (const std::runtime_error& error) {
          assert(std::string(error.what()) == "thrown");
        }
        { std::shared_lock lock(shared); }
        { std::unique_lock lock(shared); }
        latch.arrive_and_wait();
        barrier.arrive_and_wait();
        semaphore.release();
      });
    }
    gate = 1;
    gate.notify_all();
    semaphore.acquire();
    semaphore.acquire();
  }
  assert(calls == 1 && Noisy::destroyed == 2);
  auto future = std::async(std::launch::async, [] { return 42; });
  assert(future.get() == 42);
  std::promise<int> promise;
  std::thread setter([&] { promise.set_value(3); });
  assert(promise.get_future().get() == 3);
  setter.join();
  counted.reset();
  assert(Counted::alive == 0);
  std::cout << "done\n";
}
