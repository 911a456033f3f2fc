#include "base/memory.h"

#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <string>

#include "base/control_group.h"

namespace ravel {

namespace {

std::uint64_t resident_now() {
  std::ifstream file("/proc/self/statm");
  std::uint64_t size = 0, resident = 0;
  if (!(file >> size >> resident)) return 0;
  return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace

std::uint64_t resident_bytes(std::uint64_t limit) {
  const std::uint64_t resident = resident_now();
  if (resident <= limit || malloc_trim(0) == 0) return resident;
  return resident_now();
}

std::uint64_t memory_to_use(std::uint64_t parts_of_limit) {
  std::uint64_t bytes =
      static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  // The group itself and each one above it may have a limit, or "max".
  for (const std::string& folder : control_groups()) {
    std::ifstream file(folder + "/memory.max");
    std::uint64_t allowed = 0;
    if (file >> allowed) bytes = std::min(bytes, allowed);
  }
  // Under a limit on address space what is reserved (reserve.h) is smaller, too.
  rlimit limit{};
  const bool is_limited = getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
  const std::uint64_t most = bytes / 5 * 4;
  return is_limited ? std::min<std::uint64_t>(most, limit.rlim_cur / parts_of_limit) : most;
}

}  // namespace ravel
