// A wait that is not in a loop relies on waking only when it is told to; an exchange that may fail relies on not doing so.
//
// expect: pass
// expect: says "needs 1 spurious wake-up, " bug assertion --spurious
// expect: bug assertion --spurious --strategy random
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex mutex;
static std::condition_variable condition;
static bool ready = false;

int main() {
  std::thread setter([] {
    std::lock_guard<std::mutex> lock(mutex);
    ready = true;
    condition.notify_one();
  });
  {
    std::unique_lock<std::mutex> lock(mutex);
    if (!ready) condition.wait(lock);
    assert(ready);
  }
  setter.join();
}
