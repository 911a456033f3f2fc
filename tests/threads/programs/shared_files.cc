// What one thread does to descriptors, names and folders decides what another thread finds there, by whatever call.
// expect: bug assertion -t a_descriptor_that_is_closed
// expect: bug assertion -t a_descriptor_that_is_closed --strategy dpor
// expect: bug assertion -t the_other_end_of_a_pair_is_closed
// expect: bug assertion -t a_folder_that_is_renamed
// expect: bug assertion -t a_folder_that_is_renamed --strategy dpor
// expect: bug assertion -t a_folder_that_is_made
// expect: bug assertion -t a_folder_that_is_removed
// expect: bug assertion -t a_link_that_is_made
// expect: executions=6 pass -t files_of_their_own --strategy dpor

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cassert>
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

// Which of them gets the lower descriptors is all that there is to decide: two calls of each take and free one.
RAVEL_TEST(files_of_their_own) {
  both([] { assert(can_make("one")); rename("one", "uno"); }, [] { assert(can_make("two")); rename("two", "due"); });
  assert(is_there("uno") && is_there("due"));
}
