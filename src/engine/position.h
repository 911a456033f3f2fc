// Where a search is, as bytes: what a strategy writes so that another object of the same kind can go on from
// there.
//
// Numbers of variable length, seven bits a byte; only the strategy that wrote them knows what they mean.
// Reading beyond the end gives zeros and is noticed (`is_complete`), so that a damaged position is an error
// of whoever brought it, not a crash.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ravel {

class PositionWriter {
 public:
  void put(std::uint64_t number) {
    for (; number >= 0x80; number >>= 7) bytes_.push_back(static_cast<char>(number | 0x80));
    bytes_.push_back(static_cast<char>(number));
  }
  // The number of things, then each of them by `put_one`.
  template <class Range, class PutOne>
  void put_all(const Range& range, PutOne put_one) {
    put(range.size());
    for (const auto& one : range) put_one(one);
  }
  // A position within another one.
  void put_position(std::string_view bytes) {
    put(bytes.size());
    bytes_ += bytes;
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

class PositionReader {
 public:
  // The bytes must outlive the reader.
  explicit PositionReader(std::string_view bytes) : rest_(bytes) {}

  std::uint64_t get() {
    std::uint64_t number = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      if (rest_.empty()) break;
      const auto byte = static_cast<std::uint8_t>(rest_.front());
      rest_.remove_prefix(1);
      number |= std::uint64_t{byte & 0x7fu} << shift;
      if (byte < 0x80) return number;
    }
    is_damaged_ = true;
    return 0;
  }
  std::uint32_t get32() { return static_cast<std::uint32_t>(get()); }
  // Calls `get_one` as many times as there are things.
  template <class GetOne>
  void get_all(GetOne get_one) {
    for (std::uint64_t left = get(); left > 0 && !is_damaged_; --left) get_one();
  }
  // The position as it was put; empty if the bytes end before.
  std::string_view get_position() {
    const std::uint64_t size = get();
    if (size > rest_.size()) is_damaged_ = true;
    const std::string_view bytes = is_damaged_ ? std::string_view() : rest_.substr(0, size);
    rest_.remove_prefix(bytes.size());
    return bytes;
  }
  // Whether all that was written has been read, and nothing else.
  bool is_complete() const { return !is_damaged_ && rest_.empty(); }
  bool is_damaged() const { return is_damaged_; }

 private:
  std::string_view rest_;
  bool is_damaged_ = false;
};

}  // namespace ravel
