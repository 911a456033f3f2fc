#include "threads/runtime/mappings.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include <algorithm>
#include <array>
#include <cstdarg>
#include <string>

#include "threads/protocol/system_call.h"
#include "threads/runtime/export.h"
#include "threads/runtime/layout.h"
#include "threads/runtime/scheduler.h"

namespace ravel::threads {

namespace {

struct Range {
  std::uint64_t low, high;
};
// Libraries map a handful before main(); what is beyond is not put back.
constexpr std::size_t kBeforeMainMax = 64;
constinit std::array<Range, kBeforeMainMax> before_main{};
constinit std::size_t before_main_count = 0;
constinit std::uint64_t next = kMappingsBase;

std::uint64_t whole_pages(std::size_t size) { return (size + kPageSize - 1) & ~(kPageSize - 1); }

// As the kernel tells errors: an address among the last 4096 is one.
void* with_errno(long result) {
  if (result >= 0 || result < -4095) return reinterpret_cast<void*>(result);
  errno = static_cast<int>(-result);
  return MAP_FAILED;
}

// Room for a mapping of the running execution; 0 if there is none.
std::uint64_t take_room(std::size_t size) {
  const std::uint64_t wanted = whole_pages(size) + kPageSize;  // what overflows hits nothing
  if (size > kMappingsSize || next + wanted > kMappingsBase + kMappingsSize) return 0;
  return std::exchange(next, next + wanted);
}

// What the C library has mapped by itself during executions: files of data, as for a locale. It has forgotten
// them, since its memory was put back; a process may have some 65,000 mappings.
class Leftovers {
 public:
  void note_start() {
    for_each_data_file([&](Range range) { start_.push_back(range.low); });
  }

  // Looks after 1, 2, 4, ... executions, and often once there was something.
  void begin_execution() {
    if (++executions_ < next_look_) return;
    std::vector<Range> found;
    for_each_data_file([&](Range range) {
      if (std::ranges::find(start_, range.low) == start_.end()) found.push_back(range);
    });
    for (const Range range : found)
      system_call(SYS_munmap, static_cast<long>(range.low), static_cast<long>(range.high - range.low));
    next_look_ = executions_ + (found.empty() ? executions_ : kExecutionsPerLook);
  }

 private:
  static constexpr std::uint64_t kExecutionsPerLook = 256;

  // Mappings of files that can only be read, of which no part can be executed: others are libraries.
  template <class Function>
  static void for_each_data_file(Function function) {
    FILE* const maps = fopen("/proc/self/maps", "re");
    if (maps == nullptr) return;
    std::array<char, 4500> line;
    std::vector<std::pair<Range, std::string>> all;
    std::vector<std::string> libraries;
    while (fgets(line.data(), line.size(), maps) != nullptr) {
      unsigned long low = 0, high = 0;
      std::array<char, 5> rights{};
      const char* const path = strchr(line.data(), '/');
      if (path == nullptr || sscanf(line.data(), "%lx-%lx %4s", &low, &high, rights.data()) != 3) continue;
      if (rights[2] == 'x') libraries.emplace_back(path);
      if (rights[0] == 'r' && rights[1] == '-' && rights[2] == '-')
        all.emplace_back(Range{.low = low, .high = high}, path);
    }
    fclose(maps);
    for (const auto& [range, path] : all)
      if (std::ranges::find(libraries, path) == libraries.end()) function(range);
  }

