// Blocks of megabytes that are there before main(): each execution begins with what they held then, and makes and frees others behind them.
// expect: pass -t finds_what_was_there --strategy random --budget 30x
// expect: pass -t finds_what_was_there --strategy random --budget 5x --isolate
// expect: bug assertion -t misses_an_update
// expect: bug use_after_free -t reads_what_is_gone --strategy random
#include <ravel/test.h>

#include <cassert>
#include <thread>
#include <vector>

std::vector<int> table(3'000'000, 7);
std::vector<int> other(2'000'000);

RAVEL_TEST(finds_what_was_there) {
  std::vector<char> large(6'000'000, 1);
  assert(table.front() == 7 && table[2'500'000] == 7 && table.back() == 7 && other[1'999'999] == 0);
  std::thread writer([] { table[2'500'000] = 8; });
  std::thread resizer([] {
    assert(other[0] == 0);
    other.assign(2'500'000, 9);
  });
  writer.join();
  resizer.join();
  assert(table[2'500'000] == 8 && other.back() == 9 && large.back() == 1);
}

RAVEL_TEST(misses_an_update) {
  const auto add = [] { table[1'000'000] = table[1'000'000] + 1; };
  std::thread one(add), two(add);
  one.join();
  two.join();
  assert(table[1'000'000] == 9);
}

RAVEL_TEST(reads_what_is_gone) {
  int* const last = &other.back();
  std::thread reader([last] { static_cast<void>(*static_cast<volatile int*>(last)); });
  other = {};
  other.shrink_to_fit();
  reader.join();
}
