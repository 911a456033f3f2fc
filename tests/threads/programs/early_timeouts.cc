// A time-out that is over while others can still go on, because these are slow: by default none is, and a pass says where it could have been.
// With --early N at most N are, and each bug is told with the fewest that it needs.
// expect: says "could go on at" pass
// expect: says "early_timeouts.cc:38; --early 1 tries that" pass
// expect: says "needs 1 early timeout" bug assertion --early 1
// expect: says "ms, early" bug assertion --early 1
// expect: says "needs 1 early timeout" bug assertion --early 1 --strategy dpor
// expect: silent "could have fired" bug assertion --early 2
// expect: says "needs 2 early timeouts" bug abort --early 2 -k --ignore assertion
// expect: pass --early 1 --ignore assertion
// expect: error --early 1 --time any
// expect: error --early 1 --strategy delay

#include <cassert>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <thread>

using namespace std::chrono_literals;

static std::mutex mutex;
static std::condition_variable answered;
static bool has_answer = false;
static int tries = 0;

static void answer() {
  std::lock_guard lock(mutex);
  has_answer = true;
  answered.notify_one();
}

int main() {
  std::thread server(answer);
  {
    std::unique_lock lock(mutex);
    bool is_in_time = answered.wait_for(lock, 100ms, [] { return has_answer; });
    if (!is_in_time) {
      ++tries;
      is_in_time = answered.wait_for(lock, 100ms, [] { return has_answer; });
      if (!is_in_time) std::abort();
    }
  }
  server.join();
  assert(tries == 0);
}
