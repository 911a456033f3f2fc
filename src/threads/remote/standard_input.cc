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

#include "base/check.h"

namespace ravel::threads {

namespace {

// A user who waits longer is told for what.
constexpr int kQuietMilliseconds = 1000;

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

int keep_all(int from) {
  const int memory = make_memory();
  std::array<char, 1 << 16> bytes;
  pollfd waited{.fd = from, .events = POLLIN, .revents = 0};
  if (poll(&waited, 1, kQuietMilliseconds) == 0)
    std::fputs(
        "The program reads its standard input, which is read to its end first. Without one: < /dev/null\n",
        stderr);
  for (ssize_t got; (got = read(from, bytes.data(), bytes.size())) > 0;)
    if (!write_all(memory, bytes.data(), static_cast<std::size_t>(got))) break;
  lseek(memory, 0, SEEK_SET);
  return memory;
}

}  // namespace

StandardInput::~StandardInput() {
  unmap();
  if (input_ && input_->file > 0) close(input_->file);
}

void StandardInput::unmap() {
  if (mapped_ != nullptr) munmap(mapped_, mapped_size_);
  mapped_ = nullptr;
}

void StandardInput::keep(bool reads_input) {
  struct stat status {};
  if (input_ || fstat(0, &status) != 0) return;
  if ((S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode)) && reads_input) {
    // From now on the memory is the input of this process, so that other programs read the same.
    const int memory = keep_all(0);
    dup2(memory, 0);
    close(memory);
    input_ = Input{.file = 0, .start = 0};
  } else if (S_ISREG(status.st_mode)) {
    input_ = Input{.file = 0, .start = lseek(0, 0, SEEK_CUR)};
  }
}

void StandardInput::give() const {
  // Opened anew, it has a position of its own.
  const std::string path = input_ ? "/proc/self/fd/" + std::to_string(input_->file) : "/dev/null";
  int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0 && input_) file = input_->file;
  if (file > 0) dup2(file, 0);
  if (input_) lseek(0, input_->start, SEEK_SET);
}

void StandardInput::set(std::string_view bytes) {
  if (input_ && input_->file > 0) close(input_->file);
  input_ = Input{.file = make_memory(), .start = 0};
  CHECK_MESSAGE(write_all(input_->file, bytes.data(), bytes.size()), std::strerror(errno));
}

std::string_view StandardInput::bytes() {
  struct stat status {};
  if (!input_ || fstat(input_->file, &status) != 0 || status.st_size <= input_->start) return {};
  // The input may be large, and is mostly asked for once.
  unmap();
  mapped_size_ = static_cast<std::size_t>(status.st_size);
  void* const mapped = mmap(nullptr, mapped_size_, PROT_READ, MAP_PRIVATE, input_->file, 0);
  if (mapped == MAP_FAILED) return {};
  mapped_ = mapped;
  return std::string_view(static_cast<const char*>(mapped), mapped_size_)
      .substr(static_cast<std::size_t>(input_->start));
}

std::string StandardInput::file() const {
  CHECK(input_ && input_->file > 0);
  return "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(input_->file);
}

}  // namespace ravel::threads
