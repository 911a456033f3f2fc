// What the program's accesses to memory are: which are operations, which are of memory that is gone, how
// often each word is accessed, and which block of the heap it lies in.

#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "threads/runtime/access_counts.h"
#include "threads/runtime/block_names.h"
#include "threads/runtime/layout.h"
#include "threads/runtime/library_use.h"
#include "threads/runtime/shadow.h"
#include "threads/runtime/thread_switch.h"

namespace ravel::threads {

class RaceDetector;
class Scheduler;

class MemoryAccesses {
 public:
  // `scheduler` and `races` must outlive this object.
  MemoryAccesses(Scheduler& scheduler, RaceDetector& races);

  void configure();
  void begin_execution();

  // ---- in the running thread

  // An access that is not covered by the fast path. It may be an operation.
  void slow_access(std::uint64_t address, std::uint32_t size, AccessKind kind, std::uint64_t pc);
  // The call that follows does this to what threads share inside the C library (library_use.h), all of it at
  // once.
  void use_library(std::span<const LibraryUse> uses, std::uint64_t pc);
  // In a search by states: the running thread changes what is no memory of the program.
  [[noreturn]] void refuse_outside_state(const std::string& what, std::uint64_t pc);
  // A read that is an operation because the thread does nothing else: it gives way to others.
  void look_while_waiting(std::uint64_t address, std::uint32_t size, std::uint64_t pc);
  // Freeing races with threads that have used the memory without being ordered with it.
  void note_free(std::uint64_t address, std::uint64_t size, std::uint64_t pc);

  // Fails if the memory was freed.
  [[gnu::always_inline]] void check_access(std::uint64_t address, std::uint32_t size, AccessKind kind,
                                           std::uint64_t pc) {
    if (is_left_stack(address)) [[unlikely]]
      check_memory(address, writes(kind) ? "writes to" : "reads", "memory", pc);
    for (std::uint64_t word = address & ~std::uint64_t{7}; word < address + size; word += 8)
      check_freed(shadow_of(word), word, kind, pc);
  }
  // Whether the memory was freed, or is on the stack of another thread that has ended, or below what it has
  // of it now: of functions that have returned (object_life.h).
  [[gnu::always_inline]] bool may_be_gone(std::uint64_t address) const {
    return shadow_.is_freed(shadow_of(address)) || is_left_stack(address);
  }
  // Fails if so. `verb` and `what`: "locks", "mutex".
  void check_memory(std::uint64_t address, const char* verb, const char* what, std::uint64_t pc);

  // ---- counts and names

  AccessCounts& counts() { return counts_; }
  void count_access(std::uint64_t word, bool writes, ActorId actor, std::uint64_t pc) {
    counts_.note(word, blocks_.find(word), writes, static_cast<std::uint32_t>(actor), pc);
  }
  const BlockNames& blocks() const { return blocks_; }
  void note_block(void* block, std::uint64_t size, std::uint64_t pc) {
    if (names_blocks_ && current != nullptr) [[unlikely]]
      name_block(block, size, pc);
  }

 private:
  [[gnu::always_inline]] void check_freed(const ShadowCell& cell, std::uint64_t address, AccessKind kind,
                                          std::uint64_t pc) {
    if (shadow_.is_freed(cell)) [[unlikely]]
      fail_by_use_after_free(address, kind, pc);
  }
  [[gnu::always_inline]] bool is_left_stack(std::uint64_t address) const {
    return address - kStackBase < kSlotsMax * kStackSlotSize && is_left_frame(address);
  }
  bool is_left_frame(std::uint64_t address) const;
  void refuse_outside_state(std::span<const LibraryUse> uses, std::uint64_t pc);
  [[noreturn]] void fail_by_use_after_free(std::uint64_t address, AccessKind kind, std::uint64_t pc);
  void name_block(void* block, std::uint64_t size, std::uint64_t pc);
  void do_operation(std::uint64_t address, std::uint32_t size, AccessKind kind, std::uint64_t pc);

  Scheduler& scheduler_;
  RaceDetector& races_;
  Shadow& shadow_;
  AccessCounts counts_;
  bool names_blocks_ = false;
  BlockNames blocks_;
};

}  // namespace ravel::threads
