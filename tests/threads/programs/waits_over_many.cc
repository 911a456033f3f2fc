// expect: pass --strategy dpor
// A thread that waits by looking at more things in turn than it is remembered to have seen gives way in a search that does
// without fairness at first, too: that search has to begin again with it.
#include <array>
#include <atomic>
#include <thread>

static std::array<std::atomic<bool>, 100> all{};

static bool one_is_set() {
  bool result = false;
  for (const std::atomic<bool>& one : all) result = one || result;
  return result;
}

int main() {
  std::thread setter([] { all[7] = true; });
  while (!one_is_set()) {
  }
  setter.join();
}
