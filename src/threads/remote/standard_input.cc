#include "threads/remote/standard_input.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <optional>

namespace ravel::threads {

namespace {

// Who waits longer is told for what.
constexpr int kQuietMilliseconds = 1000;

// Of this process; -1: there is none, and programs get nothing to read.
struct Input {
  int file = -1;
  off_t start = 0;
};
std::optional<Input> input;

int keep(int from) {
  const int memory = memfd_create("input", MFD_CLOEXEC);
  std::array<char, 1 << 16> bytes;
  pollfd waited{.fd = from, .events = POLLIN, .revents = 0};
  if (poll(&waited, 1, kQuietMilliseconds) == 0)
    std::fputs(
        "The program reads its standard input, which is read to its end first. Without one: < /dev/null\n",
        stderr);
  for (ssize_t got; (got = read(from, bytes.data(), bytes.size())) > 0;)
    for (ssize_t done = 0; done < got;) {
      const ssize_t written = write(memory, bytes.data() + done, static_cast<std::size_t>(got - done));
      if (written < 0) return memory;
      done += written;
    }
  return memory;
}

}  // namespace

void keep_standard_input(bool reads_input) {
  struct stat status {};
  if (fstat(0, &status) != 0) return;
  if (S_ISREG(status.st_mode)) {
    if (!input) input = Input{.file = 0, .start = lseek(0, 0, SEEK_CUR)};
  } else if ((S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode)) && reads_input && !input) {
    input = Input{.file = keep(0), .start = 0};
  }
}

void give_standard_input() {
  // Opened anew, it has a position of its own.
  const std::string path = input ? "/proc/self/fd/" + std::to_string(input->file) : "/dev/null";
  int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0 && input) file = input->file;
  if (file > 0) dup2(file, 0);
  if (input) lseek(0, input->start, SEEK_SET);
}

}  // namespace ravel::threads
