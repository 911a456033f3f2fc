#include "threads/remote/locking_instructions.h"

#include <string_view>

namespace ravel::threads {

namespace {

// What follows an opcode: a ModRM byte with its address, an immediate number of one, two or four bytes, or of
// the size of the operand.
enum class Shape : std::uint8_t {
  kNothing,
  kAddress,
  kByte,
  kAddressByte,
  kWord,
  kWide,
  kAddressWide,
  kFour,
  kMove,
  kMemory,
  kEnter,
  kTest,
  kUnknown
};

bool is_in(unsigned opcode, std::string_view list) {
  return list.find(static_cast<char>(opcode)) != list.npos;
}

Shape shape_of(unsigned opcode) {
  if (opcode < 0x40) {
    const unsigned low = opcode & 7;
    return low < 4 ? Shape::kAddress : low == 4 ? Shape::kByte : low == 5 ? Shape::kWide : Shape::kUnknown;
  }
  if (opcode >= 0x70 && opcode < 0x80) return Shape::kByte;
  if (opcode >= 0x84 && opcode < 0x90) return Shape::kAddress;
  if (opcode >= 0xA0 && opcode < 0xA4) return Shape::kMemory;
  if (opcode >= 0xB0 && opcode < 0xB8) return Shape::kByte;
  if (opcode >= 0xB8 && opcode < 0xC0) return Shape::kMove;
  if ((opcode >= 0xD0 && opcode < 0xD4) || (opcode >= 0xD8 && opcode < 0xE0)) return Shape::kAddress;
  if (opcode >= 0xE0 && opcode < 0xE8) return Shape::kByte;
  switch (opcode) {
    case 0x63:
    case 0xFE:
    case 0xFF: return Shape::kAddress;
    case 0x68:
    case 0xA9: return Shape::kWide;
    case 0x69:
    case 0x81:
    case 0xC7: return Shape::kAddressWide;
    case 0x6A:
    case 0xA8:
    case 0xCD:
    case 0xEB: return Shape::kByte;
    case 0x6B:
    case 0x80:
    case 0x83:
    case 0xC0:
    case 0xC1:
    case 0xC6: return Shape::kAddressByte;
    case 0xC2:
    case 0xCA: return Shape::kWord;
    case 0xC8: return Shape::kEnter;
    case 0xE8:
    case 0xE9: return Shape::kFour;
    case 0xF6:
    case 0xF7: return Shape::kTest;
    case 0x60:
    case 0x61:
    case 0x62:
    case 0x82:
    case 0x9A:
    case 0xC4:
    case 0xC5:
    case 0xCE:
    case 0xD4:
    case 0xD5:
    case 0xD6:
    case 0xEA: return Shape::kUnknown;
    default: return Shape::kNothing;
  }
}

// The shape of an opcode after 0F, or in the first map of VEX and EVEX.
Shape shape_of_second(unsigned opcode) {
  if (opcode >= 0x80 && opcode < 0x90) return Shape::kFour;
  if (opcode >= 0xC8 && opcode < 0xD0) return Shape::kNothing;
  if (opcode >= 0x30 && opcode < 0x38) return Shape::kNothing;
  if (is_in(opcode, "\x70\x71\x72\x73\xA4\xAC\xBA\xC2\xC4\xC5\xC6")) return Shape::kAddressByte;
  if (is_in(opcode, "\x05\x06\x07\x08\x09\x0B\x77\xA0\xA1\xA2\xA8\xA9\xAA")) return Shape::kNothing;
  return Shape::kAddress;
}

std::size_t address_length(std::span<const unsigned char> code) {
  if (code.empty()) return 0;
  const unsigned mod = code[0] >> 6, rm = code[0] & 7;
  if (mod == 3) return 1;
  const bool has_index = rm == 4;
  if (has_index && code.size() < 2) return 0;
  const std::size_t shown = has_index ? 2 : 1;
  if (mod == 1) return shown + 1;
  if (mod == 2 || rm == 5 || (has_index && (code[1] & 7) == 5)) return shown + 4;
  return shown;
}

}  // namespace

Instruction decode(std::span<const unsigned char> code) {
  std::size_t at = 0;
  bool has_lock = false, is_short = false, is_long = false;
  for (; at < code.size() && is_in(code[at], "\x66\x67\xF2\xF3\xF0\x2E\x36\x3E\x26\x64\x65"); ++at) {
    has_lock = has_lock || code[at] == 0xF0;
    is_short = is_short || code[at] == 0x66;
  }
  if (at < code.size() && code[at] >= 0x40 && code[at] < 0x50) is_long = (code[at++] & 8) != 0;
  if (at >= code.size()) return {};
  unsigned opcode = code[at++];
  const bool is_exchange = opcode == 0x86 || opcode == 0x87;
  Shape shape = shape_of(opcode);
  unsigned map = 0;
  if (opcode == 0x0F && at < code.size()) {
    map = 1;
    opcode = code[at++];
    if ((opcode == 0x38 || opcode == 0x3A) && at < code.size())
      map = opcode == 0x38 ? 2 : 3, opcode = code[at++];
  } else if ((opcode == 0xC5 || opcode == 0xC4 || opcode == 0x62) && at + 3 < code.size()) {
    map = opcode == 0xC5 ? 1 : opcode == 0xC4 ? code[at] & 0x1F : code[at] & 7;
    at += opcode == 0xC5 ? 1 : opcode == 0xC4 ? 2 : 3;
    opcode = code[at++];
  }
  if (map > 0) shape = map == 1 ? shape_of_second(opcode) : map == 3 ? Shape::kAddressByte : Shape::kAddress;
  if (shape == Shape::kUnknown || at > code.size()) return {};

  const std::size_t wide = is_short ? 2 : 4;
  std::size_t length = at;
  const bool has_address = shape == Shape::kAddress || shape == Shape::kAddressByte ||
                           shape == Shape::kAddressWide || shape == Shape::kTest;
  if (has_address) {
    const std::size_t address = address_length(code.subspan(at));
    if (address == 0) return {};
    length += address;
  }
  switch (shape) {
    case Shape::kByte:
    case Shape::kAddressByte: length += 1; break;
    case Shape::kWord: length += 2; break;
    case Shape::kWide:
    case Shape::kAddressWide: length += wide; break;
    case Shape::kFour: length += 4; break;
    case Shape::kMove: length += is_long ? 8 : wide; break;
    case Shape::kMemory: length += 8; break;
    case Shape::kEnter: length += 3; break;
    case Shape::kTest: length += (code[at] & 0x38) > 0x08 ? 0 : opcode == 0xF6 ? 1 : wide; break;
    default: break;
  }
  if (length > code.size()) return {};
  return {.length = length, .locks = has_lock || (map == 0 && is_exchange && code[at] < 0xC0)};
}

std::vector<std::size_t> locking_instructions(std::span<const unsigned char> function) {
  std::vector<std::size_t> found;
  for (std::size_t at = 0; at < function.size();) {
    const Instruction instruction = decode(function.subspan(at));
    if (instruction.length == 0) break;
    if (instruction.locks) found.push_back(at);
    at += instruction.length;
  }
  return found;
}

}  // namespace ravel::threads
