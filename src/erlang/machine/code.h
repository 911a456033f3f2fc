// Loaded code: one array of words for all modules of a machine.
//
// The first word of an instruction holds the number of its handler's code (an offset, so that it fits 32
// bits) and two 16-bit operands, mostly registers; further operands fill further words. Places in code are
// named by their index in the array, which does not depend on where the array lies.
#pragma once

#include <cstdint>

#include "erlang/term/term.h"

namespace ravel::erlang {

union CodeWord {
  struct {
    std::int32_t handler;  // distance of the handler's code from that of the first
    std::uint16_t a, b;
  } op;
  struct {
    std::int32_t low, high;
  } pair;
  struct {
    std::uint16_t a, b, c, d;
  } quad;
  std::uint64_t bits;
  const void* pointer;
};

static_assert(sizeof(CodeWord) == 8);

// A source operand in a word of its own: a constant term, or a register. Terms never end in 00.
constexpr std::uint64_t x_operand(std::uint64_t index) { return index << 3; }
constexpr std::uint64_t y_operand(std::uint64_t index) { return index << 3 | 4; }

// The array: a reservation of address space that is filled from the front.
class CodeArea {
 public:
  CodeArea();
  ~CodeArea();
  CodeArea(const CodeArea&) = delete;
  CodeArea& operator=(const CodeArea&) = delete;

  CodeWord* at(std::uint32_t index) { return base_ + index; }
  const CodeWord* at(std::uint32_t index) const { return base_ + index; }
  std::uint32_t index_of(const CodeWord* place) const { return static_cast<std::uint32_t>(place - base_); }
  bool contains(const CodeWord* place) const { return place >= base_ && place < base_ + size_; }
  std::uint32_t size() const { return size_; }
  CodeWord* append(std::uint32_t words);
  // Gives back what was appended since there were so many words.
  void shrink_to(std::uint32_t size) { size_ = size; }

 private:
  static constexpr std::size_t kReservedWords = std::size_t{1} << 29;  // 4 GiB of address space
  CodeWord* base_ = nullptr;
  std::uint32_t size_ = 1;  // index 0 is no place
};

}  // namespace ravel::erlang
