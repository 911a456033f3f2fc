// Messages between two processes over a socket, each whole: its length in 8 bytes, then its bytes.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ravel {

class Channel {
 public:
  // Owns the descriptor from now on.
  explicit Channel(int descriptor) : descriptor_(descriptor) {}
  Channel(Channel&& other) noexcept;
  Channel& operator=(Channel&& other) noexcept;
  ~Channel();

  int descriptor() const { return descriptor_; }
  // False: the other side is gone.
  bool send(std::string_view message) const;
  // The next message, for which it waits. Nothing: the other side is gone.
  std::optional<std::string> receive() const;

 private:
  int descriptor_;
};

}  // namespace ravel
