// What a thread has in registers when an access lets others go is what it has behind it: whole and floating-point numbers of all
// widths, with others that use the same registers in between.
//
// compile: -O2
// expect: pass --accesses all --preemptions 1
// expect: pass --accesses all --strategy random --budget 200x
// expect: pass --strategy random --budget 200x
// expect: pass --track places --preemptions 1
#include <cassert>
#include <cstdint>
#include <thread>

std::uint32_t places[3] = {1, 1, 1};

namespace {

// All of what is computed is needed behind each access.
[[gnu::noipa]] void compute(std::uint64_t seed) {
  std::uint64_t whole[10];
  double doubles[10];
  float floats[6];
  long double wide = static_cast<long double>(seed);
  for (std::uint64_t i = 0; i < 10; ++i) whole[i] = seed * (i + 1);
  for (std::uint64_t i = 0; i < 10; ++i) doubles[i] = static_cast<double>(seed + i);
  for (std::uint64_t i = 0; i < 6; ++i) floats[i] = static_cast<float>(seed * 2 + i);
#pragma GCC unroll 3
  for (int round = 0; round < 3; ++round) {
    const std::uint32_t one = places[round];
#pragma GCC unroll 10
    for (std::uint64_t i = 0; i < 10; ++i) whole[i] += one;
#pragma GCC unroll 10
    for (std::uint64_t i = 0; i < 10; ++i) doubles[i] *= one;
#pragma GCC unroll 6
    for (std::uint64_t i = 0; i < 6; ++i) floats[i] *= static_cast<float>(one);
    wide *= one;
    places[round] = one;
  }
  for (std::uint64_t i = 0; i < 10; ++i) assert(whole[i] == seed * (i + 1) + 3);
  for (std::uint64_t i = 0; i < 10; ++i) assert(doubles[i] == static_cast<double>(seed + i));
  for (std::uint64_t i = 0; i < 6; ++i) assert(floats[i] == static_cast<float>(seed * 2 + i));
  assert(wide == static_cast<long double>(seed));
}

}  // namespace

int main() {
  std::thread one(compute, 1000), other(compute, 7);
  compute(50);
  one.join();
  other.join();
}
