// States to come back to, in the order in which they were put off: each with the explorer's state there, and
// how many of its transitions were taken.
//
// The idea: neighbours differ by little, so each is noted as what differs from the one before, mostly in some
// four bytes. 1,024 of them are a block. What is more than a bound goes to a file, block by block, which has
// no name any more as soon as it is open, so that it is gone when the process is. Where there is no room for
// a file all stays in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "engine/position.h"
#include "engine/system.h"

namespace ravel {

struct PutOff {
  StateNumber state;
  std::uint32_t explorer = 0;  // its state there, by number
  std::uint32_t place = 0;     // in the order of the transitions: those before it were taken

  friend bool operator==(const PutOff&, const PutOff&) = default;
};

class Frontier {
 public:
  static constexpr std::size_t kMemoryMax = 16 << 20;

  // `memory_max`: how many bytes may be in memory, apart from a block or two. The file is below $TMPDIR, or
  // /tmp.
  explicit Frontier(std::size_t memory_max = kMemoryMax) : memory_max_(memory_max) {}
  ~Frontier();
  Frontier(const Frontier&) = delete;
  Frontier& operator=(const Frontier&) = delete;

  void put(const PutOff& put_off);
  // The first of those that are there, which is there no more.
  std::optional<PutOff> take();
  // How many are there.
  std::uint64_t size() const { return size_; }
  // REQUIRES: index < size().
  PutOff at(std::uint64_t index) const;
  // Calls visit(put_off) for each that is there.
  template <class Visit>
  void for_each(Visit visit) const {
    for (std::size_t i = taken_; i < opened_.size(); ++i) visit(opened_[i]);
    for (const Block& block : blocks_)
      for (const PutOff& one : read(block)) visit(one);
    for (const PutOff& one : decoded(filling_.bytes())) visit(one);
  }
  void swap(Frontier& other);

  std::uint64_t bytes() const;          // in memory
  std::uint64_t bytes_on_disk() const;  // in the file

 private:
  static constexpr std::size_t kOfBlock = 1'024;
  struct Block {
    std::uint32_t count = 0;
    std::uint32_t size = 0;    // in bytes
    std::uint64_t offset = 0;  // in the file, if `bytes` is empty
    std::string bytes = {};
  };

  static std::vector<PutOff> decoded(std::string_view bytes);
  std::vector<PutOff> read(const Block& block) const;
  void end_block();
  bool write(Block& block);
  bool open_file();

  std::size_t memory_max_;
  std::uint64_t size_ = 0;
  std::vector<PutOff> opened_;  // the first block
  std::size_t taken_ = 0;       // of it
  std::deque<Block> blocks_;    // those after it
  PositionWriter filling_;      // the last one
  std::uint32_t filled_ = 0;    // how many are in it
  PutOff last_ = {};            // of it
  std::uint64_t held_ = 0;      // bytes of blocks in memory
  int file_ = -1;
  std::uint64_t file_end_ = 0;
  bool has_no_file_ = false;  // it could not be made, or is full
};

}  // namespace ravel
