#include "threads/remote/standard_input.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <optional>

#include "base/check.h"

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

int make_memory() {
  const int memory = memfd_create("input", MFD_CLOEXEC);
  CHECK_MESSAGE(memory >= 0, "there is no memory for the standard input");
  return memory;
}

// Whether all of it could be written.
bool write_all(int memory, const char* bytes, std::size_t size) {
  for (std::size_t done = 0; done < size;) {
    const ssize_t written = write(memory, bytes + done, size - done);
    if (written < 0) return false;
    done += static_cast<std::size_t>(written);
  }
  return true;
}

int keep(int from) {
  const int memory = make_memory();
  std::array<char, 1 << 16> bytes;
  pollfd waited{.fd = from, .events = POLLIN, .revents = 0};
  if (poll(&waited, 1, kQuietMilliseconds) == 0)
    std::fputs("The program reads its standard input, which is read to its end first. Without one: < /dev/null\n", stderr);
  for (ssize_t got; (got = read(from, bytes.data(), bytes.size())) > 0;)
    if (!write_all(memory, bytes.data(), static_cast<std::size_t>(got))) break;
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

void set_standard_input(std::string_view bytes) {
  if (input && input->file > 0) close(input->file);
  input = Input{.file = make_memory(), .start = 0};
  CHECK_MESSAGE(write_all(input->file, bytes.data(), bytes.size()), std::strerror(errno));
}

std::string_view standard_input() {
  struct stat status {};
  if (!input || fstat(input->file, &status) != 0 || status.st_size <= input->start) return {};
  const auto size = static_cast<std::size_t>(status.st_size);
  // It may be large, and is mostly asked for once.
  static void* mapped = MAP_FAILED;
  static std::size_t mapped_size = 0;
  if (mapped != MAP_FAILED) munmap(mapped, mapped_size);
  mapped = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, input->file, 0);
  mapped_size = size;
  if (mapped == MAP_FAILED) return {};
  return std::string_view(static_cast<const char*>(mapped), size).substr(static_cast<std::size_t>(input->start));
}

std::string standard_input_file() {
  CHECK(input && input->file > 0);
  return "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(input->file);
}

}  // namespace ravel::threads
