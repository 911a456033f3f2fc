#include "base/cores.h"

#include <sched.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <string>
#include <vector>

#include "base/control_group.h"

namespace ravel {

namespace {

// A set of a fixed size would be too small for some machines.
std::uint32_t allowed_cores() {
  constexpr int kCoresMax = 1 << 16;
  for (int size = CPU_SETSIZE; size <= kCoresMax; size *= 2) {
    cpu_set_t* const cores = CPU_ALLOC(size);
    if (cores == nullptr) break;
    const bool is_told = sched_getaffinity(0, CPU_ALLOC_SIZE(size), cores) == 0;
    const int count = is_told ? CPU_COUNT_S(CPU_ALLOC_SIZE(size), cores) : 0;
    CPU_FREE(cores);
    if (count > 0) return static_cast<std::uint32_t>(count);
  }
  return 1;
}

}  // namespace

std::uint32_t cores_of_quota(const char* cpu_max) {
  unsigned long long quota = 0, period = 0;
  if (std::sscanf(cpu_max, "%llu %llu", &quota, &period) != 2 || quota == 0 || period == 0) return 0;
  const unsigned long long cores = (quota - 1) / period + 1;
  return static_cast<std::uint32_t>(std::min<unsigned long long>(cores, ~std::uint32_t{0}));
}

std::uint32_t cores_to_use() {
  std::uint32_t cores = allowed_cores();
  for (const std::string& folder : control_groups()) {
    std::ifstream file(folder + "/cpu.max");
    std::string text;
    if (!std::getline(file, text)) continue;
    if (const std::uint32_t share = cores_of_quota(text.c_str()); share > 0) cores = std::min(cores, share);
  }
  return cores;
}

double processor_seconds() {
  timespec used{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return static_cast<double>(used.tv_sec) + static_cast<double>(used.tv_nsec) * 1e-9;
}

}  // namespace ravel
