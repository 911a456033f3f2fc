// The tests that the program has marked with RAVEL_TEST, in the order in which its constructors name them.

#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace ravel::threads {

struct MarkedTest {
  const char* name = nullptr;
  const char* file = nullptr;
  std::uint32_t line = 0;
  void (*function)() = nullptr;
};

const std::vector<MarkedTest>& marked_tests();
// Null if there is none of this name.
const MarkedTest* find_marked_test(std::string_view name);

}  // namespace ravel::threads
