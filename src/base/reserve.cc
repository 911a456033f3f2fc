#include "base/reserve.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <fstream>
#include <map>
#include <mutex>
#include <vector>

#include "base/check.h"

namespace ravel {

namespace {

constexpr std::size_t kLeast = std::size_t{1} << 24;
// Of a limit, an area that wants kWhole bytes could have all, and a smaller one its part: a sixth for those
// that want 32 GiB. So two systems with two such areas each have room, and others, as those that explain a
// bug, get half of that, or less.
constexpr std::size_t kWhole = std::size_t{192} << 30;
// Far from where the system puts anything by itself.
constexpr std::uintptr_t kFirstPlace = 0x1000'0000'0000, kLastPlace = 0x5000'0000'0000;

void* map_at(void* place, std::size_t bytes) {
  const int fixed = place == nullptr ? 0 : MAP_FIXED_NOREPLACE;
  void* const got =
      mmap(place, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | fixed, -1, 0);
  return got == MAP_FAILED ? nullptr : got;
}

std::size_t address_space_in_use() {
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

// The owner of a place keeps others `wanted` bytes away from it. A place that was given back is used again: a
// suite of thousands of tests has as many systems, one after the other.
class Places {
 public:
  std::uintptr_t take(std::size_t wanted) {
    const std::lock_guard lock(mutex_);
    auto& free = free_[wanted];
    if (!free.empty()) {
      const std::uintptr_t place = free.back();
      free.pop_back();
      return place;
    }
    const std::uintptr_t place = next_;
    next_ += (wanted + kLeast) & ~(kLeast - 1);
    CHECK(next_ < kLastPlace);
    return place;
  }

  void give_back(std::uintptr_t place, std::size_t wanted) {
    if (place < kFirstPlace || place >= kLastPlace) return;  // the system chose that one
    const std::lock_guard lock(mutex_);
    free_[wanted].push_back(place);
  }

 private:
  std::mutex mutex_;
  std::uintptr_t next_ = kFirstPlace;
  std::map<std::size_t, std::vector<std::uintptr_t>> free_;  // by what was wanted
};

Places& places() {
  static Places result;
  return result;
}

}  // namespace

Reserved reserve(std::size_t wanted) {
  if (void* const got = map_at(nullptr, wanted)) return {.address = got, .bytes = wanted};
  rlimit limit{};
  const bool is_limited = getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
  std::size_t bytes = wanted / 2;
  // Never more than a quarter of what is left: the allocator needs some, too.
  if (is_limited) {
    const std::size_t left = limit.rlim_cur - std::min<std::size_t>(limit.rlim_cur, address_space_in_use());
    bytes = std::min({wanted, limit.rlim_cur / (kWhole / std::min(wanted, kWhole)), left / 4});
  }
  for (bytes = std::max(bytes, kLeast) & ~(kLeast - 1); bytes >= kLeast; bytes = bytes / 2 & ~(kLeast - 1)) {
    const std::uintptr_t place = places().take(wanted);
    if (void* const got = map_at(reinterpret_cast<void*>(place), bytes))
      return {.address = got, .bytes = bytes};
    if (errno != EEXIST) places().give_back(place, wanted);  // else something of the system's lies there
  }
  CHECK_MESSAGE(false,
                "there is not enough address space: the limit on it (ulimit -v) must leave 1 GB at least");
  return {};
}

void release(void* address, std::size_t wanted) {
  munmap(address, wanted);
  places().give_back(reinterpret_cast<std::uintptr_t>(address), wanted);
}

}  // namespace ravel
