#include "base/reserve.h"

#include <sys/mman.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "base/check.h"

namespace ravel {

namespace {

constexpr std::size_t kLeast = std::size_t{1} << 24;
// A search has some systems at a time, with a handful of areas each.
constexpr std::size_t kShares = 24;
// Far from where the system puts anything by itself.
constexpr std::uintptr_t kFirstPlace = 0x1000'0000'0000, kLastPlace = 0x5000'0000'0000;

void* map_at(void* place, std::size_t bytes) {
  const int fixed = place == nullptr ? 0 : MAP_FIXED_NOREPLACE;
  void* const got =
      mmap(place, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | fixed, -1, 0);
  return got == MAP_FAILED ? nullptr : got;
}

}  // namespace

Reserved reserve(std::size_t wanted) {
  if (void* const got = map_at(nullptr, wanted)) return {.address = got, .bytes = wanted};
  static std::atomic<std::uintptr_t> next = kFirstPlace;
  rlimit limit{};
  const bool is_limited = getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
  std::size_t bytes = is_limited ? std::min<std::size_t>(wanted, limit.rlim_cur / kShares) : wanted / 2;
  for (bytes &= ~(kLeast - 1); bytes >= kLeast; bytes = bytes / 2 & ~(kLeast - 1)) {
    const std::uintptr_t place = next.fetch_add((wanted + kLeast) & ~(kLeast - 1));
    CHECK(place + wanted < kLastPlace);
    if (void* const got = map_at(reinterpret_cast<void*>(place), bytes))
      return {.address = got, .bytes = bytes};
  }
  CHECK_MESSAGE(false,
                "there is not enough address space: the limit on it (ulimit -v) must leave 1 GB at least");
  return {};
}

}  // namespace ravel
