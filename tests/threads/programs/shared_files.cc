// What one thread does to descriptors, names and folders decides what another thread finds there, by whatever call.
// expect: bug assertion -t a_descriptor_that_is_closed
// expect: bug assertion -t a_descriptor_that_is_closed --strategy dpor
// expect: bug assertion -t the_other_end_of_a_pair_is_closed
// expect: bug assertion -t a_folder_that_is_renamed
// expect: bug assertion -t a_folder_that_is_renamed --strategy dpor
// expect: bug assertion -t a_folder_that_is_made
// expect: bug assertion -t a_folder_that_is_removed
// expect: bug assertion -t a_link_that_is_made
// expect: bug assertion -t a_link_that_is_removed
// expect: bug assertion -t a_descriptor_that_becomes_another_file
// expect: bug assertion -t all_descriptors_are_closed
// expect: bug assertion -t a_lock_that_is_taken
// expect: says "flock: the lock is taken" refused -t a_lock_that_is_waited_for
// expect: bug assertion -t what_is_done_about_a_signal
// expect: executions=6 pass -t files_of_their_own --strategy dpor

#include <fcntl.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cassert>
#include <cstdint>
#include <cstdio>
#include <string>
#include <thread>

#include <ravel/test.h>

namespace {

// The first one comes first, if nothing is known of them.
template <class First, class Second>
void both(First first, Second second) {
  std::thread one(first), two(second);
  one.join();
  two.join();
}

bool can_make(const char* path) {
  const int file = open(path, O_CREAT | O_WRONLY, 0600);
  if (file >= 0) close(file);
  return file >= 0;
}

bool is_there(const char* path) {
  struct stat status;
  return stat(path, &status) == 0;
}

}  // namespace

RAVEL_TEST(a_descriptor_that_is_closed) {
  int ends[2];
  assert(pipe(ends) == 0);
  ssize_t written = 0;
  both([&] { close(ends[1]); }, [&] { written = write(ends[1], "x", 1); });
  assert(written == -1);
}

RAVEL_TEST(the_other_end_of_a_pair_is_closed) {
  int ends[2];
  assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  ssize_t written = 0;
  both([&] { close(ends[0]); }, [&] { written = send(ends[1], "x", 1, MSG_NOSIGNAL); });
  assert(written == -1);
}

RAVEL_TEST(a_folder_that_is_renamed) {
  mkdir("old", 0700);
  bool is_made = false;
  both([] { rename("old", "new"); }, [&] { is_made = can_make("old/file"); });
  assert(!is_made);
}

RAVEL_TEST(a_folder_that_is_made) {
  bool is_made = false;
  both([] { mkdir("folder", 0700); mkdir("folder/below", 0700); }, [&] { is_made = can_make("folder/below/file"); });
  assert(is_made);
}

RAVEL_TEST(a_folder_that_is_removed) {
  mkdir("folder", 0700);
  bool is_found = false;
  both([] { rmdir("folder"); }, [&] { is_found = is_there("folder/."); });
  assert(!is_found);
}

RAVEL_TEST(a_link_that_is_made) {
  mkdir("folder", 0700);
  assert(can_make("folder/file"));
  bool is_found = false;
  both([] { assert(symlink("folder", "link") == 0); }, [&] { is_found = is_there("link/file"); });
  assert(is_found);
}

RAVEL_TEST(a_link_that_is_removed) {
  mkdir("folder", 0700);
  assert(can_make("folder/file") && symlink("folder", "link") == 0);
  bool is_found = false;
  both([] { unlink("link"); }, [&] { is_found = is_there("link/file"); });
  assert(!is_found);
}

RAVEL_TEST(a_descriptor_that_becomes_another_file) {
  int one[2], two[2];
  assert(pipe(one) == 0 && pipe(two) == 0);
  both([&] { dup2(two[1], one[1]); }, [&] { assert(write(one[1], "x", 1) == 1); });
  int waiting = 0;
  assert(ioctl(two[0], FIONREAD, &waiting) == 0);
  assert(waiting == 1);
}

RAVEL_TEST(all_descriptors_are_closed) {
  const int event = eventfd(0, 0);
  const std::uint64_t one = 1;
  ssize_t written = 0;
  both([&] { close_range(3, ~0u, 0); }, [&] { written = write(event, &one, sizeof one); });
  assert(written == -1);
}

RAVEL_TEST(a_lock_that_is_taken) {
  const int one = open("locked", O_CREAT | O_RDWR, 0600), two = open("locked", O_RDWR);
  int locked = 0;
  both([&] { flock(one, LOCK_EX | LOCK_NB); }, [&] { locked = flock(two, LOCK_EX | LOCK_NB); });
  assert(locked == -1);
}

RAVEL_TEST(a_lock_that_is_waited_for) {
  const int one = open("locked", O_CREAT | O_RDWR, 0600), two = open("locked", O_RDWR);
  assert(flock(one, LOCK_EX) == 0);
  flock(two, LOCK_EX);
}

RAVEL_TEST(what_is_done_about_a_signal) {
  struct sigaction found;
  both([] { signal(SIGUSR1, SIG_IGN); }, [&] { sigaction(SIGUSR1, nullptr, &found); });
  assert(found.sa_handler == SIG_IGN);
}

// Which of them gets the lower descriptors is all that there is to decide: two calls of each take and free one.
RAVEL_TEST(files_of_their_own) {
  both([] { assert(can_make("one")); rename("one", "uno"); }, [] { assert(can_make("two")); rename("two", "due"); });
  assert(is_there("uno") && is_there("due"));
}
