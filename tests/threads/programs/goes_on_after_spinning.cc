// A thread that has stood back because it spins may look once more when another one has changed something, and go on at once.
// expect: bug assertion -t a_flag --preemptions 1
// expect: bug assertion -t many_flags --preemptions 1
#include <ravel/test.h>

#include <array>
#include <atomic>
#include <cassert>
#include <thread>

static std::array<std::atomic<bool>, 40> flags{};
static std::atomic<int> data;

template <class Wait>
static void wait_for_data(Wait wait) {
  std::thread thread([] {
    flags.back() = true;
    data = 1;
  });
  wait();
  assert(data.load() == 1);
  thread.join();
}

RAVEL_TEST(a_flag) {
  wait_for_data([] {
    while (!flags.back().load()) {
    }
  });
}
RAVEL_TEST(many_flags) {
  const auto one_is_set = [] {
    bool result = false;
    for (const std::atomic<bool>& flag : flags) result = flag.load() || result;
    return result;
  };
  wait_for_data([=] {
    while (!one_is_set()) {
    }
  });
}
