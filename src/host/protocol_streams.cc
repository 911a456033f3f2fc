#include "host/protocol_streams.h"

#include <fcntl.h>
#include <unistd.h>

namespace ravel {

Result<ProtocolStreams> take_standard_streams() {
  std::fflush(stdout);
  constexpr int kFirst = STDERR_FILENO + 1;
  const int in = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, kFirst);
  const int out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, kFirst);
  const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  const bool is_moved = in >= 0 && out >= 0 && nothing >= 0 && dup2(nothing, STDIN_FILENO) >= 0 &&
                        dup2(STDERR_FILENO, STDOUT_FILENO) >= 0;
  if (nothing >= 0) close(nothing);
  const ProtocolStreams streams{.in = in < 0 ? nullptr : fdopen(in, "r"),
                                .out = out < 0 ? nullptr : fdopen(out, "w")};
  if (!is_moved || streams.in == nullptr || streams.out == nullptr)
    return Error{"standard input and output are needed for the protocol, and one of them is closed"};
  return streams;
}

}  // namespace ravel
