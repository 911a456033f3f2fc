#include "parallel/channel.h"

#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <utility>

namespace ravel {

namespace {

bool send_all(int descriptor, const char* bytes, std::size_t count) {
  while (count > 0) {
    const ssize_t sent = ::send(descriptor, bytes, count, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    bytes += sent;
    count -= static_cast<std::size_t>(sent);
  }
  return true;
}

bool receive_all(int descriptor, char* bytes, std::size_t count) {
  while (count > 0) {
    const ssize_t received = ::recv(descriptor, bytes, count, 0);
    if (received < 0 && errno == EINTR) continue;
    if (received <= 0) return false;
    bytes += received;
    count -= static_cast<std::size_t>(received);
  }
  return true;
}

}  // namespace

Channel::Channel(Channel&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

Channel& Channel::operator=(Channel&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

Channel::~Channel() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

bool Channel::send(std::string_view message) const {
  const std::uint64_t length = message.size();
  char head[sizeof length];
  std::memcpy(head, &length, sizeof length);
  return send_all(descriptor_, head, sizeof head) && send_all(descriptor_, message.data(), message.size());
}

std::optional<std::string> Channel::receive() const {
  char head[sizeof(std::uint64_t)];
  if (!receive_all(descriptor_, head, sizeof head)) return std::nullopt;
  std::uint64_t length = 0;
  std::memcpy(&length, head, sizeof length);
  std::string message(length, '\0');
  if (!receive_all(descriptor_, message.data(), message.size())) return std::nullopt;
  return message;
}

}  // namespace ravel
