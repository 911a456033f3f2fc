// Two variables, of which the second one has a bug with one preemption: between two of its accesses nothing may come in between.
// How often each is accessed is given: access_frequency OTHER BUGGY
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <mutex>
#include <thread>

alignas(64) static std::atomic<int> other{0};
alignas(64) static std::atomic<int> buggy{0};

int main(int argc, char** argv) {
  const int others = argc > 1 ? std::atoi(argv[1]) : 10, buggies = argc > 2 ? std::atoi(argv[2]) : 10;
  std::mutex gate;
  gate.lock();
  std::thread reader([&] {
    gate.lock();
    gate.unlock();
    for (int i = 0; i < others / 2; ++i) other++;
    for (int i = 0; i < buggies - 3; ++i) buggy++;
    const int before = buggy++;
    const int after = buggy++;
    assert(after == before + 1);
    for (int i = 0; i < others - others / 2; ++i) other++;
  });
  std::thread writer([&] {
    gate.lock();
    gate.unlock();
    buggy++;
  });
  gate.unlock();
  reader.join();
  writer.join();
}
