// The runtime's own way to fail: standard error belongs to the program under test, so the message goes to
// where standard error was when the process began.

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/syscall.h>

#include <string>

#include "base/check.h"
#include "threads/protocol/system_call.h"
#include "threads/runtime/check_failed.h"

namespace ravel {

namespace {

int messages = 2;

[[noreturn]] void end_with(const std::string& text) {
  threads::system_call(SYS_write, messages, reinterpret_cast<long>(text.data()),
                       static_cast<long>(text.size()));
  while (true) threads::system_call(SYS_exit_group, 70);
}

}  // namespace

namespace threads {

void keep_standard_error() {
  const long copy = system_call(SYS_fcntl, 2, F_DUPFD_CLOEXEC, kMessageDescriptor);
  if (copy >= 0) messages = static_cast<int>(copy);
}

void refuse_to_start(const char* message) { end_with(fmt::format("ravel: {}\n", message)); }

}  // namespace threads

void check_failed(const char* expression, const char* file, int line, const char* message) {
  end_with(message == nullptr
               ? fmt::format("{}:{}: internal error: CHECK({}) failed\n", file, line, expression)
               : fmt::format("ravel: {} ({}:{}, CHECK({}))\n", message, file, line, expression));
}

}  // namespace ravel
