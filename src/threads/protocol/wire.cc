#include "threads/protocol/wire.h"

#include <sys/socket.h>
#include <sys/syscall.h>

#include <array>

#include "threads/protocol/system_call.h"

namespace ravel::threads {

namespace {

constexpr long kInterrupted = -4;

bool transfer(long number, int descriptor, char* bytes, std::size_t size, long flags) {
  while (size > 0) {
    const long done =
        system_call(number, descriptor, reinterpret_cast<long>(bytes), static_cast<long>(size), flags);
    if (done == kInterrupted) continue;
    if (done <= 0) return false;
    bytes += done;
    size -= static_cast<std::size_t>(done);
  }
  return true;
}

}  // namespace

bool send_frame(int descriptor, const std::string& bytes) {
  const auto size = static_cast<std::uint32_t>(bytes.size());
  std::string frame(reinterpret_cast<const char*>(&size), sizeof size);
  frame += bytes;
  // Where nobody reads any more, that is an error, and no signal, which would end this process, too.
  return transfer(SYS_sendto, descriptor, frame.data(), frame.size(), MSG_NOSIGNAL);
}

std::optional<std::string> receive_frame(int descriptor) {
  std::uint32_t size = 0;
  if (!transfer(SYS_recvfrom, descriptor, reinterpret_cast<char*>(&size), sizeof size, 0))
    return std::nullopt;
  std::string bytes(size, '\0');
  if (!transfer(SYS_recvfrom, descriptor, bytes.data(), size, 0)) return std::nullopt;
  return bytes;
}

std::optional<std::uint8_t> first_byte_of_next_frame(int descriptor) {
  std::array<std::uint8_t, sizeof(std::uint32_t) + 1> start;
  const long got = system_call(SYS_recvfrom, descriptor, reinterpret_cast<long>(start.data()),
                               static_cast<long>(start.size()), MSG_PEEK | MSG_DONTWAIT);
  return got == static_cast<long>(start.size()) ? std::optional(start.back()) : std::nullopt;
}

}  // namespace ravel::threads
