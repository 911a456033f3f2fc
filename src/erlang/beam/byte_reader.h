// Reads big-endian numbers and "compact terms" (OTP's name) out of one part of a file.
//
// The first mistake is kept, and from then on every read returns zeros without moving. So a caller may
// read several fields and then ask once whether they were there; a loop asks each time round, which also
// keeps wrong counts from making it long.

#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace ravel::erlang {

// The first mistake found in a file, as words that continue "foo.beam: ".
class Fault {
 public:
  bool found() const { return !message_.empty(); }
  const std::string& message() const { return message_; }

  void report(std::string message) {
    if (!found()) message_ = std::move(message);
  }
  // For what no compiler writes.
  void report_damage(std::string message) {
    report(std::move(message) + "; the file is truncated or corrupted. Compile it again.");
  }

 private:
  std::string message_;
};

// Tags of compact terms.
enum class Tag : std::uint8_t {
  kUnsigned = 0,
  kInteger = 1,
  kAtom = 2,
  kX = 3,
  kY = 4,
  kLabel = 5,
  kCharacter = 6,
  kExtended = 7,
};

struct TaggedNumber {
  Tag tag = Tag::kUnsigned;
  // Never negative except for Tag::kInteger. Other tags read 2^63 - 1 for what is larger.
  std::int64_t value = 0;
  // Not empty: an integer outside 64 bits, in two's complement, most significant byte first.
  std::span<const std::uint8_t> big;
};

class ByteReader {
 public:
  // `part` names what is read ("the Code chunk") in messages about `fault`. Both outlive the reader.
  ByteReader(std::span<const std::uint8_t> bytes, std::string_view part, Fault& fault)
      : begin_(bytes.data()),
        next_(bytes.data()),
        end_(bytes.data() + bytes.size()),
        part_(part),
        fault_(fault) {}

  // What is being read, for the message when the bytes end: "ends inside <thing>".
  void expect(const char* thing) { thing_ = thing; }

  bool failed() const { return fault_.found(); }
  std::size_t position() const { return static_cast<std::size_t>(next_ - begin_); }
  std::size_t left() const { return static_cast<std::size_t>(end_ - next_); }
  bool at_end() const { return next_ == end_; }

  std::uint8_t u8() { return has(1) ? *next_++ : 0; }
  std::uint16_t u16() { return static_cast<std::uint16_t>(number(2)); }
  std::uint32_t u32() { return number(4); }
  std::span<const std::uint8_t> bytes(std::size_t size);

  // A count of things that take at least `size_min` bytes each in what is left.
  std::uint32_t count(std::size_t size_min);

  TaggedNumber tagged();
  // Reads a number with less than 11 bits, as nearly all are. False, and nothing is read, for others.
  bool short_tagged(Tag& tag, std::int64_t& value) {
    if (left() < 2) return false;
    const std::uint8_t first = *next_;
    tag = static_cast<Tag>(first & 7);
    if ((first & 0x08) == 0) {
      value = first >> 4;
      ++next_;
      return true;
    }
    if ((first & 0x10) != 0) return false;
    value = (first >> 5) << 8 | next_[1];
    next_ += 2;
    return true;
  }
  // REQUIRES (of the file, else a fault): a number with Tag::kUnsigned, at most `max`.
  std::int64_t tagged_unsigned(std::int64_t max);

  // Reports "<part> <what> (byte N)".
  void fail(std::string_view what) { fail_at(what, position()); }
  void fail_at(std::string_view what, std::size_t position);

 private:
  bool has(std::size_t size) {
    if (left() >= size) [[likely]]
      return true;
    ends();
    return false;
  }
  void ends();
  std::uint32_t number(std::size_t size);
  TaggedNumber long_number(Tag tag, std::uint32_t size_code);

  const std::uint8_t* begin_;
  const std::uint8_t* next_;
  const std::uint8_t* end_;
  std::string_view part_;
  const char* thing_ = "a number";
  Fault& fault_;
};

inline TaggedNumber ByteReader::tagged() {
  const std::uint8_t first = u8();
  const auto tag = static_cast<Tag>(first & 7);
  if ((first & 0x08) == 0) return {tag, first >> 4, {}};
  if ((first & 0x10) == 0) return {tag, (first >> 5) << 8 | u8(), {}};
  return long_number(tag, first >> 5);
}

}  // namespace ravel::erlang