  std::vector<std::uint64_t> start_;
  std::uint64_t executions_ = 0, next_look_ = 1;
};
Leftovers& leftovers() {
  static auto* const all = new Leftovers;
  return *all;
}

}  // namespace

void* map_memory(void* address, std::size_t size, int protection, int flags, int file, off_t offset) {
  return with_errno(system_call(SYS_mmap, reinterpret_cast<long>(address), static_cast<long>(size),
                                protection, flags, file, offset));
}

void* reserve_at(std::uint64_t address, std::size_t size) {
  void* const wanted = reinterpret_cast<void*>(address);
  void* const got = map_memory(wanted, size, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE | MAP_NORESERVE, -1, 0);
  return got == wanted ? got : nullptr;
}

std::vector<std::pair<std::uint64_t, std::uint64_t>> mappings_of_start() {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> found;
  leftovers().note_start();
  FILE* const maps = before_main_count == 0 ? nullptr : fopen("/proc/self/maps", "re");
  if (maps == nullptr) return found;
  std::array<char, 512> line;
  while (fgets(line.data(), line.size(), maps) != nullptr) {
    unsigned long low = 0, high = 0;
    std::array<char, 5> rights{};
    if (sscanf(line.data(), "%lx-%lx %4s", &low, &high, rights.data()) != 3 || rights[0] != 'r' ||
        rights[1] != 'w' || rights[3] != 'p')
      continue;
    for (std::size_t i = 0; i < before_main_count; ++i) {
      const std::uint64_t from = std::max<std::uint64_t>(low, before_main[i].low),
                          to = std::min<std::uint64_t>(high, before_main[i].high);
      if (from < to) found.emplace_back(from, to);
    }
  }
  fclose(maps);
  return found;
}

void restore_mappings() {
  leftovers().begin_execution();
  if (next == kMappingsBase) return;
  system_call(SYS_munmap, static_cast<long>(kMappingsBase), static_cast<long>(next - kMappingsBase));
  next = kMappingsBase;
}

RAVEL_EXPORT void* mmap(void* address, std::size_t size, int protection, int flags, int file,
                        off_t offset) noexcept {
  if (current == nullptr) {
    void* const got = map_memory(address, size, protection, flags, file, offset);
    if (in_program && got != MAP_FAILED && (flags & MAP_ANONYMOUS) != 0 && (flags & MAP_PRIVATE) != 0 &&
        before_main_count < kBeforeMainMax) {
      const auto low = reinterpret_cast<std::uint64_t>(got);
      before_main[before_main_count++] = {.low = low, .high = low + whole_pages(size)};
    }
    return got;
  }
  if (scheduler().configuration().by_states)
    scheduler().memory().refuse_outside_state("what memory it has, by mmap()", RAVEL_CALLER);
  if ((flags & (MAP_FIXED | MAP_FIXED_NOREPLACE)) != 0 || size == 0)
    return map_memory(address, size, protection, flags, file, offset);
  const std::uint64_t place = take_room(size);
  if (place == 0) return with_errno(-ENOMEM);
  return map_memory(reinterpret_cast<void*>(place), size, protection, flags | MAP_FIXED, file, offset);
}
RAVEL_EXPORT void* mmap64(void* address, std::size_t size, int protection, int flags, int file,
                          off64_t offset) noexcept {
  return mmap(address, size, protection, flags, file, offset);
}

RAVEL_EXPORT void* mremap(void* old, std::size_t old_size, std::size_t size, int flags, ...) noexcept {
  va_list more;
  va_start(more, flags);
  void* wanted = (flags & MREMAP_FIXED) != 0 ? va_arg(more, void*) : nullptr;
  va_end(more);
  if (current != nullptr && scheduler().configuration().by_states)
    scheduler().memory().refuse_outside_state("what memory it has, by mremap()", RAVEL_CALLER);
  if (current != nullptr && (flags & MREMAP_FIXED) == 0 && whole_pages(size) > whole_pages(old_size)) {
    if ((flags & MREMAP_MAYMOVE) == 0) return with_errno(-ENOMEM);
    const std::uint64_t place = take_room(size);
    if (place == 0) return with_errno(-ENOMEM);
    flags |= MREMAP_FIXED;
    wanted = reinterpret_cast<void*>(place);
  }
  return with_errno(system_call(SYS_mremap, reinterpret_cast<long>(old), static_cast<long>(old_size),
                                static_cast<long>(size), flags, reinterpret_cast<long>(wanted)));
}

}  // namespace ravel::threads
