#include "threads/frameworks/test_framework.h"

#include <algorithm>
#include <array>

namespace ravel::threads {

std::span<const TestFramework> test_frameworks() {
  static const std::array all = {google_test(), catch2(), doctest(), boost_test()};
  return all;
}

const TestFramework* find_framework(TestKind kind) {
  const std::span<const TestFramework> all = test_frameworks();
  const auto found = std::ranges::find(all, kind, &TestFramework::kind);
  return found == all.end() ? nullptr : &*found;
}

}  // namespace ravel::threads
