// A program may close all descriptors, whichever way: those of the runtime are none of its own.
//
// expect: pass -t one_by_one
// expect: pass -t one_by_one --isolate
// expect: pass -t by_range
// expect: pass -t by_another
// expect: bug exit_status -t and_ends

#include <fcntl.h>
#include <ravel/test.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cassert>
#include <cstdlib>
#include <thread>

namespace {

void join_one() {
  std::thread([] { std::this_thread::yield(); }).join();
}

}  // namespace

RAVEL_TEST(one_by_one) {
  for (int file = 0; file < 1024; ++file) close(file);
  join_one();
  assert(open("/dev/null", O_RDONLY) == 0);
}

RAVEL_TEST(by_range) {
  assert(close_range(3, ~0u, 0) == 0);
  join_one();
  closefrom(0);
  assert(write(1, "x", 1) < 0);
}

RAVEL_TEST(by_another) {
  const int file = open("/dev/null", O_RDONLY);
  for (int other = 3; other < 600; ++other)
    if (other != file) dup2(file, other);
  join_one();
}

RAVEL_TEST(and_ends) {
  for (int file = 0; file < 1024; ++file) close(file);
  std::exit(7);
}
