// The shadow of the program's memory: who accessed each word of 8 bytes last, and what makes a word special.
//
// The idea: one cell a word holds the last write and the last read as epochs (Flanagan & Freund, "FastTrack:
// efficient and precise dynamic race detection", 2009), each with the bytes that it covered. An access that
// repeats what the cell already says, which is nearly every one, is two comparisons. Everything else is
// looked at closely. What does not fit into a cell (readers side by side, accesses to different bytes) hangs
// at it as a list.
//
// An epoch is one number: the clock of the thread (42 bits), whether the access was atomic and sequentially
// consistent, the thread's number in the execution (12 bits), the bytes (8 bits).

#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "threads/protocol/operation.h"
#include "threads/runtime/layout.h"
#include "threads/runtime/vector_clock.h"

namespace ravel::threads {

struct ShadowCell {
  std::uint64_t write;  // an epoch, or one of the marks
  std::uint64_t read;
  std::uint32_t write_pc;  // the low half of the program counter
  std::uint32_t read_pc;
  std::uint32_t more;        // number of the first further access, from 1
  std::uint32_t more_stamp;  // the execution in which `more` was set
};
static_assert(sizeof(ShadowCell) == 32);

namespace epoch {

inline constexpr std::uint64_t kBytes = 0xFF;
inline constexpr std::uint64_t kAtomic = std::uint64_t{1} << 20;
// With kAtomic: in the order of all that are sequentially consistent
inline constexpr std::uint64_t kSequential = std::uint64_t{1} << 21;
inline constexpr unsigned kClockShift = 22;

// In ShadowCell::write: the word is an operation whoever accesses it.
inline constexpr std::uint64_t kTracked = ~std::uint64_t{0};
// In no cell, nor near one that is.
inline constexpr std::uint64_t kNone = ~std::uint64_t{0} ^ kAtomic;
// In ShadowCell::write, as the thread's number: the word belongs to a freed block. In ShadowCell::read, if it
// is tracked.
inline constexpr std::uint32_t kFreedThread = kSlotsMax - 1;

inline std::uint64_t make(LogicalTime clock, std::uint32_t thread) {
  return clock << kClockShift | std::uint64_t{thread} << 8;
}
inline std::uint32_t thread_of(std::uint64_t e) {
  return static_cast<std::uint32_t>(e >> 8) & (kSlotsMax - 1);
}
inline LogicalTime clock_of(std::uint64_t e) { return e >> kClockShift; }

}  // namespace epoch

inline ShadowCell& shadow_of(std::uint64_t address) {
  return reinterpret_cast<ShadowCell*>(kShadowBase)[(address & kShadowMask) >> 3];
}

// Atomic ones of a weaker order, and those that are sequentially consistent.
enum class AccessKind : std::uint8_t {
  kRead,
  kWrite,
  kAtomicRead,
  kAtomicWrite,
  kSequentialRead,
  kSequentialWrite
};
inline constexpr bool writes(AccessKind kind) { return (static_cast<unsigned>(kind) & 1) != 0; }
inline constexpr bool is_atomic(AccessKind kind) { return kind >= AccessKind::kAtomicRead; }
inline constexpr bool is_sequential(AccessKind kind) { return kind >= AccessKind::kSequentialRead; }

class Shadow {
 public:
  struct Race {
    std::uint32_t thread = 0;  // number of the other thread in the execution
    std::uint64_t pc = 0;
    bool write = false;
  };

  // An earlier atomic access that the last one conflicted with while nothing had ordered them, one of both
  // being of a weaker order.
  struct Meeting {
    std::uint64_t epoch = 0;
    std::uint32_t pc = 0;  // the low half
  };
  bool has_meetings() const { return meetings_count_ > 0; }
  std::span<const Meeting> take_meetings() {
    return std::span(meetings_).first(std::exchange(meetings_count_, 0));
  }

  // Maps the shadow; costs address space only.
  void map();
  // Everything noted with a clock below is of earlier executions.
  void begin_execution(LogicalTime base);

  // Notes the access of `bytes` (a bit a byte) of one word and says which earlier access it races with.
  std::optional<Race> note(ShadowCell& cell, std::uint64_t own_epoch, const VectorClock& clock,
                           std::uint8_t bytes, AccessKind kind, std::uint64_t pc);

  // An access of this execution, or a mark.
  bool is_noted(std::uint64_t e) const { return e != 0 && epoch::clock_of(e) >= base_; }
  bool is_freed(const ShadowCell& cell) const {
    const std::uint64_t mark = cell.write == epoch::kTracked ? cell.read : cell.write;
    return epoch::thread_of(mark) == epoch::kFreedThread && epoch::clock_of(mark) >= base_;
  }
  void mark_freed(std::uint64_t address, std::uint64_t size);
  // REQUIRES: between executions.
  void track(std::uint64_t word) {
    shadow_of(word).write = epoch::kTracked;
    shadow_of(word).read = 0;
  }

 private:
  struct More {
    std::uint64_t epoch;
    std::uint32_t pc;
    std::uint32_t next;
    bool write;
  };

  std::array<Meeting, 4> meetings_;  // further ones are left out
  std::size_t meetings_count_ = 0;
  LogicalTime base_ = 1;
  std::uint32_t stamp_ = 0;
  std::vector<More> more_;
  std::uint32_t free_more_ = 0;  // number of the first one that is not used, from 1
};

}  // namespace ravel::threads
