// Pairs of 32-bit numbers, each stored once and numbered in the order of insertion.
//
// Cost: 8 bytes a pair, and a slot of 5 bytes for it in a table that is between three eighths and three
// quarters full: 15 to 21 bytes. An insertion reads two cache lines, mostly: slots have some bits of the
// hash. Numbers stay what they are while the table grows; growing moves no pair, and reads each once.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace ravel {

class PairTable {
 public:
  using Number = std::uint32_t;
  struct Insertion {
    Number number;
    bool is_new;
  };

  // No more pairs fit than that: numbers have one bit to spare.
  static constexpr std::size_t kSizeMax = (std::size_t{1} << 31) - 1;

  // REQUIRES: size() < kSizeMax, or the pair is in the table.
  Insertion insert(std::uint32_t left, std::uint32_t right);
  // The left one in the upper half.
  std::uint64_t pair(Number number) const { return chunks_[number >> kChunkBits][number & (kChunk - 1)]; }
  std::uint32_t left(Number number) const { return static_cast<std::uint32_t>(pair(number) >> 32); }
  std::uint32_t right(Number number) const { return static_cast<std::uint32_t>(pair(number)); }
  std::size_t size() const { return size_; }
  std::size_t bytes() const {
    return chunks_.size() * kChunk * sizeof(std::uint64_t) + slots_.size() * sizeof(Slot);
  }

 private:
  static constexpr std::size_t kChunkBits = 16, kChunk = std::size_t{1} << kChunkBits;
  static constexpr std::size_t kSlotsMin = 1024;

  // Five bytes side by side, so that one cache line has both.
  struct __attribute__((packed)) Slot {
    Number number_after = 0;  // the pair's number + 1, or 0 if the slot is free
    std::uint8_t tag = 0;     // of the hash
  };
  void grow();

  std::vector<std::unique_ptr<std::uint64_t[]>> chunks_;  // by number
  std::vector<Slot> slots_;                               // by hash, linear probing
  std::size_t size_ = 0;
};

}  // namespace ravel
