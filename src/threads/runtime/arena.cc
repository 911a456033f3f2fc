#include "threads/runtime/arena.h"

#include <bit>
#include <new>

#include "base/check.h"
#include "threads/runtime/mappings.h"

namespace ravel::threads {

namespace {

constexpr unsigned kClasses = 37;
constexpr std::size_t kHeader = 16;
constexpr std::size_t kChunk = std::size_t{1} << 20;

struct FreeBlock {
  FreeBlock* next;
};

FreeBlock* free_of_class[kClasses];
std::uint64_t used_to = kArenaBase;
std::uint64_t mapped_to = kArenaBase;

unsigned class_of(std::size_t size) { return static_cast<unsigned>(std::bit_width(size + kHeader - 1)); }

void map_to(std::uint64_t end) {
  const std::uint64_t wanted = (end - mapped_to + kChunk - 1) & ~(kChunk - 1);
  CHECK_MESSAGE(mapped_to + wanted <= kArenaBase + kArenaSize, "the runtime's own memory is exhausted");
  CHECK_MESSAGE(reserve_at(mapped_to, wanted) != nullptr, "there is no memory for the runtime");
  mapped_to += wanted;
}

}  // namespace

void* arena_allocate(std::size_t size) {
  const unsigned size_class = class_of(size);
  CHECK(size_class < kClasses);
  char* block = reinterpret_cast<char*>(free_of_class[size_class]);
  if (block != nullptr) {
    free_of_class[size_class] = free_of_class[size_class]->next;
  } else {
    block = reinterpret_cast<char*>(used_to);
    const std::uint64_t end = used_to + (std::uint64_t{1} << size_class);
    if (end > mapped_to) map_to(end);
    used_to = end;
  }
  *reinterpret_cast<std::uint64_t*>(block) = size_class;
  return block + kHeader;
}

void arena_free(void* block) {
  char* const start = static_cast<char*>(block) - kHeader;
  const auto size_class = static_cast<unsigned>(*reinterpret_cast<std::uint64_t*>(start));
  auto* const freed = reinterpret_cast<FreeBlock*>(start);
  freed->next = free_of_class[size_class];
  free_of_class[size_class] = freed;
}

std::size_t arena_usable_size(void* block) {
  const std::uint64_t size_class = *reinterpret_cast<std::uint64_t*>(static_cast<char*>(block) - kHeader);
  return (std::size_t{1} << size_class) - kHeader;
}

}  // namespace ravel::threads

// The runtime's own new and delete, hidden from the program.
void* operator new(std::size_t size) { return ravel::threads::arena_allocate(size); }
void* operator new[](std::size_t size) { return ravel::threads::arena_allocate(size); }
void operator delete(void* block) noexcept {
  if (block != nullptr) ravel::threads::arena_free(block);
}
void operator delete[](void* block) noexcept {
  if (block != nullptr) ravel::threads::arena_free(block);
}
void operator delete(void* block, std::size_t) noexcept {
  if (block != nullptr) ravel::threads::arena_free(block);
}
void operator delete[](void* block, std::size_t) noexcept {
  if (block != nullptr) ravel::threads::arena_free(block);
}
