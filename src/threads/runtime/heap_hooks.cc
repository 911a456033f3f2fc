// malloc() and its family: the program's calls go to the controlled heap, the runtime's to its arena.

#include <errno.h>
#include <fmt/format.h>
#include <malloc.h>
#include <stdlib.h>

#include <algorithm>
#include <cstring>

#include "threads/runtime/arena.h"
#include "threads/runtime/export.h"
#include "threads/runtime/heap.h"
#include "threads/runtime/heap_limit.h"
#include "threads/runtime/scheduler.h"

namespace ravel::threads {

namespace {

[[noreturn]] void fail_by_exhaustion(std::uint64_t pc) {
  RawBug bug{
      .kind = "out_of_memory",
      .message = fmt::format("allocates in $F{:x}; more than {} MB in one execution, freed blocks included",
                             pc, heap_limit() >> 20),
      .stack = scheduler().recording().stack_of(pc)};
  scheduler().fail(std::move(bug));
}

// Every state is looked at as a whole.
constexpr std::uint64_t kOfStateMax = std::uint64_t{64} << 20;

[[noreturn]] void refuse_large_state(std::uint64_t pc) {
  scheduler().refuse(fmt::format("the program allocates more than {} MB in one execution, freed blocks "
                                 "included, which is too much for a state; choose another strategy",
                                 kOfStateMax >> 20),
                     pc);
}

void* allocate(std::size_t size, std::size_t alignment, std::uint64_t pc) {
  if (!in_program) {
    void* const block = arena_allocate(size + (alignment > 16 ? alignment : 0));
    const auto address = reinterpret_cast<std::uint64_t>(block);
    if (alignment <= 16) return block;
    // Only the loader asks for that, for thread-local blocks, which are never freed.
    return reinterpret_cast<void*>((address + alignment - 1) & ~(static_cast<std::uint64_t>(alignment) - 1));
  }
  if (current != nullptr) {
    current->note_change();
    if (scheduler().configuration().by_states && heap_taken() + size > kOfStateMax) refuse_large_state(pc);
  }
  void* const block = heap().allocate(current == nullptr ? 0 : current->slot, size, alignment, pc);
  if (block == nullptr) {
    if (current != nullptr && is_heap_exhausted()) fail_by_exhaustion(pc);
    errno = ENOMEM;
  } else {
    scheduler().memory().note_block(block, size, pc);
  }
  return block;
}

void release(void* block, std::uint64_t pc) {
  if (block == nullptr) return;
  if (in_arena(block)) {
    arena_free(block);
    return;
  }
  if (!heap().owns(block) && current == nullptr) return;  // of the loader's own beginnings
  const FreeResult result = heap().free(block, pc);
  if (result == FreeResult::kDone) {
    if (current == nullptr) return;
    current->note_change();
    scheduler().memory().note_free(reinterpret_cast<std::uint64_t>(block), heap().size_of(block), pc);
    return;
  }
  const bool is_twice = result == FreeResult::kTwice;
  RawBug bug{
      .kind = is_twice ? "double_free" : "invalid_free",
      .message = is_twice ? "frees memory that was freed before" : "frees what is not a block of the heap",
      .stack = scheduler().recording().stack_of(pc)};
  if (is_twice) {
    char text[64];
    snprintf(text, sizeof text, "it was freed at $P%lx;",
             static_cast<unsigned long>(heap().freed_at(reinterpret_cast<std::uint64_t>(block))));
    bug.details.emplace_back(text);
  }
  scheduler().fail(std::move(bug));
}

std::size_t usable_size(void* block) {
  if (block == nullptr) return 0;
  return in_arena(block) ? arena_usable_size(block) : heap().size_of(block);
}

}  // namespace

RAVEL_EXPORT void* malloc(std::size_t size) noexcept { return allocate(size, 16, RAVEL_CALLER); }
RAVEL_EXPORT void free(void* block) noexcept { release(block, RAVEL_CALLER); }
RAVEL_EXPORT void* calloc(std::size_t count, std::size_t size) noexcept {
  std::size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) {
    errno = ENOMEM;
    return nullptr;
  }
  void* const block = allocate(bytes, 16, RAVEL_CALLER);
  if (block != nullptr && !in_program) std::memset(block, 0, bytes);
  return block;
}
RAVEL_EXPORT void* realloc(void* block, std::size_t size) noexcept {
  if (block == nullptr) return allocate(size, 16, RAVEL_CALLER);
  if (size == 0) {
    release(block, RAVEL_CALLER);
    return nullptr;
  }
  void* const moved = allocate(size, 16, RAVEL_CALLER);
  if (moved == nullptr) return nullptr;
  std::memcpy(moved, block, std::min(size, usable_size(block)));
  release(block, RAVEL_CALLER);
  return moved;
}
RAVEL_EXPORT void* reallocarray(void* block, std::size_t count, std::size_t size) noexcept {
  std::size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) {
    errno = ENOMEM;
    return nullptr;
  }
  return realloc(block, bytes);
}
RAVEL_EXPORT void* memalign(std::size_t alignment, std::size_t size) noexcept {
  return allocate(size, alignment, RAVEL_CALLER);
}
RAVEL_EXPORT void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
  return allocate(size, alignment, RAVEL_CALLER);
}
RAVEL_EXPORT int posix_memalign(void** result, std::size_t alignment, std::size_t size) noexcept {
  void* const block = allocate(size, alignment, RAVEL_CALLER);
  if (block == nullptr) return ENOMEM;
  *result = block;
  return 0;
}
RAVEL_EXPORT void* valloc(std::size_t size) noexcept { return allocate(size, kPageSize, RAVEL_CALLER); }
RAVEL_EXPORT void* pvalloc(std::size_t size) noexcept {
  return allocate((size + kPageSize - 1) & ~(kPageSize - 1), kPageSize, RAVEL_CALLER);
}
RAVEL_EXPORT std::size_t malloc_usable_size(void* block) noexcept { return usable_size(block); }

}  // namespace ravel::threads
