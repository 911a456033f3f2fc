// How the command and the program under test talk: frames of plain numbers and texts over a socket.
//
// Both sides are built together, so there is no version in a frame; the greeting carries one.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace ravel::threads {

inline constexpr std::uint32_t kProtocolVersion = 20;
// The environment variable that tells a program that it is driven, and through which descriptor.
inline constexpr const char kSocketVariable[] = "RAVEL_THREADS_SOCKET";
// The folder that it may make for what it does to files, which the command deletes.
inline constexpr const char kFilesVariable[] = "RAVEL_THREADS_FILES";

class Writer {
 public:
  template <class Number>
  requires(std::is_integral_v<Number> || std::is_enum_v<Number> || std::is_floating_point_v<Number>) Writer&
  operator<<(Number number) {
    bytes_.append(reinterpret_cast<const char*>(&number), sizeof number);
    return *this;
  }
  Writer& operator<<(const std::string& text) {
    *this << static_cast<std::uint32_t>(text.size());
    bytes_ += text;
    return *this;
  }
  template <class T>
  Writer& operator<<(const std::vector<T>& items) {
    *this << static_cast<std::uint32_t>(items.size());
    for (const T& item : items) *this << item;
    return *this;
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

// Reading after the end gives zeros and makes ok() false.
class Reader {
 public:
  explicit Reader(const std::string& bytes) : bytes_(bytes.begin(), bytes.end()) {}

  template <class Number>
  requires(std::is_integral_v<Number> || std::is_enum_v<Number> || std::is_floating_point_v<Number>) Reader&
  operator>>(Number& number) {
    if (bytes_.size() - at_ < sizeof number) {
      ok_ = false;
      number = Number{};
      return *this;
    }
    __builtin_memcpy(&number, bytes_.data() + at_, sizeof number);
    at_ += sizeof number;
    return *this;
  }
  Reader& operator>>(std::string& text) {
    std::uint32_t size = 0;
    *this >> size;
    if (bytes_.size() - at_ < size) {
      ok_ = false;
      size = 0;
    }
    text.assign(bytes_.data() + at_, size);
    at_ += size;
    return *this;
  }
  template <class T>
  Reader& operator>>(std::vector<T>& items) {
    std::uint32_t size = 0;
    *this >> size;
    items.clear();
    for (std::uint32_t i = 0; i < size && ok_; ++i) *this >> items.emplace_back();
    return *this;
  }
  template <class Number>
  Number get() {
    Number number{};
    *this >> number;
    return number;
  }
  bool ok() const { return ok_; }

 private:
  std::vector<char> bytes_;
  std::size_t at_ = 0;
  bool ok_ = true;
};

// False if the other side is gone.
bool send_frame(int descriptor, const std::string& bytes);
// Nothing if the other side is gone.
std::optional<std::string> receive_frame(int descriptor);
// The first byte of the next frame, which stays to be received. Nothing: none has come, or none ever will.
std::optional<std::uint8_t> first_byte_of_next_frame(int descriptor);

}  // namespace ravel::threads
