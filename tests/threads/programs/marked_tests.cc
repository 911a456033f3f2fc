// Several tests in one program, each with memory of its own: what one leaves behind, the next one does not find.
// expect: bug assertion -t loses_an_update
// expect: executions=4 pass -t holds_the_lock
// expect: pass -t finds_nothing_of_others
// expect: bug exit_status -t ends_the_program
// expect: bug deadlock -t two_locks
// expect: bug uncaught_exception -t throws_in_a_thread --isolate
// expect: bug abort -t main
// expect: error -t nothing

#define RAVEL_TEST_WITHOUT_MAIN
#include <ravel/test.h>

#include <cassert>
#include <cstdlib>
#include <mutex>
#include <stdexcept>
#include <thread>

int main() { std::abort(); }

namespace {

int balance = 0;
std::mutex one, other;

void pay() { balance = balance + 1; }

struct AtExit {
  ~AtExit() { assert(balance == 0 || balance == 2); }
} at_exit;

RAVEL_TEST(loses_an_update) {
  std::thread thread(pay);
  pay();
  thread.join();
  assert(balance == 2);
}

RAVEL_TEST(holds_the_lock) {
  const auto pay_safely = [] {
    std::lock_guard lock(one);
    pay();
  };
  std::thread thread(pay_safely);
  pay_safely();
  thread.join();
  assert(balance == 2);
}

RAVEL_TEST(finds_nothing_of_others) { assert(balance == 0); }

RAVEL_TEST(ends_the_program) { std::exit(3); }

RAVEL_TEST(two_locks) {
  std::thread thread([] { std::scoped_lock both(one), more(other); });
  {
    std::scoped_lock both(other), more(one);
  }
  thread.join();
}

RAVEL_TEST(throws_in_a_thread) {
  std::thread([] { throw std::runtime_error("nobody catches this"); }).join();
}

}  // namespace
