// What bugs need, in seven small programs: c preemptions at v variables, and an order of t threads. These are the programs that
// S. Bindal, S. Bansal, A. Lal, "Variable and thread bounding for systematic testing of multithreaded programs" (ISSTA 2013)
// explain their numbers with, figures 1 to 4 and 8 to 10; the results of `ravel check --strategy vt --json FILE` have the
// numbers of each bug. All threads of a program begin together: the main thread has no part in the bug.
//
// expect: preemptions=0 variables=0 threads=2 bug assertion -t figure_1 --strategy vt
// expect: preemptions=1 variables=1 threads=2 bug assertion -t figure_2 --strategy vt
// expect: preemptions=2 variables=1 threads=2 bug assertion -t figure_3 --strategy vt --preemptions 2
// expect: preemptions=2 variables=2 threads=2 bug assertion -t figure_4 --strategy vt --preemptions 2 --variables 2
// expect: preemptions=0 variables=0 threads=3 bug assertion -t figure_8 --strategy vt --threads 3
// expect: preemptions=1 variables=1 threads=3 bug assertion -t figure_9 --strategy vt --threads 3
// expect: preemptions=2 variables=2 threads=3 bug assertion -t figure_10 --strategy vt --preemptions 2 --variables 2 --threads 3
//
// With less than a bug needs it is not there.
//
// expect: pass -t figure_2 --strategy vt --preemptions 0
// expect: pass -t figure_3 --strategy vt --preemptions 1
// expect: pass -t figure_4 --strategy vt --preemptions 2 --variables 1
// expect: pass -t figure_9 --strategy vt --preemptions 0 --threads 3
// expect: pass -t figure_10 --strategy vt --preemptions 2 --variables 1 --threads 3
#include <ravel/test.h>

#include <atomic>
#include <cassert>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace {

// Atomic, so that the compiler keeps every access; in words of their own, which is what variables are told apart by.
alignas(8) std::atomic<int> a{0}, b{0};

void run_together(const std::vector<std::function<void()>>& bodies) {
  std::mutex gate;
  std::vector<std::thread> threads;
  {
    const std::lock_guard<std::mutex> closed(gate);
    for (const auto& body : bodies)
      threads.emplace_back([&gate, &body] {
        gate.lock();
        gate.unlock();
        body();
      });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace

RAVEL_TEST(figure_1) {
  run_together({[] { assert(a == 0); }, [] { a++; }});
}

RAVEL_TEST(figure_2) {
  run_together({[] {
                  const int first = a;
                  const int second = a;
                  assert(first == second);
                },
                [] { a++; }});
}

RAVEL_TEST(figure_3) {
  run_together({[] {
                  const int first = a;
                  const int second = a;
                  assert(first == second);
                },
                [] {
                  a = 1;
                  a = 0;
                }});
}

RAVEL_TEST(figure_4) {
  run_together({[] {
                  const int first = a;
                  const int second = a;
                  const int third = b;
                  assert(first == second || third != 1);
                },
                [] {
                  a = 1;
                  b = 1;
                  b = 0;
                }});
}

RAVEL_TEST(figure_8) {
  run_together({[] { a++; }, [] { a++; }, [] { assert(a != 2); }});
}

// The assertion is printed with the two the other way round, so that it could not fail.
RAVEL_TEST(figure_9) {
  run_together({[] {
                  const int first = a;
                  const int second = a;
                  assert(second <= first + 1);
                },
                [] { a++; },
                [] { a++; }});
}

RAVEL_TEST(figure_10) {
  run_together({[] {
                  const int first = a;
                  const int second = a;
                  const int third = b;
                  const int fourth = b;
                  assert(first == second || third == fourth);
                },
                [] { a++; },
                [] { b++; }});
}
