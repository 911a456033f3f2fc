// What is no bug and still told: both accesses of a race with their callers, threads that outlive the program.
// expect: race total pass -t races
// expect: bug data_race -t races --races bug
// expect: says "P.1, which is made at warnings.cc:42 in leave_one" pass -t leaves
// expect: says "from warnings.cc:25 in pay_twice" pass -t races
// expect: says "in deposit, from warnings.cc:31 in races_thread" pass -t races
// expect: says "P.1 reads at warnings.cc:19 in deposit, from warnings.cc:31" bug data_race -t races --races bug
// expect: silent Warning pass -t joins
#include <pthread.h>
#include <ravel/test.h>

#include <thread>

int total = 0;

// Some lines of distance, so that each place is told apart.

[[gnu::noinline]] void deposit(int amount) {
  total = total + amount;
}

// The caller of the first access.

[[gnu::noinline]] void pay_twice() {
  deposit(1);
  deposit(1);
}

// The caller of the second one.
void races_thread() {
  deposit(5);
}

RAVEL_TEST(races) {
  std::thread thread(races_thread);
  pay_twice();
  thread.join();
}

[[gnu::noinline]] void leave_one() {
  pthread_t thread;
  pthread_create(&thread, nullptr, [](void*) -> void* { return nullptr; }, nullptr);
}

RAVEL_TEST(leaves) { leave_one(); }

RAVEL_TEST(joins) {
  std::thread thread([] {});
  thread.join();
}
