// Choices of the test: every way is tried, once for each trace.
//
// Numbers that one thread chooses: 3 x 3, 2 x 2 x 2, 2 + 4 + 8, and none for the rest.
// expect: executions=9 pass -t two_numbers --strategy dpor
// expect: executions=9 pass -t two_numbers --strategy dfs
// expect: executions=9 pass -t two_numbers --strategy preemption
// expect: executions=9 pass -t two_numbers --strategy delay
// expect: executions=8 pass -t in_a_loop --strategy dpor
// expect: executions=14 pass -t how_often --strategy dpor
// expect: executions=14 pass -t how_often --strategy dfs
// expect: executions=1 pass -t one_way --strategy dfs
//
// Two threads that each choose one of three, and do nothing else, have no order that matters: 3 x 3. Their two events, and the
// five of the main thread, come in 19 orders.
// expect: executions=9 pass -t in_two_threads --strategy dpor
// expect: executions=9 pass -t in_two_threads --strategy dpor --isolate
// expect: executions=1 pass -t in_two_threads_one_way --strategy dpor
// expect: executions=19 pass -t in_two_threads_one_way --strategy dfs
// expect: executions=171 pass -t in_two_threads --strategy dfs
//
// Who locks first, and each of them one of two: 2 x 2 x 2.
// expect: executions=8 pass -t under_a_mutex --strategy dpor
// Only one of the two ways meets the other thread, in two orders: 1 + 2.
// expect: executions=3 pass -t whether_to_write --strategy dpor
// expect: pass -t whether_to_write --strategy dpor --preemptions 2
//
// What one of fifty leads to, and what two threads have to choose both.
// expect: says "chooses 37 of 50" bug assertion -t a_number_is_bad
// expect: bug assertion -t a_number_is_bad --strategy preemption
// expect: bug assertion -t a_number_is_bad --strategy random
// expect: bug assertion -t a_number_is_bad --strategy pct
// expect: bug assertion -t a_number_is_bad --strategy pos
// expect: bug assertion -t a_number_is_bad --strategy surw
// expect: says "chooses 2 of 3" bug assertion -t both_second
// expect: says "assertion 'not both of them' failed in" bug assertion -t both_second --strategy surw
// expect: says "of which it has drawn some" pass -t two_numbers --strategy vt
//
// A thread that chooses while it waits for another one does wait.
// expect: pass -t while_it_waits
// expect: pass -t while_it_waits --strategy dpor
// expect: pass -t until_it_is_enough --strategy dpor
//
// expect: says "chooses one of 0 in" bug misuse -t of_none
// expect: says "there have to be 1 to 1000" bug misuse -t of_too_many
#include <ravel.h>
#include <ravel/test.h>

#include <atomic>
#include <mutex>
#include <thread>

static std::mutex mutex;
static std::atomic<int> value;

RAVEL_TEST(two_numbers) {
  const int first = ravel_choose(3), second = ravel_choose(3);
  ravel_assert(first >= 1 && second >= 1 && first + second <= 6, "both are of 1 to 3");
}

RAVEL_TEST(in_a_loop) {
  for (int i = 0; i < 3; ++i) ravel_choose(2);
}

RAVEL_TEST(how_often) {
  for (int left = ravel_choose(3); left > 0; --left) ravel_choose(2);
}

RAVEL_TEST(one_way) { ravel_assert(ravel_choose(1) == 1, "there is no other way"); }

static void choose_in_two_threads(int ways) {
  std::thread first([=] { ravel_choose(ways); });
  std::thread second([=] { ravel_choose(ways); });
  first.join();
  second.join();
}
RAVEL_TEST(in_two_threads) { choose_in_two_threads(3); }
RAVEL_TEST(in_two_threads_one_way) { choose_in_two_threads(1); }

RAVEL_TEST(under_a_mutex) {
  int sum = 0;
  const auto add = [&] {
    std::lock_guard<std::mutex> lock(mutex);
    sum += ravel_choose(2);
  };
  std::thread other(add);
  add();
  other.join();
  ravel_assert(sum >= 2 && sum <= 4, "each has added its number");
}

RAVEL_TEST(whether_to_write) {
  std::thread other([] {
    if (ravel_choose(2) == 2) value.store(1);
  });
  value.load();
  other.join();
}

RAVEL_TEST(a_number_is_bad) { ravel_assert(ravel_choose(50) != 37, "any but one"); }

RAVEL_TEST(both_second) {
  std::atomic<int> seconds{0};
  const auto choose = [&] {
    if (ravel_choose(3) == 2) ++seconds;
  };
  std::thread other(choose);
  choose();
  other.join();
  ravel_assert(seconds != 2, "not both of them");
}

RAVEL_TEST(while_it_waits) {
  std::thread other([] { value.store(1); });
  while (value.load() == 0) ravel_choose(1);
  other.join();
}

RAVEL_TEST(until_it_is_enough) {
  std::thread other([] { value.store(1); });
  while (value.load() == 0 && ravel_choose(2) == 1) {
  }
  other.join();
}

RAVEL_TEST(of_none) { ravel_choose(0); }
RAVEL_TEST(of_too_many) { ravel_choose(1001); }
