// The bytes of a binary as one run of characters, copied only if the binary does not begin at a byte; and
// parts of binaries as Erlang names them, {Start, Length} with a length that may be negative.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "erlang/term/bits.h"
#include "erlang/term/term.h"

namespace ravel::erlang {

// Lives as long as nothing is allocated that could move the binary: inside one built-in.
class ByteText {
 public:
  // REQUIRES: is_bitstring(t). A last part of a byte is left out.
  explicit ByteText(Term t) {
    const BitView view = view_bits(t);
    const std::size_t size = view.length / 8;
    if (view.is_byte_aligned()) {
      text_ = {reinterpret_cast<const char*>(view.data()), size};
    } else {
      copy_.resize(size);
      copy_bits(reinterpret_cast<std::uint8_t*>(copy_.data()), 0, view.bytes, view.offset, size * 8);
      text_ = copy_;
    }
  }
  ByteText(const ByteText&) = delete;
  ByteText& operator=(const ByteText&) = delete;

  std::string_view text() const { return text_; }
  std::size_t size() const { return text_.size(); }

 private:
  std::string copy_;
  std::string_view text_;
};

struct ByteRange {
  std::uint64_t start = 0;
  std::uint64_t end = 0;
  std::uint64_t size() const { return end - start; }
};

// The range of `length` bytes from `start`, or of the -length bytes before it. False if these are not
// integers or the range is not within `size` bytes.
inline bool find_byte_range(Term start, Term length, std::uint64_t size, ByteRange& range) {
  if (!start.is_small() || !length.is_small() || start.small_value() < 0) return false;
  const auto from = static_cast<std::uint64_t>(start.small_value());
  const std::int64_t count = length.small_value();
  if (from > size) return false;
  if (count < 0) {
    if (static_cast<std::uint64_t>(-count) > from) return false;
    range = {from - static_cast<std::uint64_t>(-count), from};
  } else {
    if (static_cast<std::uint64_t>(count) > size - from) return false;
    range = {from, from + static_cast<std::uint64_t>(count)};
  }
  return true;
}

}  // namespace ravel::erlang
