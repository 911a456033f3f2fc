// What threads share inside the C library, without a data race of the program's own: in each test the order of two calls decides.
// expect: bug assertion -t random_numbers --strategy dpor
// expect: bug assertion -t random_numbers --strategy dfs
// expect: silent "data race" bug assertion -t random_numbers
// expect: bug assertion -t random_numbers --accesses sync
// expect: bug assertion -t random_numbers --races bug
// expect: executions=2 pass -t random_numbers_behind_a_lock --strategy dpor
// expect: bug assertion -t tokens --strategy dpor
// expect: race "the state of strtok()" bug assertion -t tokens --strategy dfs
// expect: bug data_race -t tokens --races bug
// expect: bug assertion -t broken_down_times --strategy dpor
// expect: bug assertion -t broken_down_times --strategy dfs
// expect: bug assertion -t texts_of_times --strategy dpor
// expect: bug assertion -t environment --strategy dpor
// expect: race "the environment" bug assertion -t environment --strategy dfs
// expect: bug assertion -t locale --strategy dpor
// expect: bug assertion -t seeds_of_drand48 --strategy dpor
// expect: bug assertion -t system_random_numbers --strategy dpor
// expect: bug assertion -t system_random_numbers --strategy dfs
// expect: bug assertion -t working_folder --strategy dpor
// expect: executions=1 pass -t nothing_is_shared --strategy dpor
#include <locale.h>
#include <ravel/test.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include <cassert>
#include <mutex>
#include <thread>

// Both in each order, the one of this thread second as a rule.
template <class Function, class Other>
static void side_by_side(Function function, Other other) {
  std::thread thread(function);
  other();
  thread.join();
}

RAVEL_TEST(random_numbers) {
  srand(1);
  const int first = rand();
  srand(1);
  int theirs = 0, mine = 0;
  side_by_side([&] { theirs = rand(); }, [&] { mine = rand(); });
  assert(mine == first);
}

RAVEL_TEST(random_numbers_behind_a_lock) {
  std::mutex mutex;
  const auto draw = [&] {
    const std::lock_guard guard(mutex);
    rand();
  };
  side_by_side(draw, draw);
}

RAVEL_TEST(tokens) {
  char one[] = "a b", two[] = "c d";
  char* next = nullptr;
  side_by_side([&] { strtok(one, " "); },
               [&] {
                 strtok(two, " ");
                 next = strtok(nullptr, " ");
               });
  assert(next != nullptr && *next == 'd');
}

RAVEL_TEST(broken_down_times) {
  const time_t epoch = 0, later = 1'000'000'000;
  int year = 0;
  side_by_side([&] { gmtime(&later); }, [&] { year = gmtime(&epoch)->tm_year; });
  assert(year == 70);
}

RAVEL_TEST(texts_of_times) {
  tm one{}, two{};
  one.tm_mday = two.tm_mday = 1;
  one.tm_year = 70, two.tm_year = 99;
  char digit = 0;
  side_by_side([&] { asctime(&two); }, [&] { digit = asctime(&one)[22]; });
  assert(digit == '7');
}

RAVEL_TEST(environment) {
  setenv("RAVEL_TESTED", "1", 1);
  const char* found = nullptr;
  side_by_side([] { setenv("RAVEL_TESTED", "2", 1); }, [&] { found = getenv("RAVEL_TESTED"); });
  assert(*found == '1');
}

RAVEL_TEST(locale) {
  const char* found = nullptr;
  side_by_side([] { setlocale(LC_NUMERIC, "POSIX"); setlocale(LC_NUMERIC, "C.UTF-8"); }, [&] { found = setlocale(LC_NUMERIC, nullptr); });
  assert(strcmp(found, "C") == 0);
}

RAVEL_TEST(seeds_of_drand48) {
  srand48(1);
  const double first = drand48();
  srand48(1);
  double mine = 0;
  side_by_side([] { drand48(); }, [&] { mine = drand48(); });
  assert(mine == first);
}

RAVEL_TEST(system_random_numbers) {
  unsigned theirs = 0, mine = 0;
  side_by_side([&] { getrandom(&theirs, sizeof theirs, 0); }, [&] { getrandom(&mine, sizeof mine, 0); });
  // The first two numbers of an execution are the same in each, whoever gets them.
  assert(mine < theirs);
}

RAVEL_TEST(working_folder) {
  char before[256], found[256];
  getcwd(before, sizeof before);
  side_by_side([] { chdir("/"); }, [&] { getcwd(found, sizeof found); });
  assert(strcmp(before, found) == 0);
}

RAVEL_TEST(nothing_is_shared) {
  srand(7);
  assert(getenv("RAVEL_NOT_THERE") == nullptr);
  const time_t epoch = 0;
  std::thread thread([&] {
    rand();
    gmtime(&epoch);
  });
  thread.join();
  rand();
  gmtime(&epoch);
}
