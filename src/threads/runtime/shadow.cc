#include "threads/runtime/shadow.h"

#include <sys/mman.h>
#include <sys/syscall.h>

#include <utility>

#include "threads/protocol/system_call.h"
#include "threads/runtime/check_failed.h"
#include "threads/runtime/mappings.h"
#include "threads/runtime/shadow_pieces.h"
#include "threads/runtime/weak_orders.h"

namespace ravel::threads {

namespace {

constexpr std::uint64_t kSize = (std::uint64_t{1} << (kShadowBits - 3)) * sizeof(ShadowCell);
constexpr std::uint64_t kPiece = std::uint64_t{1} << 20;

// Where address space is limited (ulimit -v) the shadow is mapped piece by piece, when a fault shows that one
// is needed.
bool is_mapped_by_pieces = false;

}  // namespace

void Shadow::map() {
  void* const got = map_memory(reinterpret_cast<void*>(kShadowBase), kSize, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE | MAP_NORESERVE, -1, 0);
  is_mapped_by_pieces = got != reinterpret_cast<void*>(kShadowBase);
  if (!is_mapped_by_pieces) madvise(got, kSize, MADV_NOHUGEPAGE);
}

bool map_piece_of_shadow(std::uint64_t address) {
  if (!is_mapped_by_pieces || address - kShadowBase >= kSize) return false;
  const std::uint64_t piece = address & ~(kPiece - 1);
  const long got = system_call(SYS_mmap, static_cast<long>(piece), kPiece, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE | MAP_NORESERVE, -1, 0);
  if (got != static_cast<long>(piece))
    refuse_to_start(
        "there is no address space left for what is known of the program's memory: the limit is too low "
        "(ulimit -v)");
  return true;
}

void Shadow::begin_execution(LogicalTime base) {
  base_ = base;
  ++stamp_;
  more_.clear();
  free_more_ = 0;
}

std::optional<Shadow::Race> Shadow::note(ShadowCell& cell, std::uint64_t own_epoch, const VectorClock& clock,
                                         std::uint8_t bytes, AccessKind kind, std::uint64_t pc) {
  const bool is_write = writes(kind);
  const std::uint64_t own = own_epoch | bytes | (is_atomic(kind) ? epoch::kAtomic : 0) |
                            (is_sequential(kind) ? epoch::kSequential : 0);
  const std::uint32_t self = epoch::thread_of(own);
  std::optional<Race> race;

  // Looks at one earlier access; true if the new one takes its place.
  const auto meet = [&](std::uint64_t e, bool e_writes, std::uint32_t e_pc) {
    if (e == 0 || epoch::clock_of(e) < base_) return true;
    const std::uint32_t thread = epoch::thread_of(e);
    const bool is_before = thread == self || epoch::clock_of(e) <= clock.at(thread);
    const bool overlap = (e & bytes & epoch::kBytes) != 0;
    const bool conflict = (is_write || e_writes) && !((e & epoch::kAtomic) != 0 && is_atomic(kind));
    if (!is_before && overlap && !conflict && (is_write || e_writes) &&
        ((e & own & epoch::kSequential) == 0 || has_weak_orders) && meetings_count_ < meetings_.size())
      meetings_[meetings_count_++] = {.epoch = e, .pc = e_pc};
    if (!is_before && overlap && conflict && !race)
      race = Race{.thread = thread, .pc = e_pc, .write = e_writes};
    const bool is_covered = (e & epoch::kBytes & ~static_cast<std::uint64_t>(bytes)) == 0;
    // An atomic access must not hide a plain one, which races with more.
    const bool is_stronger = !is_atomic(kind) || (e & epoch::kAtomic) != 0;
    return is_covered && is_stronger && (is_before || race) && (is_write || !e_writes);
  };
  const auto hang = [&](std::uint64_t e, std::uint32_t e_pc, bool e_writes) {
    if (cell.more_stamp != stamp_) cell.more = 0, cell.more_stamp = stamp_;
    const More more{.epoch = e, .pc = e_pc, .next = cell.more, .write = e_writes};
    if (free_more_ != 0) {
      cell.more = free_more_;
      free_more_ = std::exchange(more_[free_more_ - 1], more).next;
    } else {
      more_.push_back(more);
      cell.more = static_cast<std::uint32_t>(more_.size());
    }
  };

  // The same thread goes on to other bytes of the word.
  const auto extends = [&](std::uint64_t e) { return (e ^ own) >> 8 == 0; };

  const bool drops_write = meet(cell.write, true, cell.write_pc);
  const bool drops_read = meet(cell.read, false, cell.read_pc);
  if (cell.more_stamp == stamp_) {
    std::uint32_t* link = &cell.more;
    while (*link != 0) {
      More& more = more_[*link - 1];
      if (meet(more.epoch, more.write, more.pc)) {
        const std::uint32_t freed = std::exchange(*link, more.next);
        more.next = std::exchange(free_more_, freed);
      } else {
        link = &more.next;
      }
    }
  }
  if (is_write) {
    if (drops_read) cell.read = 0;
    const bool extended = extends(cell.write);
    if (!drops_write && !extended) hang(cell.write, cell.write_pc, true);
    cell.write = extended ? cell.write | bytes : own;
    cell.write_pc = static_cast<std::uint32_t>(pc);
  } else {
    const bool extended = extends(cell.read);
    if (!drops_read && !extended) hang(cell.read, cell.read_pc, false);
    cell.read = extended ? cell.read | bytes : own;
    cell.read_pc = static_cast<std::uint32_t>(pc);
  }
  return race;
}

void Shadow::mark_freed(std::uint64_t address, std::uint64_t size) {
  const std::uint64_t mark = epoch::make(base_, epoch::kFreedThread) | epoch::kBytes;
  for (std::uint64_t word = address & ~std::uint64_t{7}; word < address + size; word += 8) {
    ShadowCell& cell = shadow_of(word);
    if (cell.write == epoch::kTracked) {
      cell.read = mark;
    } else {
      cell.write = mark, cell.read = 0;
    }
  }
}

}  // namespace ravel::threads
