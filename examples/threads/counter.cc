// Three std::threads, each of which adds to a counter without a lock: a data race, and a lost update.
//
// expect: race counter bug assertion
// expect: bug data_race --races bug
#include <cassert>
#include <thread>
#include <vector>

int counter = 0;

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) threads.emplace_back([] { ++counter; });
  for (std::thread& thread : threads) thread.join();
  assert(counter == 3);
}
