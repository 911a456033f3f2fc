#include "erlang/term/iodata.h"

#include <algorithm>

#include "erlang/term/release.h"

namespace ravel::erlang {

namespace {

// The limits of the emulator, which decide where iolist_to_iovec/1 cuts. Up to OTP 26 a part of this size
// stands alone, and a buffer that has grown to kBufferBytesMax is not made larger.
constexpr std::uint64_t kLargePartBytes = 256;
constexpr std::uint64_t kBufferBytesMax = kLargePartBytes * 32;
// In later releases a part that is larger than this stands alone, and whatever lies between two such parts is
// one part.
constexpr std::uint64_t kJoinedBytesMax = 512;

class VectorBuilder {
 public:
  explicit VectorBuilder(Heap& heap) : heap_(heap), joins_(installed_release().joins_small_parts) {}

  void add_byte(std::uint8_t byte) {
    reserve(1);
    buffer_ += static_cast<char>(byte);
  }

  void add_binary(const BitView& view) {
    const std::uint64_t size = view.length / 8;
    if (size == 0) return;
    if (joins_) {
      if (size <= kJoinedBytesMax) return copy(view, size);
      flush();
      return parts_.push_back(part(view, 0, size));
    }
    const bool is_small = size < kLargePartBytes;
    if (!is_small && (buffer_.empty() || buffer_.size() >= kLargePartBytes)) {
      flush();
      parts_.push_back(part(view, 0, size));
    } else if (is_small || buffer_.size() + size < 2 * kLargePartBytes) {
      reserve(size);
      copy(view, size);
    } else {
      // Completes the buffer to a large part; the rest of the binary is one, too.
      const std::uint64_t spill = kLargePartBytes - buffer_.size();
      reserve(spill);
      copy(view, spill);
      flush();
      parts_.push_back(part(view, spill, size - spill));
    }
  }

  Term finish() {
    flush();
    return heap_.list(parts_);
  }

 private:
  void reserve(std::uint64_t extra) {
    if (joins_) return;
    const std::uint64_t needed = buffer_.size() + extra;
    if (capacity_ == 0) {
      capacity_ = std::max(needed, kLargePartBytes);
    } else if (needed > capacity_) {
      if (capacity_ >= kBufferBytesMax) {
        flush();
        reserve(extra);
      } else {
        capacity_ = std::max(needed, capacity_ * 2);
      }
    }
  }
  void copy(const BitView& view, std::uint64_t size) {
    const std::size_t old_size = buffer_.size();
    buffer_.resize(old_size + size);
    copy_bits(reinterpret_cast<std::uint8_t*>(buffer_.data()) + old_size, 0, view.bytes, view.offset,
              size * 8);
  }
  void flush() {
    if (!buffer_.empty()) parts_.push_back(make_binary(heap_, buffer_.data(), buffer_.size()));
    buffer_.clear();
    capacity_ = 0;
  }
  Term part(const BitView& view, std::uint64_t from, std::uint64_t size) {
    return make_view(heap_, view.base, view.offset + from * 8, size * 8);
  }

  Heap& heap_;
  bool joins_;
  std::vector<Term> parts_;
  std::string buffer_;
  std::uint64_t capacity_ = 0;  // of the emulator's buffer, not of ours
};

}  // namespace

std::optional<std::uint64_t> iodata_bits(Term t, IodataUnit unit) {
  if (is_bitstring(t)) {
    const std::uint64_t bits = bit_size(t);
    return unit == IodataUnit::kBit || bits % 8 == 0 ? std::optional(bits) : std::nullopt;
  }
  std::uint64_t bits = 0;
  const auto on_byte = [&](std::uint8_t) {
    bits += 8;
    return true;
  };
  const auto on_bits = [&](const BitView& view) {
    bits += view.length;
    return true;
  };
  return for_each_iodata(t, unit, on_byte, on_bits) ? std::optional(bits) : std::nullopt;
}

Term flatten_iodata(Heap& heap, Term t, IodataUnit unit) {
  const auto bits = iodata_bits(t, unit);
  if (!bits) return Term::none();
  if (is_bitstring(t)) return t;
  const Term result = make_bytes(heap, *bits);
  std::uint8_t* bytes = bytes_of(result);
  std::uint64_t position = 0;
  const auto on_byte = [&](std::uint8_t byte) {
    if (position % 8 == 0) {
      bytes[position / 8] = byte;
    } else {
      copy_bits(bytes, position, &byte, 0, 8);
    }
    position += 8;
    return true;
  };
  const auto on_bits = [&](const BitView& view) {
    copy_bits(bytes, position, view.bytes, view.offset, view.length);
    position += view.length;
    return true;
  };
  for_each_iodata(t, unit, on_byte, on_bits);
  return result;
}

std::optional<std::string> iodata_text(Term t) {
  std::string text;
  const auto on_byte = [&](std::uint8_t byte) {
    text += static_cast<char>(byte);
    return true;
  };
  const auto on_bits = [&](const BitView& view) {
    const std::size_t size = text.size();
    text.resize(size + view.length / 8);
    copy_bits(reinterpret_cast<std::uint8_t*>(text.data()) + size, 0, view.bytes, view.offset, view.length);
    return true;
  };
  if (!for_each_iodata(t, IodataUnit::kByte, on_byte, on_bits)) return std::nullopt;
  return text;
}

Term iodata_vector(Heap& heap, Term t) {
  VectorBuilder builder(heap);
  if (is_binary(t)) return bit_size(t) == 0 ? Term::nil() : heap.cons(t, Term::nil());
  if (!is_list(t)) return Term::none();
  const auto on_byte = [&](std::uint8_t byte) {
    builder.add_byte(byte);
    return true;
  };
  const auto on_bits = [&](const BitView& view) {
    builder.add_binary(view);
    return true;
  };
  return for_each_iodata(t, IodataUnit::kByte, on_byte, on_bits) ? builder.finish() : Term::none();
}

}  // namespace ravel::erlang
