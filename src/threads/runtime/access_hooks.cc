// What the compiler calls before every memory access: __tsan_read4() and the like.
//
// The fast path asks the shadow whether the access is repeated (repeated_access.h). Where only memory that
// was named matters, it first asks whether this may be some of it. Code that was compiled with the plugin
// asks both before it calls ravel_read4() and the like (compiler/insert_checks.cc).

#include <cstdint>

#include "threads/runtime/export.h"
#include "threads/runtime/repeated_access.h"
#include "threads/runtime/scheduler.h"

namespace ravel::threads {

namespace {

// Where there is a running thread there is the scheduler, too.
template <std::uint32_t kSize, AccessKind kKind>
[[gnu::noinline]] void look(std::uint64_t address, std::uint64_t pc) {
  Thread* const self = current;
  if (self == nullptr) [[unlikely]]
    return;
  if (is_in_one_cell<kSize>(address)) [[likely]] {
    const bool is_own_stack = address - self->stack_low < self->stack_size;
    // Once it has locked, others may look at its stack, too.
    if (writes(kKind) && self->loop.mutex != nullptr && is_own_stack) [[unlikely]]
      the_scheduler->loops().note_stack_write(*self, address, kSize);
    if (is_repeated<kSize, kKind>(*self, address)) {
      // What it writes elsewhere is an effect that waiting_loop.h asks for.
      if (writes(kKind) && !is_own_stack) self->note_write(address, kSize);
      return;
    }
  }
  the_scheduler->memory().slow_access(address, kSize, kKind, pc);
}

// REQUIRES: there is a running thread. Also called where a question was answered with yes (may_matter.cc).
template <std::uint32_t kSize, AccessKind kKind>
[[gnu::always_inline]] inline void look_slowly(void* pointer, std::uint64_t pc) {
  const auto address = reinterpret_cast<std::uint64_t>(pointer);
  if (writes(kKind)) return look<kSize, kKind>(address, pc);  // the write may be repeated all the same
  the_scheduler->memory().slow_access(address, kSize, kKind, pc);
}

// A function of its own looks further, so that this one has nothing to save.
template <std::uint32_t kSize, AccessKind kKind>
[[gnu::always_inline]] inline void access(void* pointer, std::uint64_t pc) {
  const auto address = reinterpret_cast<std::uint64_t>(pointer);
  if (address - ravel_watched_memory.low <= ravel_watched_memory.size) look<kSize, kKind>(address, pc);
}

// How many reads in a row, without any operation between them, are taken to be a loop that waits for another
// thread.
constexpr std::uint32_t kVolatileReadsMax = 1000;

template <std::uint32_t kSize>
void volatile_read(void* pointer, std::uint64_t pc) {
  access<kSize, AccessKind::kRead>(pointer, pc);
  if (current != nullptr && ++current->volatile_reads > kVolatileReadsMax)
    scheduler().memory().look_while_waiting(reinterpret_cast<std::uint64_t>(pointer), kSize, pc);
}

void range_access(void* pointer, std::size_t size, AccessKind kind, std::uint64_t pc) {
  if (current == nullptr || size == 0) return;
  const auto address = reinterpret_cast<std::uint64_t>(pointer);
  const WatchedMemory& watched = ravel_watched_memory;
  if (watched.is_only_tracked && (address + size <= watched.low || address > watched.low + watched.size))
    return;
  the_scheduler->memory().slow_access(address, static_cast<std::uint32_t>(size), kind, pc);
}

}  // namespace

#define RAVEL_ACCESSES(size)                                                                               \
  RAVEL_EXPORT void __tsan_read##size(void* p) { access<size, AccessKind::kRead>(p, RAVEL_CALLER); }       \
  RAVEL_EXPORT void __tsan_write##size(void* p) { access<size, AccessKind::kWrite>(p, RAVEL_CALLER); }     \
  RAVEL_EXPORT void ravel_read##size(void* p) { look_slowly<size, AccessKind::kRead>(p, RAVEL_CALLER); }   \
  RAVEL_EXPORT void ravel_write##size(void* p) { look_slowly<size, AccessKind::kWrite>(p, RAVEL_CALLER); } \
  RAVEL_EXPORT void __tsan_volatile_read##size(void* p) { volatile_read<size>(p, RAVEL_CALLER); }          \
  RAVEL_EXPORT void __tsan_volatile_write##size(void* p) {                                                 \
    access<size, AccessKind::kWrite>(p, RAVEL_CALLER);                                                     \
  }                                                                                                        \
  RAVEL_EXPORT void __tsan_unaligned_read##size(void* p) {                                                 \
    access<size, AccessKind::kRead>(p, RAVEL_CALLER);                                                      \
  }                                                                                                        \
  RAVEL_EXPORT void __tsan_unaligned_write##size(void* p) {                                                \
    access<size, AccessKind::kWrite>(p, RAVEL_CALLER);                                                     \
  }                                                                                                        \
  RAVEL_EXPORT void __tsan_read_write##size(void* p) {                                                     \
    access<size, AccessKind::kRead>(p, RAVEL_CALLER);                                                      \
    access<size, AccessKind::kWrite>(p, RAVEL_CALLER);                                                     \
  }                                                                                                        \
  RAVEL_EXPORT void __tsan_unaligned_read_write##size(void* p) {                                           \
    access<size, AccessKind::kRead>(p, RAVEL_CALLER);                                                      \
    access<size, AccessKind::kWrite>(p, RAVEL_CALLER);                                                     \
  }

RAVEL_ACCESSES(1)
RAVEL_ACCESSES(2)
RAVEL_ACCESSES(4)
RAVEL_ACCESSES(8)
RAVEL_ACCESSES(16)

RAVEL_EXPORT void __tsan_read_range(void* p, std::size_t size) {
  range_access(p, size, AccessKind::kRead, RAVEL_CALLER);
}
RAVEL_EXPORT void __tsan_write_range(void* p, std::size_t size) {
  range_access(p, size, AccessKind::kWrite, RAVEL_CALLER);
}
RAVEL_EXPORT void __tsan_vptr_update(void** p, void* value) {
  if (*p != value) access<8, AccessKind::kWrite>(p, RAVEL_CALLER);
}
RAVEL_EXPORT void __tsan_vptr_read(void** p) { access<8, AccessKind::kRead>(p, RAVEL_CALLER); }

RAVEL_EXPORT void* __tsan_memcpy(void* to, const void* from, std::size_t size) {
  range_access(const_cast<void*>(from), size, AccessKind::kRead, RAVEL_CALLER);
  range_access(to, size, AccessKind::kWrite, RAVEL_CALLER);
  return __builtin_memcpy(to, from, size);
}
RAVEL_EXPORT void* __tsan_memmove(void* to, const void* from, std::size_t size) {
  range_access(const_cast<void*>(from), size, AccessKind::kRead, RAVEL_CALLER);
  range_access(to, size, AccessKind::kWrite, RAVEL_CALLER);
  return __builtin_memmove(to, from, size);
}
RAVEL_EXPORT void* __tsan_memset(void* to, int byte, std::size_t size) {
  range_access(to, size, AccessKind::kWrite, RAVEL_CALLER);
  return __builtin_memset(to, byte, size);
}

RAVEL_EXPORT void __tsan_init() {}

// Stacks are found by unwinding, when one is needed.
RAVEL_EXPORT void __tsan_func_entry(void*) {}
RAVEL_EXPORT void __tsan_func_exit() {}

}  // namespace ravel::threads
