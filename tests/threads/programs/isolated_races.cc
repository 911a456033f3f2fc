// With a process for each execution races are found as without, and the search counts the same executions.
//
// expect: race counter bug assertion -t loses
// expect: race counter bug assertion -t loses --isolate
// expect: bug data_race -t loses --races bug --isolate
// expect: race counter bug assertion -t loses --isolate --strategy random --seed 3
// expect: executions=1 race counter pass -t loses --strategy random --budget 1x
// expect: executions=6 race counter bug assertion -t loses -k
// expect: executions=6 race counter bug assertion -t loses -k --isolate
// expect: race counter pass -t says --isolate
// expect: silent "data race" pass -t locks --isolate
#include <ravel/test.h>

#include <cassert>
#include <mutex>
#include <thread>

static int counter = 0;
static std::mutex mutex;

RAVEL_TEST(loses) {
  std::thread other([] { counter = counter + 1; });
  counter = counter + 1;
  other.join();
  assert(counter == 2);
}

RAVEL_TEST(says) {
  std::thread other([] { counter = 1; });
  counter = 2;
  other.join();
}

RAVEL_TEST(locks) {
  const auto add = [] {
    const std::lock_guard lock(mutex);
    ++counter;
  };
  std::thread other(add);
  add();
  other.join();
  assert(counter == 2);
}
