#include "parallel/captured_output.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

namespace ravel {

Result<CapturedOutput> CapturedOutput::open() {
  const int output = memfd_create("ravel-output", MFD_CLOEXEC);
  const int errors = output < 0 ? -1 : memfd_create("ravel-errors", MFD_CLOEXEC);
  if (errors >= 0) return CapturedOutput(output, errors);
  const Error error{fmt::format("no file in memory could be made: {}", std::strerror(errno))};
  if (output >= 0) close(output);
  return error;
}

CapturedOutput::CapturedOutput(CapturedOutput&& other) noexcept
    : output_(std::exchange(other.output_, -1)), errors_(std::exchange(other.errors_, -1)) {}

CapturedOutput::~CapturedOutput() {
  for (const int file : {output_, errors_})
    if (file >= 0) close(file);
}

void CapturedOutput::take_over() const {
  dup2(output_, STDOUT_FILENO);
  dup2(errors_, STDERR_FILENO);
}

std::string CapturedOutput::bytes_of(int file) {
  std::string text;
  std::array<char, 1 << 14> bytes;
  for (;;) {
    const ssize_t count = pread(file, bytes.data(), bytes.size(), static_cast<off_t>(text.size()));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return text;
    text.append(bytes.data(), static_cast<std::size_t>(count));
  }
}

}  // namespace ravel
