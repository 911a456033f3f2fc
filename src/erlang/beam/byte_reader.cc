#include "erlang/beam/byte_reader.h"

namespace ravel::erlang {
namespace {

constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();

// Drops the leading bytes that only repeat the sign.
std::span<const std::uint8_t> without_sign_extension(std::span<const std::uint8_t> bytes) {
  while (bytes.size() > 1 &&
         ((bytes[0] == 0x00 && bytes[1] < 0x80) || (bytes[0] == 0xff && bytes[1] >= 0x80))) {
    bytes = bytes.subspan(1);
  }
  return bytes;
}

std::span<const std::uint8_t> without_leading_zeros(std::span<const std::uint8_t> bytes) {
  while (!bytes.empty() && bytes[0] == 0) bytes = bytes.subspan(1);
  return bytes;
}

}  // namespace

std::uint32_t ByteReader::number(std::size_t size) {
  if (!has(size)) return 0;
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < size; ++i) value = value << 8 | *next_++;
  return value;
}

std::span<const std::uint8_t> ByteReader::bytes(std::size_t size) {
  if (!has(size)) return {};
  const std::span<const std::uint8_t> result(next_, size);
  next_ += size;
  return result;
}

std::uint32_t ByteReader::count(std::size_t size_min) {
  const std::uint32_t result = u32();
  if (result <= left() / size_min) return result;
  fail("counts " + std::to_string(result) + " entries but has only " + std::to_string(left()) +
       " bytes left");
  return 0;
}

std::int64_t ByteReader::tagged_unsigned(std::int64_t max) {
  const std::size_t start = position();
  const TaggedNumber number = tagged();
  if (number.tag == Tag::kUnsigned && number.value <= max) return number.value;
  fail_at("has a number out of range", start);
  return 0;
}

TaggedNumber ByteReader::long_number(Tag tag, std::uint32_t size_code) {
  std::size_t size = size_code + 2;
  if (size_code == 7) {
    // The size is a compact term too, and one that is itself this long would be absurd: no recursion.
    const std::size_t start = position();
    if ((u8() & 0x18) == 0x18) return fail_at("has a number of absurd length", start), TaggedNumber{};
    if (failed()) return {};
    --next_;
    size = static_cast<std::size_t>(tagged_unsigned(kLargest)) + 9;
  }
  std::span<const std::uint8_t> digits = bytes(size);
  if (digits.empty()) return {};

  if (tag == Tag::kInteger) {
    digits = without_sign_extension(digits);
    if (digits.size() > 8) return {tag, 0, digits};
    std::uint64_t value = digits[0] >= 0x80 ? ~std::uint64_t{0} : 0;
    for (const std::uint8_t digit : digits) value = value << 8 | digit;
    return {tag, static_cast<std::int64_t>(value), {}};
  }
  digits = without_leading_zeros(digits);
  if (digits.size() > 8 || (digits.size() == 8 && digits[0] >= 0x80)) return {tag, kLargest, {}};
  std::int64_t value = 0;
  for (const std::uint8_t digit : digits) value = value << 8 | digit;
  return {tag, value, {}};
}

void ByteReader::ends() {
  // Said once; later reads find the fault and stay where they are.
  fail(std::string("ends inside ") + thing_);
  next_ = end_;
}

void ByteReader::fail_at(std::string_view what, std::size_t position) {
  if (!failed()) {
    fault_.report_damage(std::string(part_) + " " + std::string(what) + " (byte " + std::to_string(position) +
                         ")");
  }
  next_ = end_;
}

}  // namespace ravel::erlang
