// The C++ library's sort.
#include "work.h"

#include <algorithm>

static constexpr int kSize = 4096;
static std::uint32_t values[2][kSize];

int main(int argc, char** argv) {
  return run(argc, argv, [](int t, int round) {
    std::uint32_t x = 12345u + static_cast<std::uint32_t>(round);
    for (std::uint32_t& value : values[t]) value = x = x * 1664525 + 1013904223;
    std::sort(values[t], values[t] + kSize);
    return static_cast<double>(values[t][kSize / 2]);
  });
}
