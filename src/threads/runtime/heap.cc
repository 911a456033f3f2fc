#include "threads/runtime/heap.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>

#include <algorithm>
#include <cstring>

#include "base/check.h"
#include "threads/runtime/heap_limit.h"
#include "threads/runtime/mappings.h"

namespace ravel::threads {

// Before each block; blocks of a range form a list from its base.
struct Heap::Block {
  std::uint64_t size;    // of the contents
  std::uint64_t caller;  // where it was allocated, and, since it was freed, where that was
  std::uint64_t state;   // kAllocated or kFreed, with the distance to the next header
  std::uint64_t start;   // of the contents

  static constexpr std::uint64_t kAllocated = 0xA110C8ED'00000000;
  static constexpr std::uint64_t kFreed = 0xF4EED000'00000000;
  static constexpr std::uint64_t kDistance = 0xFFFFFFFF;
};

namespace {

constexpr std::uint64_t kMapStep = std::uint64_t{1} << 20;
// A bigger block would fill a thread's range too soon.
constexpr std::size_t kSmallMax = std::size_t{1} << 22;
// Distances between headers are counted in units of this, so that they fit in 32 bits.
constexpr std::uint64_t kUnit = 16;
// One execution may have as much, however small the machine is.
constexpr std::uint64_t kTakenMin = std::uint64_t{256} << 20;
constexpr std::size_t kSparseMin = std::size_t{1} << 30;

std::uint64_t taken = 0;  // bytes of blocks of this execution

}  // namespace

// Used before any constructor has run: everything is zero at the start.
Heap& heap() {
  static constinit Heap instance;
  return instance;
}

void* Heap::cut(Range& range, std::uint64_t base, std::uint64_t size_max, std::size_t size,
                std::size_t alignment, std::uint64_t caller) {
  if (range.next == 0) range.next = base;
  if (range.mapped == 0) range.mapped = base;
  const std::uint64_t header = range.next;
  std::uint64_t contents =
      (header + sizeof(Block) + alignment - 1) & ~(static_cast<std::uint64_t>(alignment) - 1);
  // Room for the header's copy, which must not lie across the header.
  if (contents - header > sizeof(Block) && contents - header < 2 * sizeof(Block)) contents += alignment;
  const std::uint64_t end = (contents + size + kUnit - 1) & ~(kUnit - 1);
  if (end + sizeof(Block) > base + size_max) return nullptr;
  if (end + sizeof(Block) > range.mapped) {
    const std::uint64_t wanted = (end + sizeof(Block) - range.mapped + kMapStep - 1) & ~(kMapStep - 1);
    void* const got = map_memory(reinterpret_cast<void*>(range.mapped), wanted, PROT_READ | PROT_WRITE,
                                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE | MAP_NORESERVE, -1, 0);
    if (got != reinterpret_cast<void*>(range.mapped)) return nullptr;
    range.mapped += wanted;
  }
  range.next = end;
  // The tail up to the end is zeroed as well: it may hold what another execution left there. What large
  // blocks left is given back.
  const std::uint64_t from = header + sizeof(Block);
  const std::uint64_t to = base == kLargeBase ? std::min(end, std::max(from, large_start_.mapped)) : end;
  std::memset(reinterpret_cast<void*>(from), 0, to - from);
  *reinterpret_cast<Block*>(header) = {.size = size,
                                       .caller = caller,
                                       .state = Block::kAllocated | ((end - header) / kUnit),
                                       .start = contents};
  // A block is found from its contents by the header in front of it, so one that is aligned has a copy there.
  if (contents != header + sizeof(Block))
    std::memcpy(reinterpret_cast<void*>(contents - sizeof(Block)), reinterpret_cast<void*>(header),
                sizeof(Block));
  return reinterpret_cast<void*>(contents);
}

void* Heap::allocate(std::uint32_t slot, std::size_t size, std::size_t alignment, std::uint64_t caller) {
  alignment = std::max<std::size_t>(alignment, kUnit);
  // More than that at once is not meant to be filled.
  if (size <= kSparseMin) taken += size + sizeof(Block);
  if (size <= kSparseMin && is_heap_exhausted()) return nullptr;
  if (size > kLargeSize) return nullptr;
  // An empty block has an address of its own, too.
  size = std::max<std::size_t>(size, 1);
  if (size + alignment <= kSmallMax) [[likely]] {
    Range& range = ranges_[slot];
    const bool is_first = range.next == 0;
    void* const block = cut(range, kHeapBase + slot * kHeapSlotSize, kHeapSlotSize, size, alignment, caller);
    if (is_first && slot != 0) used_[used_count_++] = slot;
    if (block != nullptr) return block;
  }
  return cut(large_, kLargeBase, kLargeSize, size, alignment, caller);
}

FreeResult Heap::free(void* pointer, std::uint64_t caller) {
  const auto address = reinterpret_cast<std::uint64_t>(pointer);
  auto* const block = reinterpret_cast<Block*>(address - sizeof(Block));
  if (!owns(pointer) || address % kUnit != 0 || block->start != address) return FreeResult::kNoBlock;
  const std::uint64_t state = block->state & ~Block::kDistance;
  if (state == Block::kFreed) return FreeResult::kTwice;
  if (state != Block::kAllocated) return FreeResult::kNoBlock;
  block->state = Block::kFreed | (block->state & Block::kDistance);
  block->caller = caller;
  if (wipes_) std::memset(pointer, 0, block->size);
  return FreeResult::kDone;
}

std::size_t Heap::size_of(const void* pointer) const {
  return reinterpret_cast<const Block*>(static_cast<const char*>(pointer) - sizeof(Block))->size;
}

std::uint64_t Heap::end_page(Range& range, std::uint64_t base, std::uint64_t size_max) {
  const auto fill = [&](std::uint64_t size) {
    static_cast<void>(cut(range, base, size_max, std::max<std::uint64_t>(size, 1), kUnit, 0));
  };
  if (range.next == 0) fill(1);
  const std::uint64_t boundary = (range.next + sizeof(Block) + kPageSize - 1) & ~(kPageSize - 1);
  fill(boundary - range.next - sizeof(Block));
  return (range.next + kPageSize - 1) & ~(kPageSize - 1);
}

void Heap::note_start() {
  start_high_ = end_page(ranges_[0], kHeapBase, kHeapSlotSize);
  start_next_ = ranges_[0].next;
  if (large_.next == 0) return;
  large_start_high_ = end_page(large_, kLargeBase, kLargeSize);
  large_start_ = large_;
}

bool is_heap_exhausted() { return taken > heap_limit(); }

std::uint64_t heap_taken() { return taken; }

// What is known of the memory takes four times as much again.
std::uint64_t heap_limit() {
  static const std::uint64_t max = [] {
    struct sysinfo system {};
    const bool is_known = sysinfo(&system) == 0;
    std::uint64_t bytes = is_known ? std::uint64_t{system.totalram} * system.mem_unit / 16 : kTakenMin;
    rlimit limit{};
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
      bytes = std::min<std::uint64_t>(bytes, limit.rlim_cur / 16);
    return std::max(bytes, kTakenMin);
  }();
  return max;
}

void Heap::restore() {
  taken = 0;
  for (std::uint32_t i = 0; i < used_count_; ++i) ranges_[used_[i]].next = 0;
  used_count_ = 0;
  ranges_[0].next = start_next_;
  const std::uint64_t mapped = std::max(large_start_.mapped, kLargeBase);
  if (large_.mapped > mapped) munmap(reinterpret_cast<void*>(mapped), large_.mapped - mapped);
  large_ = large_start_;
}

const Heap::Block* Heap::find(std::uint64_t address) const {
  const bool is_large = address - kLargeBase < kLargeSize;
  if (!is_large && address - kHeapBase >= kHeapSlotSize * kSlotsMax) return nullptr;
  const std::uint64_t slot = is_large ? 0 : (address - kHeapBase) / kHeapSlotSize;
  const Range& range = is_large ? large_ : ranges_[slot];
  std::uint64_t header = is_large ? kLargeBase : kHeapBase + slot * kHeapSlotSize;
  while (header < range.next) {
    const auto* const block = reinterpret_cast<const Block*>(header);
    const std::uint64_t distance = (block->state & Block::kDistance) * kUnit;
    if (distance == 0) return nullptr;
    if (address < header + distance) {
      // The copy in front of the contents is the one that is kept up to date.
      return reinterpret_cast<const Block*>(block->start - sizeof(Block));
    }
    header += distance;
  }
  return nullptr;
}

std::optional<HeapPlace> Heap::place_of(std::uint64_t address) const {
  const Block* const block = find(address);
  if (block == nullptr || address < block->start) return std::nullopt;
  return HeapPlace{.offset = address - block->start, .size = block->size, .allocated_at = block->caller};
}

std::uint64_t Heap::freed_at(std::uint64_t address) const {
  const Block* const block = find(address);
  return block != nullptr && (block->state & ~Block::kDistance) == Block::kFreed ? block->caller : 0;
}

}  // namespace ravel::threads
