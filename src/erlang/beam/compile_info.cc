#include "erlang/beam/compile_info.h"

#include <algorithm>
#include <array>

#include "erlang/beam/byte_reader.h"

namespace ravel::erlang {
namespace {

// Tags of the external term format.
constexpr std::uint8_t kSmallInteger = 97, kInteger = 98, kNil = 106, kString = 107, kList = 108,
                       kBinary = 109;
constexpr std::uint32_t kNoCharacter = 0xffffffff;

// A pair whose first element is the atom source: as UTF-8 (since OTP 26), and as Latin-1.
constexpr std::array<std::uint8_t, 10> kSourceUtf8 = {104, 2, 119, 6, 's', 'o', 'u', 'r', 'c', 'e'};
constexpr std::array<std::uint8_t, 11> kSourceLatin1 = {104, 2, 100, 0, 6, 's', 'o', 'u', 'r', 'c', 'e'};

void append_utf8(std::string& text, std::uint32_t character) {
  const auto rest = [&](unsigned shift) { text += static_cast<char>(0x80 | (character >> shift & 0x3f)); };
  if (character < 0x80) {
    text += static_cast<char>(character);
  } else if (character < 0x800) {
    text += static_cast<char>(0xc0 | character >> 6);
    rest(0);
  } else if (character < 0x10000) {
    text += static_cast<char>(0xe0 | character >> 12);
    rest(6);
    rest(0);
  } else {
    text += static_cast<char>(0xf0 | character >> 18);
    rest(12);
    rest(6);
    rest(0);
  }
}

// A path is a string of bytes, a list of characters, or a binary.
std::string read_path(std::span<const std::uint8_t> bytes) {
  Fault fault;
  ByteReader reader(bytes, "the CInf chunk", fault);
  std::string path;
  const std::uint8_t tag = reader.u8();
  if (tag == kString) {
    const std::uint16_t size = reader.u16();
    for (std::uint16_t i = 0; i < size && !reader.failed(); ++i) append_utf8(path, reader.u8());
  } else if (tag == kBinary) {
    const std::span<const std::uint8_t> content = reader.bytes(reader.u32());
    path.assign(content.begin(), content.end());
  } else if (tag == kList) {
    const std::uint32_t size = reader.u32();
    for (std::uint32_t i = 0; i < size && !reader.failed(); ++i) {
      const std::uint8_t kind = reader.u8();
      const std::uint32_t character = kind == kSmallInteger ? reader.u8()
                                      : kind == kInteger    ? reader.u32()
                                                            : kNoCharacter;
      if (character > 0x10ffff) return {};
      append_utf8(path, character);
    }
    if (reader.u8() != kNil) return {};
  }
  return fault.found() ? std::string() : path;
}

}  // namespace

std::string source_path(std::span<const std::uint8_t> compile_info) {
  const auto after = [&](const auto& pattern) {
    const auto found = std::search(compile_info.begin(), compile_info.end(), pattern.begin(), pattern.end());
    if (found == compile_info.end()) return std::span<const std::uint8_t>();
    return std::span(found + static_cast<std::ptrdiff_t>(pattern.size()), compile_info.end());
  };
  const std::span<const std::uint8_t> utf8 = after(kSourceUtf8);
  return read_path(utf8.empty() ? after(kSourceLatin1) : utf8);
}

}  // namespace ravel::erlang
