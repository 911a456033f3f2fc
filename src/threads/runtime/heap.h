// The heap of the program under test.
//
// Every thread has a range of its own, from which blocks are cut one after the other and never used again
// within an execution. So addresses follow from what the thread itself has done, an access to a freed block
// is always seen, and the next execution starts by setting a few numbers back. Blocks that do not fit lie in
// a range for all.
//
// Invariants:
// 1. New blocks are zero.
// 2. What was allocated before main() lies in slot 0 and in the range for all, below the marks that
//    note_start() sets; memory_image.h puts back its contents.

#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "threads/protocol/operation.h"
#include "threads/runtime/layout.h"

namespace ravel::threads {

enum class FreeResult : std::uint8_t { kDone, kTwice, kNoBlock };

class Heap {
 public:
  void* allocate(std::uint32_t slot, std::size_t size, std::size_t alignment, std::uint64_t caller);
  FreeResult free(void* block, std::uint64_t caller);
  // The size of an allocated block.
  std::size_t size_of(const void* block) const;

  bool owns(const void* address) const {
    const auto a = reinterpret_cast<std::uint64_t>(address);
    return a - kHeapBase < kHeapSlotSize * kSlotsMax || a - kLargeBase < kLargeSize;
  }

  // From now on blocks are filled with zeros when they are freed: what was in them is no part of a state.
  void set_wiping(bool wipes) { wipes_ = wipes; }
  // The memory of this execution's blocks and what is between them: calls visit(low, high), by slots.
  template <class Visit>
  void visit_used(Visit visit) const {
    if (ranges_[0].next > start_high_) visit(std::max(start_high_, kHeapBase), ranges_[0].next);
    for (std::uint32_t i = 0; i < used_count_; ++i)
      visit(kHeapBase + used_[i] * kHeapSlotSize, ranges_[used_[i]].next);
    if (large_.next > large_start_high_) visit(large_start_high_, large_.next);
  }
  std::uint64_t large_used() const {
    return large_.next > large_start_high_ ? large_.next - large_start_high_ : 0;
  }

  // What is allocated now is there at the start of every execution.
  void note_start();
  void restore();
  // What note_start() has found used, from where to where in whole pages: of slot 0, and of the range for
  // all.
  std::array<std::pair<std::uint64_t, std::uint64_t>, 2> start() const {
    return {{{kHeapBase, start_high_}, {kLargeBase, large_start_high_}}};
  }

  // The block around an address, freed or not. Slow.
  std::optional<HeapPlace> place_of(std::uint64_t address) const;
  // Where the block around an address was freed; 0 if it was not. Slow.
  std::uint64_t freed_at(std::uint64_t address) const;

 private:
  struct Block;
  struct Range {
    std::uint64_t next = 0, mapped = 0;
  };

  void* cut(Range& range, std::uint64_t base, std::uint64_t size_max, std::size_t size, std::size_t alignment,
            std::uint64_t caller);
  // Goes on after a page boundary, so that no page is both the start's and an execution's: that boundary.
  std::uint64_t end_page(Range& range, std::uint64_t base, std::uint64_t size_max);
  const Block* find(std::uint64_t address) const;

  Range ranges_[kSlotsMax];
  Range large_;
  std::uint32_t used_[kSlotsMax] = {};  // slots with blocks of this execution
  std::uint32_t used_count_ = 0;
  bool wipes_ = false;
  std::uint64_t start_next_ = 0, start_high_ = 0;
  Range large_start_ = {};
  std::uint64_t large_start_high_ = kLargeBase;
};

Heap& heap();

}  // namespace ravel::threads
